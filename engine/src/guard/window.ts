/** Limits of requests in a sliding time; absent ones do not bind. */
export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Taken {
  readonly at: number;
  tokens: number;
}

/** Requests of the last hour under one name: an api's or an agent's. */
export class Window {
  #taken: Taken[];

  /** `past` is what an earlier process left, oldest first. */
  constructor(past: readonly { at: number; tokens: number }[] = []) {
    this.#taken = past.map(({ at, tokens }) => ({ at, tokens }));
  }

  /** Milliseconds until a request of about `tokens` fits, 0 if it does now. One that never fits passes into an empty minute. */
  waitMs(limits: RateLimits, tokens: number, now: number): number {
    this.#forget(now);
    const minute = this.#taken.filter(({ at }) => at > now - MINUTE_MS);
    return Math.max(
      waitForCount(minute, limits.requestsPerMinute, MINUTE_MS, now),
      waitForCount(this.#taken, limits.requestsPerHour, HOUR_MS, now),
      waitForTokens(minute, limits.tokensPerMinute, tokens, now),
    );
  }

  /** Notes a request; the returned function puts the tokens right once they are known. */
  take(tokens: number, now: number): (actual: number) => void {
    const taken = { at: now, tokens };
    this.#taken.push(taken);
    return (actual) => {
      taken.tokens = actual;
    };
  }

  /** Requests and tokens since `from`: what is kept for the next process. */
  since(from: number): { requests: number; tokens: number } {
    const recent = this.#taken.filter(({ at }) => at >= from);
    return { requests: recent.length, tokens: recent.reduce((sum, { tokens }) => sum + tokens, 0) };
  }

  #forget(now: number): void {
    const first = this.#taken.findIndex(({ at }) => at > now - HOUR_MS);
    if (first !== 0) this.#taken = first < 0 ? [] : this.#taken.slice(first);
  }
}

/** The request that has to leave the window before another fits. */
function waitForCount(taken: readonly Taken[], limit: number | undefined, spanMs: number, now: number): number {
  if (limit === undefined || taken.length < limit) return 0;
  const leaving = taken[taken.length - limit];
  return leaving === undefined ? 0 : leaving.at + spanMs - now;
}

function waitForTokens(taken: readonly Taken[], limit: number | undefined, tokens: number, now: number): number {
  if (limit === undefined) return 0;
  let used = taken.reduce((sum, one) => sum + one.tokens, 0);
  for (const one of taken) {
    if (used + tokens <= limit) return 0;
    used -= one.tokens;
    if (used + tokens <= limit) return one.at + MINUTE_MS - now;
  }
  const last = taken.at(-1);
  return last === undefined ? 0 : last.at + MINUTE_MS - now;
}
