/** A word of a text: letters only, so that `Anna-Lena's` has three. */
export interface TextWord {
  /** Offsets in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As `plainOf` gives it. */
  readonly plain: string;
  /** What stands between the word before and this one; of a long gap only the begin. */
  readonly gap: string;
  /** Begins with a capital letter. */
  readonly isCapital: boolean;
  /** All of two or more letters are capitals. */
  readonly isUpper: boolean;
  /** A digit or an underscore touches it: `Q4`. */
  readonly isCode: boolean;
}

const WORD = /\p{L}[\p{L}\p{M}]*/gu;
const CODE = /[\p{N}_]/u;
/** Longest gap that any rule looks at. */
const MAX_GAP = 40;

/** Words in order. `text` may hold U+0001 where something that was found before is masked. */
export function wordsIn(text: string): TextWord[] {
  const words: TextWord[] = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const end = index + found.length;
    const first = found.charAt(0);
    const isCapital = first !== first.toLowerCase();
    words.push({
      start: index,
      end,
      plain: plainOf(found),
      gap: index - last > MAX_GAP ? `${text.slice(last, last + MAX_GAP)}\n` : text.slice(last, index),
      isCapital,
      isUpper: isCapital && found.length > 1 && found === found.toUpperCase(),
      isCode: CODE.test(text.charAt(index - 1)) || CODE.test(text.charAt(end)),
    });
    last = end;
  }
  return words;
}

/** In lower case, without accents, `ß` as `ss`: how words are compared. */
export function plainOf(text: string): string {
  const lower = text.toLowerCase();
  // Most words are ASCII.
  return /^[a-z]*$/.test(lower)
    ? lower
    : lower.normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss').replace(/ø/g, 'o');
}

/** Phrases by their first word, the longest first. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

export function phrasesOf(texts: readonly string[]): Phrases {
  const sorted = texts.map((text) => text.split(' ')).toSorted((a, b) => b.length - a.length);
  return Map.groupBy(sorted, ([first = '']) => first);
}

/** Between the words of a phrase. */
const INNER_GAP = /^[ \t\u00a0.'’-]{1,3}$/;

/** Index after the phrase that begins at a word; undefined where none does. */
export function phraseEnd(words: readonly TextWord[], at: number, phrases: Phrases): number | undefined {
  const first = words[at];
  if (first === undefined) return undefined;
  const found = phrases
    .get(first.plain)
    ?.find((phrase) =>
      phrase.every(
        (plain, i) => words[at + i]?.plain === plain && (i === 0 || INNER_GAP.test(words[at + i]?.gap ?? '')),
      ),
    );
  return found === undefined ? undefined : at + found.length;
}

/** A word that begins a line; quote marks and bullets may stand before it. */
export function isLineStart(words: readonly TextWord[], at: number): boolean {
  const gap = words[at]?.gap ?? '';
  return at === 0 || /[\n\r][\s>*•"'„“«|–—-]*$/.test(gap);
}

/** A word that begins a line, a sentence, or what somebody says. */
export function isSentenceStart(words: readonly TextWord[], at: number): boolean {
  return at === 0 || /[.!?:;…\n\r"„“«(•*>|]/.test(words[at]?.gap ?? '');
}
