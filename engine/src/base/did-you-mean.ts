import { distance } from 'fastest-levenshtein';

/** The candidate nearest to `word`, ignoring case; undefined where none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  // Up to a third of the word may differ, at most four letters; two swapped letters count as two.
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

/** `; did you mean "x"?`, or `''` where no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `; did you mean "${found}"?`;
}

/** `"a", "b" or "c"`; beyond `limit` words it ends in `…`. */
export function listOf(words: Iterable<string>, limit = 8): string {
  const all = [...words].map((word) => `"${word}"`);
  if (all.length > limit) return `${all.slice(0, limit).join(', ')}, …`;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
