import { formatAddress } from '../envelope.ts';
import type { Mail } from '../mail.ts';
import type { Signature } from '../mailbox.ts';
import { textToHtml } from '../html/text-to-html.ts';
import { oneLine } from './addresses.ts';

/** Most characters of a mail that are quoted below the answer. */
const MAX_QUOTE = 64 * 1024;

const BAR = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex';

/** What stands above a quotation. */
export function attribution({ from, date }: Pick<Mail, 'from' | 'date'>): string {
  const who = from[0] === undefined ? 'somebody' : oneLine(formatAddress(from[0]));
  return date === '' ? `${who} wrote:` : `On ${date.slice(0, 10)}, ${date.slice(11, 16)} UTC, ${who} wrote:`;
}

/** The answer as plain text: what was written, the signature, the mail that it answers. */
export function answerText(text: string, signature: Signature | undefined, original: Mail | undefined): string {
  const said = lines(text).trimEnd();
  const parts = [said];
  const name = lines(signature?.text ?? '').trim();
  // Whoever wrote it may have signed already.
  if (name !== '' && !said.endsWith(name)) parts.push(`-- \n${name}`);
  const quoted = original === undefined ? '' : quoteText(original.bodyText);
  if (original !== undefined && quoted !== '') parts.push(`${attribution(original)}\n${quoted}`);
  return `${parts.join('\n\n')}\n`;
}

/** Every line with `>` before it; one that is a quotation already gets no blank between (RFC 3676 4.5). */
export function quoteText(text: string): string {
  const clean = lines(text).trimEnd();
  if (clean.trim() === '') return '';
  const cut = clean.length > MAX_QUOTE ? `${clean.slice(0, MAX_QUOTE).toWellFormed()}\n[…]` : clean;
  return cut
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');
}

/** The answer as HTML. `safe` sanitises a whole document, as the mail room does; what is too costly is quoted as text. */
export async function answerHtml(
  html: string,
  signature: Signature | undefined,
  original: Mail | undefined,
  safe: (html: string) => Promise<string>,
): Promise<string> {
  const fragment = async (source: string) => fragmentOf(await safe(source));
  const parts = [await fragment(html)];
  if (signature !== undefined && signature.text.trim() !== '') {
    const signed = signature.html === undefined ? textToHtml(signature.text.trim()) : await fragment(signature.html);
    parts.push(`<div>-- <br>${signed}</div>`);
  }
  if (original !== undefined && (original.html !== '' || original.bodyText.trim() !== '')) {
    const plain = () => textToHtml(original.bodyText.slice(0, MAX_QUOTE).toWellFormed());
    const isShort = original.html !== '' && original.html.length <= MAX_QUOTE * 4;
    const quoted = isShort ? await fragment(original.html).catch(plain) : plain();
    parts.push(`${textToHtml(attribution(original))}<blockquote style="${BAR}">${quoted}</blockquote>`);
  }
  return parts.join('<br>');
}

/** What a sanitised document shows, to stand inside another one: without what comes first, and with nobody else's styles. */
export function fragmentOf(document: string): string {
  const body = document.slice(document.indexOf('</style>') + '</style>'.length);
  return body.replace(/<style[^>]*>[^]*?<\/style>/g, '');
}

/** Line ends as LF, and no other control characters. */
function lines(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  );
}
