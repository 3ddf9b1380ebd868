/** Rate limits in a sliding window; an absent limit does not apply. */
export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** Admitted requests; `at` is the time of the last one, in epoch milliseconds. */
export interface AdmittedRequests {
  readonly at: number;
  readonly requests: number;
  readonly tokens: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Above this number, entries of one second or minute are merged. */
const MAX_SINGLE = 64;
/** A time further in the future was written with a wrong clock. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;

/**
 * Admitted requests of the last hour of an api or agent. Of `requestsPerMinute` + 1 requests in a row, the last is
 * admitted at least 60 s after the first; the hour works alike. The tokens of requests within 60 s stay within
 * `tokensPerMinute`, as far as they are known at each admission.
 *
 * The window has less than 130 entries at any rate: above 64, requests of one second (of one minute, when older than a
 * minute) are merged at the time of the last one. So a full minute may open up to a second late, and a full hour up to
 * a minute, but never early; with few requests both are exact to the millisecond.
 *
 * Time does not go back: with a clock that is behind, requests count from the last admitted one. If several machines
 * share a window and their clocks differ by `d`, the 60 seconds are at least 60 s − `d` of true time. A window more
 * than ten minutes in the future is moved back, so that a clock that was briefly wrong does not block requests for a
 * day.
 */
export class RateWindow {
  /** Oldest first. */
  #passed: AdmittedRequests[];

  /** `past` are the entries of an earlier process, oldest first. */
  constructor(past: readonly AdmittedRequests[] = []) {
    this.#passed = past.slice();
  }

  /** All entries, oldest first, for the next process. */
  get passed(): readonly AdmittedRequests[] {
    return this.#passed;
  }

  /**
   * Milliseconds until a request with about so many tokens fits, 0 if it does now. A request above the limit fits into
   * an empty minute.
   */
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

  /** Adds a request; returns the time from which it counts, which `correct` and `remove` take. */
  add(tokens: number, now: number): number {
    const at = this.#timeAt(now);
    const last = this.#passed.at(-1);
    const isEmpty = last?.requests === 0;
    if (last?.at === at || isEmpty) this.#passed[this.#passed.length - 1] = merge(last, { at, requests: 1, tokens });
    else this.#passed.push({ at, requests: 1, tokens });
    if (this.#passed.length > MAX_SINGLE) this.#compact(at);
    return at;
  }

  /** Corrects the tokens of a request once they are known; no effect after an hour. */
  correct(at: number, byTokens: number): void {
    this.#change(at, 0, byTokens);
  }

  /** Removes a request that was not sent. */
  remove(at: number, tokens: number): void {
    this.#change(at, -1, -tokens);
  }

  /** Requests and tokens since `from`, the start of a minute. */
  since(from: number): { requests: number; tokens: number } {
    let [requests, tokens] = [0, 0];
    for (const one of this.#passed) {
      if (one.at < from) continue;
      requests += one.requests;
      tokens += one.tokens;
    }
    return { requests, tokens };
  }

  /** Time of the window, never before its last request. Entries older than an hour are dropped. */
  #timeAt(now: number): number {
    const last = this.#passed.at(-1)?.at ?? now;
    const ahead = last - now;
    if (ahead > MAX_AHEAD_MS) this.#passed = this.#passed.map((one) => ({ ...one, at: one.at - ahead }));
    const time = ahead > MAX_AHEAD_MS ? now : Math.max(now, last);
    const first = this.#passed.findIndex(({ at }) => at > time - HOUR_MS);
    if (first !== 0) this.#passed = first < 0 ? [] : this.#passed.slice(first);
    return time;
  }

  /** A merged entry has the time of its last request, so a request is in the first entry that is not before it. */
  #change(at: number, byRequests: number, byTokens: number): void {
    const n = this.#passed.findIndex((one) => one.at >= at);
    const found = this.#passed[n];
    if (found === undefined) return;
    const requests = found.requests + byRequests;
    // The last entry stays, even if empty, so that time does not go back.
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

/** Milliseconds until enough entries have left the window; 0 where there is room now. */
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
  // A request above the limit fits into an empty minute.
  const hasRoom = () => left.requests === 0 || fits(left);
  if (hasRoom()) return 0;
  for (const { at, requests, tokens } of passed) {
    left.requests -= requests;
    left.tokens -= tokens;
    if (hasRoom()) return at + spanMs - now;
  }
  return 0;
}
