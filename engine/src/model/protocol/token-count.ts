/** More tokens than any request has. A larger count, added to others, would make sums and limits meaningless. */
const MAX_TOKENS = 1_000_000_000;

/**
 * A token count from a server, rounded; undefined if the server sent none. `absurd`: less than zero, more than
 * `MAX_TOKENS`, or not a number, so that none of the counts beside it can be trusted.
 */
export function readCount(value: unknown): number | 'absurd' | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_TOKENS)) return 'absurd';
  return Math.round(value);
}
