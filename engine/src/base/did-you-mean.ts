import { distance } from 'fastest-levenshtein';

/** The candidate that `word` was most likely meant to be, or undefined when none is near. Case does not count. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  // A third of the word may be wrong, at most four letters; two swapped ones count as two.
  const limit = wanted.length < 4 ? 1 : Math.min(4, Math.max(2, Math.floor(wanted.length / 3)));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const far = distance(wanted, candidate.toLowerCase());
    if (far < bestDistance && candidate !== word) [best, bestDistance] = [candidate, far];
  }
  return best;
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `; did you mean "${found}"?`;
}

/** `"a", "b" or "c"`; at most `limit` of them. */
export function listOf(words: Iterable<string>, limit = 8): string {
  const all = [...words].map((word) => `"${word}"`);
  if (all.length > limit) return `${all.slice(0, limit).join(', ')}, …`;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
