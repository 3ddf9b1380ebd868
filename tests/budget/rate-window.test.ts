import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RateLimits, RateWindow } from '../../engine/src/budget/rate-window.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A failure is made smaller no longer than that. */
const PATIENCE = { interruptAfterTimeLimit: 20_000 };

describe('a window', () => {
  const fill = (...at: number[]) => new RateWindow(at.map((ms) => ({ at: ms, requests: 1, tokens: 100 })));

  test.each<{ name: string; window: RateWindow; limits: RateLimits; tokens?: number; now: number; wait: number }>([
    { name: 'lets the first request pass', window: fill(), limits: { requestsPerMinute: 1 }, now: 1000, wait: 0 },
    {
      name: 'makes the next one wait until the first has left the minute',
      window: fill(1000),
      limits: { requestsPerMinute: 1 },
      now: 31_000,
      wait: 30_000,
    },
    {
      name: 'waits for the one that makes room, not for all',
      window: fill(1000, 2000, 3000),
      limits: { requestsPerMinute: 2 },
      now: 4000,
      wait: 58_000,
    },
    {
      name: 'counts the hour too',
      window: fill(0, 1000),
      limits: { requestsPerHour: 2 },
      now: 3_000_000,
      wait: 600_000,
    },
    {
      name: 'counts tokens',
      window: fill(1000, 2000),
      limits: { tokensPerMinute: 250 },
      tokens: 100,
      now: 3000,
      wait: 58_000,
    },
    {
      name: 'lets a request that is too large for any minute pass into an empty one',
      window: fill(),
      limits: { tokensPerMinute: 50 },
      tokens: 100,
      now: 1,
      wait: 0,
    },
    {
      name: 'forgets what is older than an hour',
      window: fill(1),
      limits: { requestsPerHour: 1 },
      now: 3_700_000,
      wait: 0,
    },
    {
      name: 'takes the longest of several waits',
      window: fill(1000),
      limits: { requestsPerMinute: 1, requestsPerHour: 1 },
      now: 2000,
      wait: 3_599_000,
    },
  ])('$name', ({ window, limits, tokens = 1, now, wait }) => {
    expect(window.waitMs(limits, tokens, now)).toBe(wait);
  });

  test('puts the tokens right once they are known', () => {
    const window = new RateWindow();
    const at = window.add(1000, 5000);
    expect(window.since(0)).toEqual({ requests: 1, tokens: 1000 });
    window.correct(at, 10 - 1000);
    expect(window.since(0)).toEqual({ requests: 1, tokens: 10 });
    expect(window.waitMs({ tokensPerMinute: 100 }, 90, 5001)).toBe(0);
  });

  test('takes out a request that is not made after all', () => {
    const window = fill(1000);
    const at = window.add(7, 2000);
    window.remove(at, 7);
    expect(window.since(0)).toEqual({ requests: 1, tokens: 100 });
    expect(window.waitMs({ requestsPerMinute: 2 }, 1, 2000)).toBe(0);
  });

  test('counts a request as of the last one where the clock is behind', () => {
    const window = fill(10_000);
    expect(window.add(1, 4000)).toBe(10_000);
    expect(window.waitMs({ requestsPerMinute: 1 }, 1, 4000)).toBe(66_000);
  });

  test('is not shut for a day by a clock that was a day ahead for a moment', () => {
    const day = 24 * HOUR_MS;
    const window = fill(day, day + 1000);
    expect(window.waitMs({ requestsPerMinute: 2 }, 1, 1000)).toBe(59_000);
  });
});

/** What a window promises, kept as a plain list of all that it let through. */
class PlainList {
  readonly passed: { at: number; tokens: number }[] = [];

  /** Whether a request fits if every one before had been `lateMs` later, in the hour `lateInHourMs`. */
  fits(limits: Required<RateLimits>, tokens: number, now: number, lateMs = 0, lateInHourMs = 0): boolean {
    const minute = this.passed.filter(({ at }) => at + lateMs > now - MINUTE_MS);
    const hour = this.passed.filter(({ at }) => at + lateInHourMs > now - HOUR_MS);
    const used = minute.reduce((sum, one) => sum + one.tokens, 0);
    return (
      minute.length < limits.requestsPerMinute &&
      hour.length < limits.requestsPerHour &&
      (minute.length === 0 || used + tokens <= limits.tokensPerMinute)
    );
  }
}

