import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { createIds } from '../../engine/src/base/id.ts';
import { type Logger, silentLogger } from '../../engine/src/base/log.ts';
import type { Budget } from '../../engine/src/budget/budget.ts';
import type { RateLimits } from '../../engine/src/budget/rate-window.ts';
import type { AdmissionRequest } from '../../engine/src/budget/meters.ts';
import { SharedMeters } from '../../engine/src/budget/shared-meters.ts';
import { spendChange } from '../../engine/src/budget/spend.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { touches, watchStore, type WatchedStore } from '../run/watched-store.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let dir: string;
let store: WatchedStore;
let clock: SimulatedClock;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-limits-'));
  store = watchStore(openSqlite({ dir }));
  clock = new SimulatedClock(NOON);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** One process of several. */
const open = (options: { clock?: SimulatedClock; log?: Logger } = {}) =>
  new SharedMeters({ store, clock, log: silentLogger, ...options });
const some = (count: number) => Array.from({ length: count }, () => open());

let count = 0;
beforeEach(() => void (count = 0));

interface Asked {
  readonly id?: string;
  readonly limits?: RateLimits;
  readonly agent?: RateLimits;
  readonly day?: Budget;
  readonly tokens?: number;
  readonly cost?: number | null;
  readonly isRepeat?: boolean;
}

function wanted({
  id = `m${++count}`,
  limits,
  agent,
  day,
  tokens = 1,
  cost = 0,
  isRepeat = false,
}: Asked): AdmissionRequest {
  const rates = [
    ...(limits === undefined ? [] : [{ name: 'api main', limits }]),
    ...(agent === undefined ? [] : [{ name: 'agent helper', limits: agent }]),
  ];
  return { root: 'r', machineId: id, request: '1.0', use: { tokens, cost }, owners: [id], rates, day, isRepeat };
}

/** What comes of asking: 0 where it was let through, else the wait in milliseconds. */
async function ask(meters: SharedMeters, asked: Asked): Promise<number> {
  const verdict = await meters.reserve(wanted(asked), clock.now());
  return verdict.kind === 'granted' ? 0 : verdict.waitMs;
}

/** How many of `times` requests to each of several processes, all at once, are let through. */
async function race(processes: readonly SharedMeters[], times: number, asked: Asked): Promise<number> {
  const all = processes.flatMap((meters) => Array.from({ length: times }, () => ask(meters, asked)));
  return (await Promise.all(all)).filter((waitMs) => waitMs === 0).length;
}

const conflict = () => new EngineError('STORE_CONFLICT', 'somebody was faster');
const down = () => new EngineError('STORE_FAILED', 'the server is away');
const bodyOf = async (name: string) => (await store.get('counter', { name }))?.body ?? '';

