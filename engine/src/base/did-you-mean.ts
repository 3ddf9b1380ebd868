import { distance } from 'fastest-levenshtein';

/**
 * The candidate that `word` may be a misspelling of, ignoring case; undefined where none is near. Names of several words
 * (`mail_send`) must be near in each word, so that `mail_read` is not meant.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) > MAX_DISTANCE) continue;
    const far = distanceOf(wanted, candidate.toLowerCase());
    if (far < bestDistance) [best, bestDistance] = [candidate, far];
  }
  return best;
}

/** Largest distance of a long word. */
const MAX_DISTANCE = 3;
const SEPARATOR = /[_.\-\s:/]+/;

/** Number of letters that differ; Infinity if they are too many for a slip. */
function distanceOf(a: string, b: string): number {
  const [left, right] = [a.split(SEPARATOR), b.split(SEPARATOR)];
  const pairs =
    left.length === right.length ? left.map((part, i) => [part, right[i] ?? ''] as const) : [[a, b] as const];
  let sum = 0;
  for (const [from, to] of pairs) {
    const far = isSwapped(from, to) ? 1 : distance(from, to);
    if (far > limitOf(Math.max(from.length, to.length))) return Infinity;
    sum += far;
  }
  return sum;
}

/** Letters that may differ in a word of this length. */
function limitOf(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : length < 10 ? 2 : MAX_DISTANCE;
}

/** Whether the words differ in two neighbouring letters that are swapped. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return at >= 0 && a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b;
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
