/** Longest part of a message that is read, in characters: its beginning and its end, half of it each. */
const MAX_CHARACTERS = 16_000;

/** Lines that begin a forwarded or quoted mail, in English, German, French and Spanish. All after such a line is the mail. */
const FORWARDED: readonly RegExp[] = [
  /^[-_\s*]*(original message|forwarded message|forwarded by .*|begin forwarded message:?)[-_\s*]*$/i,
  /^[-_\s*]*(urspr(ü|ue)ngliche nachricht|weitergeleitete nachricht|anfang der weitergeleiteten nachricht:?)[-_\s*]*$/i,
  /^[-_\s*]*(message d['’]origine|message transf[ée]r[ée]|message original|d[ée]but du message (transf[ée]r[ée]|r[ée]exp[ée]di[ée]).*)[-_\s*]*$/i,
  /^[-_\s*]*(mensaje original|mensaje reenviado|inicio del mensaje reenviado:?)[-_\s*]*$/i,
];

/** The line above a quoted mail, such as `On Mon, 23 Nov 2026, Anna wrote:`. */
const WRITTEN_BY: RegExp =
  /^(on\b.{0,300}\bwrote|am\b.{0,300}\bschrieb\b.{0,200}|.{0,200}\bschrieb am\b.{0,200}|le\b.{0,300}\ba [ée]crit|el\b.{0,300}\bescribi[óo](?!\p{L}).{0,200})\s*:\s*$/iu;

/** The line above the quotation of a mail without a date, as Callsheet writes it (`mail/send/quote.ts`): `Anna <anna@example.org> wrote:`. */
const WRITTEN_BY_ADDRESS: RegExp = /^(?:somebody|.{0,200}\S@[^\s@]+) wrote:$/i;

/** Names of the header lines of a mail. Two of them in a row begin a mail that was pasted. */
const HEADER: RegExp =
  /^\*?(from|sent|date|to|cc|subject|reply-to|von|gesendet|datum|an|betreff|de|envoy[ée]|date|[àa]|objet|enviado( el)?|fecha|para|asunto)\s*\*?:\*?\s*\S/i;

/** Marks around data that came from outside: `<<MAIL-8c6f0e2b1a3d` and the same name before `>>`. */
const ENVELOPE: RegExp = /<<([A-Z]+-[A-Za-z0-9]+)\b[\s\S]*?(?:\b\1>>|$)/g;

/** A mail address, or else a word whole: a pattern of addresses alone looks at a long word again from each of its characters. */
const ADDRESS_OR_WORD: RegExp = /[\w.+-]+(@[\w-]+(?:\.[\w-]+)+)?/g;

/**
 * What a person says in a message: without quoted lines, pasted and forwarded mails, envelopes of mails, addresses of pages and
 * mail addresses.
 */
export function ownWords(message: string): string {
  const lines = message.replace(ENVELOPE, '\n').split(/\r\n|\r|\n/);
  const kept: string[] = [];
  for (const [n, line] of lines.entries()) {
    if (isQuoted(line)) continue;
    if (beginsMail(line, lines[n + 1])) break;
    if (isWrittenBy(line, lines[n + 1])) continue;
    kept.push(line);
  }
  return shortened(kept.join('\n'))
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
    .replace(ADDRESS_OR_WORD, (word: string, domain: string | undefined) => (domain === undefined ? word : ' '));
}

function isQuoted(line: string): boolean {
  return /^\s*(>|\|\s)/.test(line);
}

function beginsMail(line: string, next: string | undefined): boolean {
  if (line.trim() !== '' && FORWARDED.some((pattern) => pattern.test(line))) return true;
  return HEADER.test(line.trim()) && next !== undefined && HEADER.test(next.trim());
}

/** The line above a quotation may be folded into two. */
function isWrittenBy(line: string, next = ''): boolean {
  if (isQuoted(next) && WRITTEN_BY_ADDRESS.test(line.trim())) return true;
  return WRITTEN_BY.test(line.trim()) || (!isQuoted(next) && WRITTEN_BY.test(`${line.trim()} ${next.trim()}`));
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS / 2)}\n${text.slice(-MAX_CHARACTERS / 2)}`;
}