describe('a limit of several processes', () => {
  test.each([2, 4])('lets as many through as it says, and no more, when %i of them race for it', async (many) => {
    const processes = some(many);
    const limits = { requestsPerMinute: 60 };
    expect(await race(processes, 40, { limits })).toBe(60);
    clock.advance(MINUTE_MS - 1);
    expect(await race(processes, 40, { limits })).toBe(0);
    clock.advance(1);
    expect(await race(processes, 40, { limits })).toBe(60);
  });

  test('holds while requests come little by little, with clocks that differ by seconds', async () => {
    const clocks = [0, -4000, 3000].map((offset) => new SimulatedClock(NOON + offset));
    const processes = clocks.map((own) => open({ clock: own }));
    const passed: number[] = [];
    for (let n = 0; n < 600; n++) {
      const waits = await Promise.all(processes.map((meters) => ask(meters, { limits: { requestsPerMinute: 20 } })));
      passed.push(...waits.filter((waitMs) => waitMs === 0).map(() => n * 500));
      for (const own of clocks) own.advance(500);
    }
    // The clocks differ by 7 s: so much less than a minute may lie between the 1st and the 21st request.
    const spans = passed.slice(20).map((at, n) => at - passed[n]!);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(MINUTE_MS - 7000);
    expect(passed.length).toBeGreaterThanOrEqual(20 * 4);
  });

  test('counts a request from when it is sent, not from when it was admitted', async () => {
    const [a, b] = some(2) as [SharedMeters, SharedMeters];
    const limits = { requestsPerMinute: 1 };
    expect(await ask(a, { id: 'x', limits })).toBe(0);
    clock.advance(900);
    expect(await a.send('x', clock.now())).toBe(0);
    await a.stop();
    clock.advance(MINUTE_MS);
    expect(await ask(b, { limits })).toBeGreaterThan(0);
    clock.advance(1000);
    expect(await ask(b, { limits })).toBe(0);
  });

  test('admits a request again that has waited so long that others took its room', async () => {
    const [a, b] = some(2) as [SharedMeters, SharedMeters];
    const limits = { requestsPerMinute: 1 };
    expect(await ask(a, { id: 'x', limits })).toBe(0);
    clock.advance(MINUTE_MS);
    expect(await ask(b, { id: 'y', limits })).toBe(0);
    expect(await b.send('y', clock.now())).toBe(0);
    await b.stop();
    const waitMs = await a.send('x', clock.now());
    expect(waitMs).toBeGreaterThanOrEqual(MINUTE_MS);
    clock.advance(waitMs);
    expect(await a.send('x', clock.now())).toBe(0);
    await a.stop();
    expect(await ask(b, { limits })).toBeGreaterThan(0);
  });

  test('is asked again in a second where the store is away when a request has waited', async () => {
    const [a] = some(1) as [SharedMeters];
    expect(await ask(a, { id: 'x', limits: { requestsPerMinute: 1 } })).toBe(0);
    clock.advance(5000);
    store.refuse = down;
    expect(await a.send('x', clock.now())).toBe(1000);
    store.refuse = () => undefined;
    expect(await a.send('x', clock.now())).toBe(0);
  });

  test('of tokens counts what others use, by estimate first and then as it is', async () => {
    const [a, b] = some(2) as [SharedMeters, SharedMeters];
    const limits = { tokensPerMinute: 1000 };
    expect(await ask(a, { id: 'x', limits, tokens: 700 })).toBe(0);
    expect(await ask(b, { limits, tokens: 400 })).toBeGreaterThan(0);
    a.settle('x', { tokens: 200, cost: 0 });
    await a.stop();
    expect(await ask(b, { limits, tokens: 400 })).toBe(0);
    expect(await ask(a, { limits, tokens: 401 })).toBeGreaterThan(0);
  });

  test('and another that has no room: neither counts the request', async () => {
    const [a, b] = some(2) as [SharedMeters, SharedMeters];
    const [limits, agent] = [{ requestsPerMinute: 2 }, { requestsPerHour: 1 }];
    expect(await ask(a, { limits, agent })).toBe(0);
    const verdict = await b.reserve(wanted({ limits, agent }), clock.now());
    expect(verdict).toMatchObject({ kind: 'later', limit: 'agent helper' });
    expect(await ask(b, { limits })).toBe(0);
    expect(await ask(a, { limits })).toBeGreaterThan(0);
  });

  test('spreads those that wait over some seconds', async () => {
    const meters = open();
    const limits = { requestsPerMinute: 1 };
    await ask(meters, { limits });
    const waits = await Promise.all(Array.from({ length: 100 }, () => ask(meters, { limits })));
    expect(new Set(waits).size).toBeGreaterThan(80);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(Math.max(...waits)).toBeLessThanOrEqual(MINUTE_MS * 1.1);
  });

  test('is one small row, whatever the rate', async () => {
    const meters = open();
    for (let n = 0; n < 130; n++) {
      clock.advance(n < 65 ? 55_000 : 900);
      await race([meters], 20, { limits: { requestsPerMinute: 1e9 } });
    }
    expect((await bodyOf('api main')).length).toBeLessThan(5000);
  });

  test('is updated once for all that ask meanwhile', async () => {
    const meters = open();
    await race([meters], 500, { limits: { requestsPerMinute: 300 } });
    expect(store.lists.length).toBeLessThanOrEqual(2);
    expect((await bodyOf('api main')).length).toBeLessThan(5000);
  });
});

