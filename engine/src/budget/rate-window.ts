/** Limits of requests in a sliding time; absent ones do not bind. */
export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** Requests that were let through; `at` is when the last of them was, in epoch milliseconds. */
export interface AdmittedRequests {
  readonly at: number;
  readonly requests: number;
  readonly tokens: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So many are kept one by one; of more, those of one second or minute become one. */
const MAX_SINGLE = 64;
/** What lies further ahead of the clock than this was written under a clock that was wrong. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;

/**
 * Requests of the last hour under one name: an api's or an agent's. Of `requestsPerMinute` + 1 requests in a row the last
 * is let through at least 60 s after the first, and so with the hour; of requests within 60 s the tokens stay within
 * `tokensPerMinute`, as far as they are known when each of them is let through.
 *
 * What is kept stays below 130 entries, whatever the rate: above 64 of them, requests of one second (of one minute, when they
 * are older than a minute) become one, at the time of the last of them. So a full minute opens up to a second late, and a
 * full hour up to a minute, but none ever early; with few requests both open to the millisecond.
 *
 * Time does not run back: under a clock that is behind, requests count as of the last one that passed. Where several
 * machines use one window and their clocks differ by `d`, the 60 seconds are at least 60 s − `d` by any true clock. A
 * window that is more than ten minutes ahead is moved back, so that a clock that was wrong for a moment blocks nobody for
 * a day.
 */
export class RateWindow {
  /** Oldest first. */
  #passed: AdmittedRequests[];

  /** `past` is what an earlier process left, oldest first. */
  constructor(past: readonly AdmittedRequests[] = []) {
    this.#passed = past.slice();
  }

  /** All that is kept, oldest first: what the next process begins with. */
  get passed(): readonly AdmittedRequests[] {
    return this.#passed;
  }

  /** Milliseconds until a request of about `tokens` fits, 0 if it does now. One that never fits passes into an empty minute. */
  waitMs(limits: RateLimits, tokens: number, now: number): number {
    const { requestsPerMinute = Infinity, requestsPerHour = Infinity, tokensPerMinute = Infinity } = limits;
    const time = this.#timeAt(now);
    const minute = this.#passed.filter(({ at }) => at > time - MINUTE_MS);
    return Math.max(
      untilFits(minute, MINUTE_MS, now, (left) => left.requests < requestsPerMinute),
      untilFits(this.#passed, HOUR_MS, now, (left) => left.requests < requestsPerHour),
      untilFits(minute, MINUTE_MS, now, (left) => left.tokens + tokens <= tokensPerMinute),
    );
  }

  /** Notes a request; returns the time that it counts as of, by which `correct` and `drop` find it. */
  add(tokens: number, now: number): number {
    const at = this.#timeAt(now);
    const last = this.#passed.at(-1);
    const isEmpty = last?.requests === 0;
    if (last?.at === at || isEmpty) this.#passed[this.#passed.length - 1] = merge(last, { at, requests: 1, tokens });
    else this.#passed.push({ at, requests: 1, tokens });
    if (this.#passed.length > MAX_SINGLE) this.#compact(at);
    return at;
  }

  /** Puts the tokens of a request right once they are known. One that is older than an hour is no matter. */
  correct(at: number, byTokens: number): void {
    this.#change(at, 0, byTokens);
  }

  /** Takes out a request that is not made after all. */
  remove(at: number, tokens: number): void {
    this.#change(at, -1, -tokens);
  }

  /** Requests and tokens since `from`, which is a full minute. */
  since(from: number): { requests: number; tokens: number } {
    let [requests, tokens] = [0, 0];
    for (const one of this.#passed) {
      if (one.at < from) continue;
      requests += one.requests;
      tokens += one.tokens;
    }
    return { requests, tokens };
  }

  /** The time of the window: never before its last request. What has left the hour is forgotten. */
  #timeAt(now: number): number {
    const last = this.#passed.at(-1)?.at ?? now;
    const ahead = last - now;
    if (ahead > MAX_AHEAD_MS) this.#passed = this.#passed.map((one) => ({ ...one, at: one.at - ahead }));
    const time = ahead > MAX_AHEAD_MS ? now : Math.max(now, last);
    const first = this.#passed.findIndex(({ at }) => at > time - HOUR_MS);
    if (first !== 0) this.#passed = first < 0 ? [] : this.#passed.slice(first);
    return time;
  }

  /** Those that are one by now carry the time of the last of them, so a request is in the first that is not before it. */
  #change(at: number, byRequests: number, byTokens: number): void {
    const n = this.#passed.findIndex((one) => one.at >= at);
    const found = this.#passed[n];
    if (found === undefined) return;
    const requests = found.requests + byRequests;
    // The last one stays, empty: time does not run back with it.
    if (requests <= 0 && n < this.#passed.length - 1) this.#passed.splice(n, 1);
    else this.#passed[n] = { at: found.at, requests, tokens: Math.max(0, found.tokens + byTokens) };
  }

  #compact(now: number): void {
    const kept: AdmittedRequests[] = [];
    const grainOf = ({ at }: AdmittedRequests) => (at > now - MINUTE_MS ? SECOND_MS : MINUTE_MS);
    for (const one of this.#passed) {
      const grainMs = grainOf(one);
      const last = kept.at(-1);
      const isSame =
        last !== undefined &&
        grainOf(last) === grainMs &&
        Math.floor(last.at / grainMs) === Math.floor(one.at / grainMs);
      if (isSame) kept[kept.length - 1] = merge(last, one);
      else kept.push(one);
    }
    this.#passed = kept;
  }
}

function merge(earlier: AdmittedRequests, later: AdmittedRequests): AdmittedRequests {
  const { requests, tokens } = earlier;
  return { at: later.at, requests: requests + later.requests, tokens: tokens + later.tokens };
}

/** Milliseconds until so many have left the span that the rest leaves room; 0 where there is room now. */
function untilFits(
  passed: readonly AdmittedRequests[],
  spanMs: number,
  now: number,
  fits: (left: { requests: number; tokens: number }) => boolean,
): number {
  const left = { requests: 0, tokens: 0 };
  for (const { requests, tokens } of passed) {
    left.requests += requests;
    left.tokens += tokens;
  }
  // What fits into no minute passes into an empty one.
  const hasRoom = () => left.requests === 0 || fits(left);
  if (hasRoom()) return 0;
  for (const { at, requests, tokens } of passed) {
    left.requests -= requests;
    left.tokens -= tokens;
    if (hasRoom()) return at + spanMs - now;
  }
  return 0;
}