interface Asked {
  readonly gapMs: number;
  readonly behindMs: number;
  readonly tokens: number;
  /** What it turns out to have used, or undefined while it is under way. */
  readonly actual: number | undefined;
  readonly isMade: boolean;
}

const askedWithin = (gapMs: number) =>
  fc.record<Asked>({
    gapMs: fc.nat(gapMs),
    behindMs: fc.oneof(fc.constant(0), fc.nat(5000)),
    tokens: fc.nat(100),
    actual: fc.option(fc.nat(200), { nil: undefined }),
    isMade: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  });
/** Bursts, and stretches of a steady pace: so many within a second, a minute, an hour that they are kept together. */
const stretch = fc
  .constantFrom(0, 30, 1500, 40_000, HOUR_MS)
  .chain((gapMs) => fc.array(askedWithin(gapMs), { minLength: 1, maxLength: 250, size: 'max' }));
const requests = fc.array(stretch, { minLength: 1, maxLength: 4, size: 'max' }).map((lists) => lists.flat());
const limited = fc.record({
  requestsPerMinute: fc.integer({ min: 1, max: 200 }),
  requestsPerHour: fc.integer({ min: 1, max: 400 }),
  tokensPerMinute: fc.oneof(fc.integer({ min: 50, max: 6000 }), fc.constant(1e6)),
});

describe('a window against a plain list of times', () => {
  const run = (list: readonly Asked[], check: (one: Moment) => void) => {
    const plain = new PlainList();
    let window = new RateWindow();
    let time = 1_760_000_000_000;
    let latest = 0;
    for (const one of list) {
      time += one.gapMs;
      // Another process has it next, and its clock may be behind.
      window = new RateWindow(JSON.parse(JSON.stringify(window.passed)) as RateWindow['passed']);
      const now = time - one.behindMs;
      latest = Math.max(latest, now);
      check({ window, plain, one, now, latest });
    }
  };
  interface Moment {
    readonly window: RateWindow;
    readonly plain: PlainList;
    readonly one: Asked;
    readonly now: number;
    /** By the clock of all that is furthest. */
    readonly latest: number;
  }
  /** Lets a request through in both. */
  const pass = ({ window, plain, one, now }: Moment): void => {
    const at = window.add(one.tokens, now);
    if (!one.isMade) return window.remove(at, one.tokens);
    plain.passed.push({ at, tokens: one.actual ?? one.tokens });
    window.correct(at, (one.actual ?? one.tokens) - one.tokens);
  };

  test('lets nothing through that the limits forbid, whatever the rate and whoever is behind', () => {
    const property = fc.property(limited, requests, (limits, list) =>
      run(list, (moment) => {
        const { window, plain, one, now, latest } = moment;
        if (window.waitMs(limits, one.tokens, now) > 0) return;
        expect(plain.fits(limits, one.tokens, latest)).toBe(true);
        pass(moment);
        expect(window.passed.length).toBeLessThan(130);
      }),
    );
    fc.assert(property, { numRuns: 150, ...PATIENCE });
  });

  test('opens at most a second late, an hour a minute, and on time where there are few', () => {
    const property = fc.property(limited, requests, (limits, list) =>
      run(list, (moment) => {
        const { window, plain, one, now } = moment;
        const at = Math.max(now, plain.passed.at(-1)?.at ?? 0);
        const isFew = plain.passed.filter((past) => past.at > at - 2 * HOUR_MS).length < 63;
        const isOpen = window.waitMs(limits, one.tokens, now) === 0;
        const late = isFew ? [0, 0] : [1000, MINUTE_MS];
        if (plain.fits(limits, one.tokens, at, ...late)) expect(isOpen).toBe(true);
        if (isOpen) pass(moment);
      }),
    );
    fc.assert(property, { numRuns: 150, ...PATIENCE });
  });

  test('has room after the wait that it gives', () => {
    const property = fc.property(limited, requests, (limits, list) =>
      run(list, (moment) => {
        const { window, one, now } = moment;
        const waitMs = window.waitMs(limits, one.tokens, now);
        if (waitMs === 0) return pass(moment);
        expect(new RateWindow(window.passed).waitMs(limits, one.tokens, now + waitMs)).toBe(0);
        expect(new RateWindow(window.passed).waitMs(limits, one.tokens, now + waitMs - 1)).toBeGreaterThan(0);
      }),
    );
    fc.assert(property, { numRuns: 100, ...PATIENCE });
  });
});