describe('a reservation', () => {
  const limits = { requestsPerHour: 1 };

  test('is on disk before the request is let through', async () => {
    let isGranted = false;
    const meters = open();
    const { promise: isWritten, resolve: write } = Promise.withResolvers<void>();
    const apply = store.apply;
    store.apply = async (changes) => {
      await isWritten;
      expect(isGranted).toBe(false);
      await apply(changes);
    };
    const granted = ask(meters, { limits }).then((waitMs) => (isGranted = waitMs === 0));
    await new Promise((resolve) => setImmediate(resolve));
    write();
    expect(await granted).toBe(true);
    expect(await bodyOf('api main')).toContain('m1/1.0');
  });

  test('is taken over by the process that makes the same step, after the first one died before its commit', async () => {
    expect(await ask(open(), { id: 'x', limits })).toBe(0);
    clock.advance(20_000);
    expect(await ask(open(), { id: 'x', limits })).toBe(0);
    // It counts from when it was made at last.
    clock.advance(HOUR_MS - 1);
    expect(await ask(open(), { limits })).toBeGreaterThan(0);
    clock.advance(1);
    expect(await ask(open(), { limits })).toBe(0);
  });

  test('that is found again later needs room like any other', async () => {
    const minute = { requestsPerMinute: 1 };
    expect(await ask(open(), { id: 'x', limits: minute })).toBe(0);
    clock.advance(5 * MINUTE_MS);
    expect(await ask(open(), { id: 'y', limits: minute })).toBe(0);
    expect(await ask(open(), { id: 'x', limits: minute })).toBeGreaterThan(0);
  });

  test('counts beside that of a process which makes the request again, since it may have been made', async () => {
    expect(await ask(open(), { id: 'x', limits })).toBe(0);
    clock.advance(20_000);
    expect(await ask(open(), { id: 'x', limits, isRepeat: true })).toBeGreaterThan(0);
    clock.advance(HOUR_MS - 20_000);
    expect(await ask(open(), { id: 'x', limits })).toBe(0);
  });

  test('that nobody comes back for runs out', async () => {
    expect(await ask(open(), { limits })).toBe(0);
    clock.advance(HOUR_MS);
    expect(await ask(open(), { limits })).toBe(0);
  });

  test('is found again where the store took it and could not say so', async () => {
    const meters = open();
    const { apply } = store;
    store.apply = async (changes) => {
      store.apply = apply;
      await apply(changes);
      throw down();
    };
    await expect(ask(meters, { id: 'x', limits })).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(await ask(meters, { id: 'x', limits })).toBe(0);
  });

  test('is taken back with the step that is not committed', async () => {
    const meters = open();
    expect(await ask(meters, { id: 'x', limits })).toBe(0);
    meters.undo('x');
    expect(meters.underWay('r')).toEqual([]);
    expect(await ask(meters, { id: 'y', limits })).toBe(0);
  });

  test('stays, and nothing fails, where the store cannot take what was used', async () => {
    const warned: unknown[] = [];
    const meters = open({ log: { ...silentLogger, warn: (_, fields) => void warned.push(fields) } });
    await ask(meters, { id: 'x', limits: { tokensPerMinute: 100 }, tokens: 90 });
    store.refuse = down;
    meters.settle('x', { tokens: 1, cost: 0 });
    await meters.stop();
    store.refuse = () => undefined;
    expect(warned).toEqual([{ machine: 'x', limits: 'api main', code: 'STORE_FAILED', error: 'the server is away' }]);
    expect(await ask(meters, { limits: { tokensPerMinute: 100 }, tokens: 20 })).toBeGreaterThan(0);
  });

  test('is not made where the store refuses', async () => {
    const meters = open();
    store.refuse = down;
    await expect(ask(meters, { limits })).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(meters.underWay('r')).toEqual([]);
  });

  test('gives way as often as somebody is faster', async () => {
    const meters = open();
    let left = 20;
    store.refuse = () => (left-- > 0 ? conflict() : undefined);
    expect(await ask(meters, { limits })).toBe(0);
    expect(await ask(meters, { limits })).toBeGreaterThan(0);
  });
});

