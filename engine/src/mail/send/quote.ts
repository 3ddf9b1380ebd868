import { formatAddress } from '../envelope.ts';
import type { Mail } from '../mail.ts';
import type { Signature } from '../mailbox.ts';
import { textToHtml } from '../html/text-to-html.ts';
import { oneLine } from './addresses.ts';

/** Most characters of a mail that a reply quotes. */
const MAX_QUOTE = 64 * 1024;

const QUOTE_STYLE = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex';

/** The line above a quotation. */
export function attribution({ from, date }: Pick<Mail, 'from' | 'date'>): string {
  const who = from[0] === undefined ? 'somebody' : oneLine(formatAddress(from[0]));
  return date === '' ? `${who} wrote:` : `On ${date.slice(0, 10)}, ${date.slice(11, 16)} UTC, ${who} wrote:`;
}

/** The text of a reply: what was written, the signature, the quoted mail. */
export function answerText(text: string, signature: Signature | undefined, original: Mail | undefined): string {
  const written = normalizeLines(text).trimEnd();
  const parts = [written];
  const name = normalizeLines(signature?.text ?? '').trim();
  // The writer may have signed already.
  if (name !== '' && !written.endsWith(name)) parts.push(`-- \n${name}`);
  const quoted = original === undefined ? '' : quoteText(original.bodyText);
  if (original !== undefined && quoted !== '') parts.push(`${attribution(original)}\n${quoted}`);
  return `${parts.join('\n\n')}\n`;
}

/** Puts `>` before every line; a line that is a quotation already gets no blank after it (RFC 3676 4.5). */
export function quoteText(text: string): string {
  const clean = normalizeLines(text).trimEnd();
  if (clean.trim() === '') return '';
  const cut = clean.length > MAX_QUOTE ? `${clean.slice(0, MAX_QUOTE).toWellFormed()}\n[…]` : clean;
  return cut
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');
}

/** The HTML of a reply. `sanitize` sanitises a whole document; HTML that fails to sanitise is quoted as text. */
export async function answerHtml(
  html: string,
  signature: Signature | undefined,
  original: Mail | undefined,
  sanitize: (html: string) => Promise<string>,
): Promise<string> {
  const fragment = async (source: string) => fragmentOf(await sanitize(source));
  const parts = [await fragment(html)];
  if (signature !== undefined && signature.text.trim() !== '') {
    const signed = signature.html === undefined ? textToHtml(signature.text.trim()) : await fragment(signature.html);
    parts.push(`<div>-- <br>${signed}</div>`);
  }
  if (original !== undefined && (original.html !== '' || original.bodyText.trim() !== '')) {
    const plain = () => textToHtml(original.bodyText.slice(0, MAX_QUOTE).toWellFormed());
    const isShort = original.html !== '' && original.html.length <= MAX_QUOTE * 4;
    const quoted = isShort ? await fragment(original.html).catch(plain) : plain();
    parts.push(`${textToHtml(attribution(original))}<blockquote style="${QUOTE_STYLE}">${quoted}</blockquote>`);
  }
  return parts.join('<br>');
}

/** The content of a sanitised document, to embed in another document: without its prefix and without its styles. */
export function fragmentOf(document: string): string {
  const body = document.slice(document.indexOf('</style>') + '</style>'.length);
  return body.replace(/<style[^>]*>[^]*?<\/style>/g, '');
}

/** Converts line ends to LF, and removes other control characters. */
function normalizeLines(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  );
}
