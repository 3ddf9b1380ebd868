/** The ratio of the last accepted state, from `stored.json`. */
export interface Stored {
  readonly ratio: number;
}

/** What a step may cost above the stored ratio. */
const TOLERANCE = 1.15;

/** Reads `stored.json`. Throws if it has no ratio, since a gate without a limit passes everything. */
export function readStored(text: string): Stored {
  const { ratio } = JSON.parse(text) as { ratio?: unknown };
  if (typeof ratio !== 'number' || !(ratio > 0)) throw new Error('bench/gate/stored.json has no ratio');
  return { ratio };
}

/** The highest ratio that passes. */
export function limitOf({ ratio }: Stored): number {
  return Number((ratio * TOLERANCE).toFixed(3));
}

/** Measures once, and once more if the first ratio is above the limit. Failed only if both are. */
export async function verdictOf(
  stored: Stored,
  measure: () => Promise<number>,
): Promise<{ readonly ratios: readonly number[]; readonly isFailed: boolean }> {
  const first = await measure();
  if (first <= limitOf(stored)) return { ratios: [first], isFailed: false };
  const second = await measure();
  return { ratios: [first, second], isFailed: second > limitOf(stored) };
}