describe('the budget of a day', () => {
  const day = { maxTokens: 1000 };
  const idOf = (ms: number) => createIds(new SimulatedClock(ms)).next('run');
  const machine = (id: string, tokens: number) => {
    const spentBy = { main: { turns: 1, inputTokens: tokens, outputTokens: 0, cost: 0 } };
    const body = JSON.stringify({ facts: { spentBy } });
    return [
      { op: 'insert', table: 'run', row: { id, status: 'waiting', director: 'boss', mail: '', body: '{}' } },
      {
        op: 'insert',
        table: 'machine',
        row: { id, kind: 'run', version: '1', rev: 1, root: id, status: 'parked', body },
      },
    ] as const;
  };

  test('counts what all processes may be using, and then what they used', async () => {
    const [a, b] = some(2) as [SharedMeters, SharedMeters];
    expect(await ask(a, { id: 'x', day, tokens: 600 })).toBe(0);
    expect(await ask(b, { id: 'y', day, tokens: 600 })).toBeGreaterThan(0);
    a.settle('x', { tokens: 100, cost: 0 });
    await a.stop();
    expect(await ask(b, { id: 'y', day, tokens: 600 })).toBe(0);
    b.settle('y', { tokens: 800, cost: 0 });
    await b.stop();
    expect(await ask(a, { day, tokens: 101 })).toBeGreaterThan(0);
    expect(await ask(a, { day, tokens: 100 })).toBe(0);
  });

  test('is not overdrawn by processes that race for it', async () => {
    expect(await race(some(4), 30, { day, tokens: 10 })).toBe(100);
  });

  test('opens with the next UTC day, and what was begun before counts where it began', async () => {
    const meters = open();
    clock.advance(11 * HOUR_MS);
    expect(await ask(meters, { id: 'x', day, tokens: 900 })).toBe(0);
    const waitMs = await ask(meters, { day, tokens: 900 });
    expect(waitMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(waitMs).toBeLessThanOrEqual(HOUR_MS + MINUTE_MS);
    clock.advance(HOUR_MS);
    expect(await ask(meters, { id: 'y', day, tokens: 900 })).toBe(0);
    meters.settle('x', { tokens: 5000, cost: 0 });
    meters.settle('y', { tokens: 10, cost: 0 });
    await meters.stop();
    expect(await ask(meters, { day, tokens: 990 })).toBe(0);
  });

  test('does not count again what a run used yesterday that ends today', async () => {
    const meters = open();
    await ask(meters, { day, tokens: 900 });
    clock.advance(12 * HOUR_MS);
    const spent = { main: { turns: 1, inputTokens: 900, outputTokens: 0, cost: 0 } };
    await store.apply([spendChange(clock.now(), idOf(NOON), 'boss', spent)]);
    expect(await ask(meters, { day, tokens: 1000 })).toBe(0);
  });

  test('does not turn back where a clock is behind', async () => {
    clock.advance(12 * HOUR_MS);
    expect(await ask(open(), { day, tokens: 900 })).toBe(0);
    const behind = open({ clock: new SimulatedClock(clock.now() - 5000) });
    expect(await ask(behind, { day, tokens: 200 })).toBeGreaterThan(24 * HOUR_MS);
  });

  test('counts no price that is not known as nothing', async () => {
    const meters = open();
    const costs = { maxCost: 5 };
    expect(await ask(meters, { id: 'x', day: costs, cost: 1 })).toBe(0);
    expect(await ask(meters, { day: costs, cost: null })).toBeGreaterThan(0);
    meters.settle('x', { tokens: 1, cost: null });
    await meters.stop();
    const verdict = await meters.reserve(wanted({ day: costs, cost: 1 }), clock.now());
    expect(verdict).toMatchObject({ kind: 'later', limit: expect.stringContaining('price of the model is not known') });
  });

  test('is filled to the last cent by costs that have no exact binary form', async () => {
    const meters = open();
    for (let n = 0; n < 10; n++) {
      expect(await ask(meters, { id: `x${n}`, day: { maxCost: 1 }, cost: 0.3 })).toBe(0);
      meters.settle(`x${n}`, { tokens: 1, cost: 0.07 });
      await meters.stop();
    }
    expect(await ask(meters, { day: { maxCost: 1 }, cost: 0.3 })).toBe(0);
  });

  test('does not count on one day what a run that still waits has used on others', async () => {
    const meters = open();
    await store.apply(machine(idOf(NOON - HOUR_MS), 900));
    expect(await ask(meters, { day, tokens: 400 })).toBeGreaterThan(0);
    for (let n = 0; n < 3; n++) {
      clock.advance(24 * HOUR_MS * (n + 1));
      expect(await ask(meters, { day, tokens: 1000 })).toBe(0);
    }
  });

  test('takes what a request used once, however often it is told', async () => {
    const meters = open();
    await ask(meters, { id: 'x', day, tokens: 600 });
    for (let n = 0; n < 3; n++) meters.settle('x', { tokens: 500, cost: 0 });
    await meters.stop();
    expect(await ask(meters, { day, tokens: 500 })).toBe(0);
  });

  test('is given back what was kept free for a request that was dropped', async () => {
    const meters = open();
    await ask(meters, { id: 'x', day, tokens: 1000 });
    meters.release('x');
    await meters.stop();
    expect(await ask(meters, { day, tokens: 1000 })).toBe(0);
  });

  test('begins with what runs of today have used so far, where nobody has counted yet, and looks once', async () => {
    const spent = (tokens: number) => ({ main: { turns: 1, inputTokens: tokens, outputTokens: 0, cost: 0 } });
    // Two that ended, today and yesterday; two that have not, begun today and a month ago.
    await store.apply([
      spendChange(NOON, 'run_1', 'boss', spent(300)),
      spendChange(NOON - 24 * HOUR_MS, 'run_2', 'boss', spent(500)),
      ...machine(idOf(NOON), 200),
      ...machine(idOf(NOON - 30 * 24 * HOUR_MS), 500),
    ]);
    const [a, b] = some(2) as [SharedMeters, SharedMeters];
    expect(await ask(a, { day, tokens: 501 })).toBeGreaterThan(0);
    expect(await ask(b, { day, tokens: 500 })).toBe(0);
    expect(store.reads.filter((table) => table === 'spend')).toHaveLength(1);
  });
});

test('where nothing is limited nothing is read or written', async () => {
  const meters = open();
  await meters.load();
  expect(await ask(meters, { id: 'x' })).toBe(0);
  expect(meters.underWay('r')).toMatchObject([{ machineId: 'x' }]);
  meters.settle('x', { tokens: 5, cost: null });
  meters.release('x');
  await meters.stop();
  expect(store.reads).toEqual([]);
  expect(store.lists).toEqual([]);
});

test('what was used is written after a moment, and with the next request', async () => {
  const meters = open();
  const limits = { requestsPerMinute: 10 };
  for (const id of ['x', 'y']) await ask(meters, { id, limits });
  const before = store.lists.length;
  meters.settle('x', { tokens: 5, cost: 0 });
  await ask(meters, { limits });
  expect(store.lists).toHaveLength(before + 1);
  meters.settle('y', { tokens: 5, cost: 0 });
  clock.advance(50);
  await meters.stop();
  expect(store.lists).toHaveLength(before + 2);
  expect(store.lists.every((changes) => touches(changes, 'counter'))).toBe(true);
});

describe.skipIf(longPostgres === undefined)(`on a PostgreSQL with a connection a process${forPostgres}`, () => {
  let server: PostgresServer;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('as many are let through as the limits say, and no more', async () => {
    const url = await server.createDatabase();
    const processes: SharedMeters[] = [];
    for (let n = 0; n < 4; n++) {
      const database = openPg(url);
      closing.push(() => database.close());
      const own = await openPostgres({ database });
      closing.push(() => own.close());
      processes.push(new SharedMeters({ store: own, clock, log: silentLogger }));
    }
    const limits = { requestsPerMinute: 150 };
    for (const day of [{ maxTokens: 1e9 }, undefined]) {
      // Little by little, so that many updates meet and not one a process.
      const some = Array.from({ length: 40 }, () => race(processes, 2, { limits, ...(day && { day }) }));
      expect((await Promise.all(some)).reduce((sum, passed) => sum + passed, 0)).toBe(150);
      clock.advance(MINUTE_MS);
    }
    const waves: number[] = [];
    for (let n = 0; n < 40; n++) waves.push(await race(processes, 2, { limits }));
    expect(waves.reduce((sum, passed) => sum + passed)).toBe(150);
  });
});
