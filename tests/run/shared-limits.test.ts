import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { EMPTY, take, waitMs } from '../../engine/src/guard/buckets.ts';
import type { Demand } from '../../engine/src/run/meters.ts';
import { SharedMeters } from '../../engine/src/run/shared-meters.ts';
import { openSqlite } from '../../engine/src/store/sqlite.ts';
import type { Store } from '../../engine/src/store/store.ts';

const DAY_MS = 86_400_000;
/** Noon of a UTC day. */
const NOON = 20_000 * DAY_MS + DAY_MS / 2;

let dir: string;
let store: Store;
let clock: SimulatedClock;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-limits-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
  clock = new SimulatedClock(NOON);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const processes = (count: number) =>
  Array.from({ length: count }, () => new SharedMeters({ store, clock, log: silentLogger }));

let requests = 0;
function demand(more: Partial<Demand> = {}): Demand {
  const limits = [{ name: 'api main', rates: { requestsPerMinute: 10 } }];
  const now = clock.now();
  return {
    machine: `m${requests++}`,
    request: '1.0',
    limits,
    day: undefined,
    use: { tokens: 100, cost: 0 },
    now,
    ...more,
  };
}

describe('stretches of time', () => {
  test('never let more pass within a window than its limit, and wait no longer than a stretch too long', () => {
    const times = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 8 }), (gaps, limit) => {
        const passed: number[] = [];
        let buckets = EMPTY;
        let now = NOON;
        for (const gap of gaps) {
          now += gap;
          const wait = waitMs(buckets, { requestsPerMinute: limit }, 1, now);
          const recent = passed.filter((at) => at > now - 60_000);
          if (wait === 0) {
            expect(recent.length).toBeLessThan(limit);
            passed.push(now);
            buckets = take(buckets, 1, now);
          } else {
            // As many passed within a window that is one second longer.
            expect(passed.filter((at) => at > now - 61_000).length).toBeGreaterThanOrEqual(limit);
            expect(waitMs(buckets, { requestsPerMinute: limit }, 1, now + wait)).toBe(0);
          }
        }
      }),
    );
  });

  test('never let more tokens pass within a minute than the limit', () => {
    const asks = fc.array(fc.tuple(fc.nat(15_000), fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(asks, (list) => {
        const passed: { at: number; tokens: number }[] = [];
        let buckets = EMPTY;
        let now = NOON;
        for (const [gap, tokens] of list) {
          now += gap;
          if (waitMs(buckets, { tokensPerMinute: 100 }, tokens, now) > 0) continue;
          passed.push({ at: now, tokens });
          buckets = take(buckets, tokens, now);
          const recent = passed.filter(({ at }) => at > now - 60_000);
          expect(recent.reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  test('stay few, however many requests there are', () => {
    let buckets = EMPTY;
    for (let n = 0; n < 20_000; n++) buckets = take(buckets, 5, NOON + n * 250);
    expect(buckets.seconds.length).toBeLessThanOrEqual(62);
    expect(buckets.minutes.length).toBeLessThanOrEqual(62);
  });
});

describe('limits over several processes', () => {
  test('let exactly as many requests pass as one process would, however they race', async () => {
    const meters = processes(4);
    const verdicts = await Promise.all(Array.from({ length: 60 }, (_, n) => meters[n % 4]!.admit(demand())));
    expect(verdicts.filter(({ kind }) => kind === 'granted')).toHaveLength(10);
    for (const verdict of verdicts) if (verdict.kind === 'later') expect(verdict.waitMs).toBeGreaterThan(59_000);
    clock.advance(61_000);
    expect((await meters[3]!.admit(demand())).kind).toBe('granted');
  });

  test('count tokens of all of them, and put them right when the answer is there', async () => {
    const [a, b] = processes(2);
    const limits = [{ name: 'api main', rates: { tokensPerMinute: 1000 } }];
    const first = demand({ limits, use: { tokens: 900, cost: 0 } });
    expect((await a!.admit(first)).kind).toBe('granted');
    expect((await b!.admit(demand({ limits }))).kind).toBe('granted');
    expect((await b!.admit(demand({ limits }))).kind).toBe('later');
    a!.settle({ ...first, actual: { tokens: 300, cost: 0 } });
    await expect.poll(async () => (await b!.admit(demand({ limits }))).kind).toBe('granted');
  });

  test('count a request once that is asked for again, by whichever process goes on with it', async () => {
    const [a, b] = processes(2);
    const limits = [{ name: 'agent reply', rates: { requestsPerHour: 2 } }];
    const one = demand({ limits });
    for (const meters of [a, a, b, b]) expect((await meters!.admit(one)).kind).toBe('granted');
    expect((await b!.admit(demand({ limits }))).kind).toBe('granted');
    expect((await a!.admit(demand({ limits }))).kind).toBe('later');
  });

  test('refuse a request by all of its limits or by none', async () => {
    const [a] = processes(1);
    const narrow = { name: 'agent reply', rates: { requestsPerMinute: 1 } };
    const wide = { name: 'api main', rates: { requestsPerMinute: 3 } };
    expect((await a!.admit(demand({ limits: [wide, narrow] }))).kind).toBe('granted');
    for (let n = 0; n < 5; n++)
      expect(await a!.admit(demand({ limits: [wide, narrow] }))).toMatchObject({ kind: 'later', limit: 'agent reply' });
    expect((await a!.admit(demand({ limits: [wide] }))).kind).toBe('granted');
    expect((await a!.admit(demand({ limits: [wide] }))).kind).toBe('granted');
    expect((await a!.admit(demand({ limits: [wide] }))).kind).toBe('later');
  });

  test('ask nothing of the store where there is no limit', async () => {
    const broken = new Proxy(store, {
      get() {
        throw new Error('the store was asked');
      },
    });
    const meters = new SharedMeters({ store: broken, clock, log: silentLogger });
    const free = demand({ limits: [] });
    expect(await meters.admit(free)).toEqual({ kind: 'granted', changes: [] });
    meters.settle({ ...free, actual: free.use });
    meters.drop(free.machine);
  });
});

describe("the day's budget over several processes", () => {
  const day = { maxTokens: 1000 };
  const big = () => demand({ limits: [], day, use: { tokens: 400, cost: 0 } });

  test('counts what is under way in all of them, and then what it took', async () => {
    const [a, b] = processes(2);
    const first = big();
    expect((await a!.admit(first)).kind).toBe('granted');
    expect((await b!.admit(big())).kind).toBe('granted');
    const refused = await a!.admit(big());
    expect(refused).toMatchObject({ kind: 'later', limit: expect.stringContaining('day budget') as string });
    expect(refused.kind === 'later' && refused.waitMs).toBeGreaterThanOrEqual(DAY_MS / 2);
    a!.settle({ ...first, actual: { tokens: 100, cost: 0 } });
    await expect.poll(async () => (await a!.admit(big())).kind).toBe('granted');
  });

  test('begins with what is booked already, and anew with the next day', async () => {
    const spent = { turns: 1, inputTokens: 500, outputTokens: 300, cost: 0 };
    const today = new Date(NOON).toISOString().slice(0, 10);
    const body = JSON.stringify({ directorId: 'boss', apis: { main: spent } });
    await store.apply([{ op: 'put', table: 'spend', row: { day: today, run: 'run_1', body } }]);
    const [a] = processes(1);
    expect((await a!.admit(big())).kind).toBe('later');
    clock.advance(DAY_MS / 2);
    expect((await a!.admit(big())).kind).toBe('granted');
  });

  test('frees what a dropped request had reserved', async () => {
    const [a] = processes(1);
    const [first, second] = [big(), big()];
    await a!.admit(first);
    await a!.admit(second);
    expect((await a!.admit(big())).kind).toBe('later');
    a!.drop(first.machine);
    await expect.poll(async () => (await a!.admit(big())).kind).toBe('granted');
  });

  test('is never passed by many at once', async () => {
    const meters = processes(4);
    const small = () => demand({ limits: [], day, use: { tokens: 30, cost: 0 } });
    const verdicts = await Promise.all(Array.from({ length: 80 }, (_, n) => meters[n % 4]!.admit(small())));
    expect(verdicts.filter(({ kind }) => kind === 'granted')).toHaveLength(33);
  });
});
