import type { RateLimits } from './window.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Requests and tokens of one stretch of time, which begins at `at` (epoch milliseconds). */
export type Bucket = [at: number, requests: number, tokens: number];

/** What was requested under one name, in stretches of a second for a minute, and of a minute for an hour; oldest first. */
export interface Buckets {
  readonly seconds: readonly Bucket[];
  readonly minutes: readonly Bucket[];
}

export const EMPTY: Buckets = { seconds: [], minutes: [] };

/**
 * Milliseconds until a request of about `tokens` fits, 0 if it does now. A request counts until its whole stretch has left
 * the window, so no more pass within any minute or hour than the limits say; room may be seen a second, or for the hourly
 * limit a minute, late. One that never fits passes into an empty minute.
 */
export function waitMs({ seconds, minutes }: Buckets, limits: RateLimits, tokens: number, now: number): number {
  const minute = seconds.filter(([at]) => at + SECOND_MS + MINUTE_MS > now);
  const hour = minutes.filter(([at]) => at + MINUTE_MS + HOUR_MS > now);
  return Math.max(
    waitFor(minute, limits.requestsPerMinute, 1, 1, SECOND_MS + MINUTE_MS, now),
    waitFor(hour, limits.requestsPerHour, 1, 1, MINUTE_MS + HOUR_MS, now),
    waitFor(minute, limits.tokensPerMinute, 2, tokens, SECOND_MS + MINUTE_MS, now),
  );
}

function waitFor(
  buckets: readonly Bucket[],
  limit: number | undefined,
  column: 1 | 2,
  more: number,
  spanMs: number,
  now: number,
): number {
  if (limit === undefined) return 0;
  let used = buckets.reduce((sum, bucket) => sum + bucket[column], 0);
  if (used === 0) return 0;
  let last = 0;
  for (const bucket of buckets) {
    if (used + more <= limit) return last;
    used -= bucket[column];
    last = Math.max(0, bucket[0] + spanMs - now);
  }
  return last;
}

/** With a request noted at `now`, and without what no limit looks at any more. */
export function take({ seconds, minutes }: Buckets, tokens: number, now: number): Buckets {
  return {
    seconds: note(seconds, now - (now % SECOND_MS), 1, tokens).filter(([at]) => at + SECOND_MS + MINUTE_MS > now),
    minutes: note(minutes, now - (now % MINUTE_MS), 1, tokens).filter(([at]) => at + MINUTE_MS + HOUR_MS > now),
  };
}

/** With the tokens of a request that was noted at `at` put right. */
export function correct({ seconds, minutes }: Buckets, at: number, byTokens: number): Buckets {
  const put = (buckets: readonly Bucket[], start: number): Bucket[] =>
    buckets.map((bucket) => (bucket[0] === start ? [start, bucket[1], Math.max(0, bucket[2] + byTokens)] : bucket));
  return { seconds: put(seconds, at - (at % SECOND_MS)), minutes: put(minutes, at - (at % MINUTE_MS)) };
}

function note(buckets: readonly Bucket[], at: number, requests: number, tokens: number): Bucket[] {
  const last = buckets.at(-1);
  // A time before the newest stretch (another machine's clock) counts as within it.
  if (last !== undefined && last[0] >= at)
    return [...buckets.slice(0, -1), [last[0], last[1] + requests, last[2] + tokens]];
  return [...buckets, [at, requests, tokens]];
}
