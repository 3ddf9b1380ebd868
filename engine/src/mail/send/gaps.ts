import { EngineError } from '../../base/error.ts';
import type { LetterInput } from './reply.ts';

/** Gaps that are named in one message at most. */
const MAX_GAPS = 20;

/** A bracket on one line, or a variable that no template filled in. Both are bounded, so that a search is linear. */
const CANDIDATE = /\{\{\s*[\p{L}_][\p{L}\p{N}_. -]{0,60}\}\}|\[([^[\]\n]{1,100})\]/gu;
/** A character before a bracket that makes it a part of a word or of code: `agent[s]`, `list[index]`. */
const JOINED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_\])]/u;
/** Words that ask for something to be filled in; after them, digits are no number of a ticket. */
const REQUEST = /^(?:insert|enter|add|fill|choose|your|tb[dc]|todo|einfügen|ihr|ihre|ergänzen)\b/i;
const CAPITAL_GAP =
  /^(?:X{2,}|NAME|DATE|TIME|DAY|AMOUNT|PRICE|PLACE|ADDRESS|PHONE|COMPANY|LINK|DATUM|UHRZEIT|TAG|BETRAG|PREIS|ORT|ADRESSE|FIRMA)$/;

/** Words that a quotation puts into brackets alone. */
const EDITORIAL = wordsOf(
  'sic he she it they we you i me him her them us his our their its this that these those who which the a an is are',
  'was were be been has have had will would to of in on at for from and or not no der die das er sie es wir ihr ein eine',
);
/** First words of marks by mail gateways, mail programs and logs, and of notes on a text. */
const MARKS = wordsOf(
  'external extern ext spam caution warning suspicious vorsicht achtung phishing bulk info warn error debug',
  'image images picture photo logo bild foto inline attachment attached anhang quoted cid mailto',
  'redacted omitted cut snip snipped removed deleted emphasis laughs translated',
);

function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

/**
 * Finds gaps that nobody filled in: `[time]`, `[Tag, Uhrzeit]`, `[TBD]`, `{{name}}`; each once, in the order of the
 * text. Links, footnotes, numbers, tasks, code, quoted lines and usual marks such as `[EXTERNAL]` or `[sic]` are none.
 */
export function findGaps(text: string): string[] {
  const { plain, definitions } = ownWords(text);
  const gaps = new Set<string>();
  for (const found of plain.matchAll(CANDIDATE)) {
    const [whole, inside] = found;
    const before = plain[found.index - 1] ?? '';
    const after = plain[found.index + whole.length] ?? '';
    const isLink = after === '(' || (after === '[' && definitions.size > 0);
    const isPart = JOINED.test(before) || isLink || definitions.has((inside ?? '').toLowerCase());
    if (inside === undefined || (!isPart && isGap(inside.trim()))) gaps.add(whole);
    if (gaps.size === MAX_GAPS) break;
  }
  return [...gaps];
}

/** The gaps of a letter, in its text and its HTML. */
export async function gapsOf({ text, html }: Pick<LetterInput, 'text' | 'html'>): Promise<string[]> {
  if (html === undefined || !/[[{]/.test(html)) return findGaps(text ?? '');
  const { htmlToText } = await import('../html/html-to-text.ts');
  return [...new Set([...findGaps(text ?? ''), ...findGaps(htmlToText(html))])].slice(0, MAX_GAPS);
}

/** Throws `REPLY_HAS_GAPS` where there are gaps. `hint` says what to do. */
export function expectNoGaps(gaps: readonly string[], hint: string): void {
  if (gaps.length === 0) return;
  throw new EngineError('REPLY_HAS_GAPS', `the text has gaps that nobody filled in: ${gaps.join(', ')}`, { hint });
}

/** The text without quoted lines, code, and definitions of links; and the names of those links. */
function ownWords(text: string): { readonly plain: string; readonly definitions: ReadonlySet<string> } {
  const definitions = new Set<string>();
  const lines: string[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    const start = line.slice(0, 200).trimStart();
    const isFence = start.startsWith('```') || start.startsWith('~~~');
    if (isFence) isCode = !isCode;
    if (isFence || isCode || start.startsWith('>')) continue;
    const name = /^\[([^[\]]{1,100})\]:\s*\S/.exec(start)?.[1];
    if (name === undefined) lines.push(line.replace(/`[^`]*`/g, ' '));
    else definitions.add(name.toLowerCase());
  }
  return { plain: lines.join('\n'), definitions };
}

/** Whether the text of a bracket asks for something to be filled in. */
function isGap(inside: string): boolean {
  if (/^[?_]{2,}$/.test(inside)) return true;
  if (!/^[\p{L}(]/u.test(inside) || !/\p{L}{2}/u.test(inside) || /[@"'`=<>\\]|:\/\//.test(inside)) return false;
  if (REQUEST.test(inside)) return true;
  if (/\d/.test(inside)) return false;
  const isCapital = inside === inside.toUpperCase() && inside !== inside.toLowerCase();
  if (isCapital) return CAPITAL_GAP.test(inside);
  const [first = ''] = /^[\p{L}]+/u.exec(inside) ?? [];
  return !MARKS.has(first.toLowerCase()) && !EDITORIAL.has(inside.toLowerCase());
}
