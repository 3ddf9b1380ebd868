/** A list of slots, the best first, and its weight. */
export interface Ranking {
  readonly slots: readonly number[];
  readonly weight: number;
}

/** Damps the lead of the first places (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009, use 60). */
const DAMPING = 20;

/** Joins rankings by reciprocal rank: what several find comes first. The best first, with its score. */
export function fuse(rankings: readonly Ranking[]): [slot: number, score: number][] {
  const scores = new Map<number, number>();
  for (const { slots, weight } of rankings)
    slots.forEach((slot, rank) => scores.set(slot, (scores.get(slot) ?? 0) + weight / (DAMPING + rank + 1)));
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}
