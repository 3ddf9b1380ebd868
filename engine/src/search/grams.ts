/** Number of slices of a block: positions that a gram can have. */
export const SLICES = 4096;
/** Most slices that a search reads. */
export const MAX_SLICES = 12;
/** Positions of each gram. With three, a mail of the usual size sets a twelfth of its bits. */
const HASHES = 3;
const LAST_ASCII = 0x7f;
/** Characters that are marked at a time: less than a millisecond. */
const PIECE = 2048;

/**
 * Calls `mark` with the slices of all grams of these texts, some of them several times, and `breathe` between pieces of them, since the
 * sender of a mail decides how long they are. Grams are what a word, which has no white space, can
 * contain: three UTF-16 units, and one or two of which one is not ASCII, since words of Chinese or Japanese are that short. A word that
 * the text contains has no gram that the text lacks.
 */
export async function markTexts(
  texts: readonly string[],
  mark: (slice: number) => void,
  breathe: () => Promise<void> | undefined,
): Promise<void> {
  let left = PIECE;
  for (const text of texts)
    for (const token of text.toLowerCase().split(/\s+/))
      for (let from = 0; from < token.length; from += PIECE) {
        const to = Math.min(token.length, from + PIECE);
        markGrams(token, from, to, mark);
        left -= to - from;
        if (left > 0) continue;
        left = PIECE;
        await breathe();
      }
}

/** Marks the grams that begin in a part of a word. */
function markGrams(token: string, from: number, to: number, mark: (slice: number) => void): void {
  for (let at = from; at < to; at++) {
    if (at + 3 <= token.length) markGram(token, at, 3, mark);
    if (at + 2 <= token.length && !isAscii(token, at, 2)) markGram(token, at, 2, mark);
    if (!isAscii(token, at, 1)) markGram(token, at, 1, mark);
  }
}

/**
 * The slices in which every record has a bit that contains all of these words, in small letters; at most `MAX_SLICES`, none if all
 * words are too short.
 */
export function slicesOfWords(words: readonly string[]): number[] {
  const byGram = words.flatMap(gramsOf).map((gram) => {
    const slices: number[] = [];
    markGram(gram, 0, gram.length, (slice) => slices.push(slice));
    return slices;
  });
  const found = new Set<number>();
  for (let hash = 0; hash < HASHES; hash++)
    for (let nth = 0; nth < byGram.length; nth++) {
      if (found.size === MAX_SLICES) return [...found];
      // Of a long list, grams from everywhere: neighbours have much in common.
      const slices = byGram[(nth * stride(byGram.length)) % byGram.length];
      if (slices !== undefined) found.add(slices[hash] ?? 0);
    }
  return [...found];
}

/** A step that visits every one of `count` places: about two fifths of them, and without a common divisor. */
function stride(count: number): number {
  let step = Math.max(1, Math.round(count * 0.382));
  while (divisor(step, count) !== 1) step++;
  return step;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function gramsOf(word: string): string[] {
  if (word.length < 3) return isAscii(word, 0, word.length) ? [] : [word];
  return Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3));
}

function isAscii(text: string, at: number, length: number): boolean {
  for (let n = at; n < at + length; n++) if (text.charCodeAt(n) > LAST_ASCII) return false;
  return true;
}

/** The hash is part of what is stored: another one needs a migration that empties the blocks. */
function markGram(text: string, at: number, length: number, mark: (slice: number) => void): void {
  let hash = length;
  for (let n = at; n < at + length; n++) hash = mix(Math.imul(hash, 31) + text.charCodeAt(n));
  mark(hash & (SLICES - 1));
  mark((hash >>> 16) & (SLICES - 1));
  mark(mix(hash + 0x9e3779b9) & (SLICES - 1));
}

/** The finaliser of MurmurHash3. */
function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
