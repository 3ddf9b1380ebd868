/** What mentions match of a participant. */
export interface Mentionable {
  readonly id: string;
  readonly handle: string;
  readonly displayName: string;
}

/** How names match. Handles match in any case. */
export interface MentionOptions {
  /** Whether display names match in their own case alone. Default: false. */
  readonly caseSensitive?: boolean;
}

/** A mention in a text, from `start` (of the `@`) to before `end`, in UTF-16 units. */
export interface MentionSpan {
  readonly start: number;
  readonly end: number;
  /** Id of the participant. */
  readonly id: string;
}

interface Candidate {
  readonly id: string;
  readonly text: string;
  readonly isExact: boolean;
}

// Scripts that put no spaces between words: a name may touch the next word.
const WORD = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])[\p{L}\p{M}\p{N}]`;
/** What may not stand before an `@`: a word, or a character of addresses, paths and escapes. */
const BEFORE = new RegExp(String.raw`(?:${WORD}|[-+%/@=\\]|${WORD}_)$`, 'u');
/** What may not follow a mention: more of a word, a name or an address. */
const AFTER = new RegExp(String.raw`(?:[-_./:]?${WORD}|@)`, 'uy');
/** A character with the marks, or the vowel and final consonant of Hangul, that compose with it. */
const PIECES = /[^][\p{M}\u1160-\u11ff]{0,32}/gu;
const ADDRESSES = /(?::\/\/|\bwww\.|\bmailto:)[^\s<>"]*/gi;

/**
 * The mentions in a text, in their order, as `@handle` or `@DisplayName`: the longest that matches, from left to right. None is inside
 * an address, a URL or code. Accents match however they are written (NFC or NFD). Of two participants with one name the first counts. Takes time in proportion to the length
 * of the text, for given participants. Seed 004, Mention parsing.
 */
export function findMentions(
  text: string,
  participants: readonly Mentionable[],
  { caseSensitive = false }: MentionOptions = {},
): MentionSpan[] {
  const candidates = candidatesOf(participants, caseSensitive);
  const { text: plain, toOriginal } = composed(blank(withoutCode(text), ADDRESSES));
  const folded = fold(plain);
  const mentions: MentionSpan[] = [];
  let lastEnd: number | undefined;
  for (let at = plain.indexOf('@'); at >= 0;) {
    const isOpen = isFree(plain, at, lastEnd);
    const found = isOpen ? candidates.find((one) => fits(one.isExact ? plain : folded, one.text, at + 1)) : undefined;
    const end = at + 1 + (found?.text.length ?? 0);
    if (found !== undefined) {
      mentions.push({ start: toOriginal(at), end: toOriginal(end), id: found.id });
      lastEnd = end;
    }
    at = plain.indexOf('@', end);
  }
  return mentions;
}

/** Ids of the participants that a text mentions, each once, in the order of their first mention. */
export function mentionedIn(text: string, participants: readonly Mentionable[], options?: MentionOptions): string[] {
  return [...new Set(findMentions(text, participants, options).map(({ id }) => id))];
}

/** Handles and names, the longest first; of equal ones handles first. */
function candidatesOf(participants: readonly Mentionable[], caseSensitive: boolean): Candidate[] {
  const handles = participants.map(({ id, handle }) => ({ id, text: fold(handle), isExact: false }));
  const names = participants.map(({ id, displayName }) => ({
    id,
    text: caseSensitive ? composed(displayName).text : fold(composed(displayName).text),
    isExact: caseSensitive,
  }));
  return [...handles, ...names].filter(({ text }) => text !== '').sort((a, b) => b.text.length - a.text.length);
}

/** Whether a mention may begin here. A slash may stand between two mentions. */
function isFree(text: string, at: number, lastEnd: number | undefined): boolean {
  if (text[at - 1] === '/' && at - 1 === lastEnd) return true;
  // A word of two units and an underscore: no more decides.
  return !BEFORE.test(text.slice(Math.max(0, at - 3), at));
}

function fits(text: string, candidate: string, at: number): boolean {
  if (!text.startsWith(candidate, at)) return false;
  AFTER.lastIndex = at + candidate.length;
  return !AFTER.test(text);
}

/** The text in small letters, of the same length: a letter whose small form is longer stays. Kinds of spaces are one. */
function fold(text: string): string {
  return text
    .replace(/[\p{Lu}\p{Lt}]/gu, (letter) => {
      const small = letter.toLowerCase();
      return small.length === letter.length ? small : letter;
    })
    .replace(/[^\S\r\n]/g, ' ');
}

/**
 * The text with its letters and accents composed (NFC), and where a position in it lies in the original. In pieces of bounded length:
 * normalising one long run of marks takes quadratic time.
 */
function composed(text: string): { readonly text: string; readonly toOriginal: (at: number) => number } {
  // All characters before U+0300 are composed.
  if (!/[^\0-\u02ff]/.test(text)) return { text, toOriginal: (at) => at };
  const origins: number[] = [];
  let result = '';
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const whole = piece.normalize('NFC');
    for (let n = 0; n < whole.length; n++) origins.push(index + Math.min(n, piece.length));
    result += whole;
  }
  return { text: result, toOriginal: (at) => origins[at] ?? text.length };
}

/** The text with the code of Markdown blanked: fenced blocks, and spans in equal runs of backticks within a paragraph. */
function withoutCode(text: string): string {
  const blocks = text.split(/(?<=\n)/);
  let fence: string | undefined;
  let paragraph = '';
  let plain = '';
  const flush = () => {
    plain += withoutSpans(paragraph);
    paragraph = '';
  };
  for (const line of blocks) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const isEnd = fence !== undefined && mark?.startsWith(fence) === true;
    const isStart =
      fence === undefined && mark !== undefined && !line.slice(line.indexOf(mark) + mark.length).includes('`');
    if (fence !== undefined || isStart || line.trim() === '') flush();
    if (fence !== undefined || isStart) plain += blanked(line);
    else paragraph += line;
    if (isEnd) fence = undefined;
    else if (isStart) fence = mark;
  }
  flush();
  return plain;
}

function withoutSpans(text: string): string {
  if (!text.includes('`')) return text;
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }));
  // The last run of each length: a run that has none after it opens nothing.
  const last = new Map(runs.map(({ length }, n) => [length, n]));
  let plain = '';
  let from = 0;
  for (let n = 0; n < runs.length; n++) {
    const open = runs[n];
    if (open === undefined || (last.get(open.length) ?? n) <= n) continue;
    do n++;
    while (runs[n]?.length !== open.length);
    const end = (runs[n]?.index ?? 0) + open.length;
    plain += text.slice(from, open.index) + blanked(text.slice(open.index, end));
    from = end;
  }
  return plain + text.slice(from);
}

function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, blanked);
}

/** As many units that no name has. */
function blanked(text: string): string {
  return '\0'.repeat(text.length);
}
