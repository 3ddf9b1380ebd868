/** The words of a text, in lower case and without accents, in their order. Numbers and addresses are split into their parts. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The part of the words of two texts that both have, from 0 to 1 (Jaccard index). */
export function similarity(a: string, b: string): number {
  const left = new Set(wordsOf(a));
  const right = new Set(wordsOf(b));
  const common = left.intersection(right).size;
  const all = left.size + right.size - common;
  return all === 0 ? 0 : common / all;
}
