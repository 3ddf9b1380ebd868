/** A memory in a list of matches: its slot, and how well it matches by the measure of the list. */
export type Match = readonly [slot: number, score: number];

/** Matches by one measure, the best first, and their weight. */
export interface Ranking {
  readonly matches: readonly Match[];
  /** Weight of a match; of each slot by itself where it is a function. */
  readonly weight: number | ((slot: number) => number);
}

/**
 * Joins rankings of different measures: the best match of each counts its whole weight, the others the part that their
 * score is of the best score. The best first, with the sums.
 */
export function fuse(rankings: readonly Ranking[]): [slot: number, score: number][] {
  const sums = new Map<number, number>();
  for (const { matches, weight } of rankings) {
    const best = matches[0]?.[1] ?? 0;
    for (const [slot, score] of matches)
      sums.set(slot, (sums.get(slot) ?? 0) + weightOf(slot, weight) * (best > 0 ? score / best : 1));
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

function weightOf(slot: number, weight: Ranking['weight']): number {
  return typeof weight === 'number' ? weight : weight(slot);
}
