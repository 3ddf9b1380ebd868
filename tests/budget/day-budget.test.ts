import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { createIds } from '../../engine/src/base/id.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { Engine } from '../../engine/src/run/engine/engine.ts';
import { LocalMeters } from '../../engine/src/budget/local-meters.ts';
import type { Meters, AdmissionRequest } from '../../engine/src/budget/meters.ts';
import { SharedMeters } from '../../engine/src/budget/shared-meters.ts';
import { spendChange } from '../../engine/src/budget/spend.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { call, type Play, playModels, setStage } from '../run/harness.ts';
import { databaseAt, folderAt, move } from '../store/move/endpoints.ts';
import { touches, watchStore, type WatchedStore } from '../run/watched-store.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const HOUR_MS = 3_600_000;
const BUDGET = { maxTokens: 1_000_000 };

let server: PostgresServer | undefined;
beforeAll(async () => void (server = longPostgres === undefined ? undefined : await startPostgres()));
afterAll(async () => server?.remove());

let dir: string;
let clock: SimulatedClock;
let store: WatchedStore;
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-day-'));
  clock = new SimulatedClock(NOON);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(dir, { recursive: true, force: true });
});

async function openDatabase(url: string): Promise<Store> {
  const database = openPg(url);
  closing.push(() => database.close());
  const opened = await openPostgres({ database });
  closing.push(() => opened.close());
  return opened;
}

async function openFolder(at = dir): Promise<Store> {
  const opened = openSqlite({ dir: at, synchronous: 'NORMAL' });
  closing.push(() => opened.close());
  return opened;
}

/** Process after process on the store, of one kind. */
interface Kind {
  readonly name: string;
  readonly isLeftOut?: boolean;
  open(): Promise<Store>;
  meters(): Meters;
}

const local: Kind = { name: 'alone on SQLite', open: () => openFolder(), meters: () => new LocalMeters(store) };
const shared: Kind = {
  name: 'of several on SQLite',
  open: () => openFolder(),
  meters: () => new SharedMeters({ store, clock, log: silentLogger }),
};
const onPostgres: Kind = {
  ...shared,
  name: 'of several on PostgreSQL',
  isLeftOut: longPostgres === undefined,
  open: async () => openDatabase(await server!.createDatabase()),
};

/** A process begins; what the one before it had in memory is gone. */
async function begin(kind: Kind): Promise<Meters> {
  const meters = kind.meters();
  await meters.load(clock.now());
  return meters;
}

const wanted = (id: string, tokens: number, more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  root: id,
  machineId: id,
  request: '1.0',
  use: { tokens, cost: 0 },
  owners: [id],
  rates: [],
  day: BUDGET,
  isRepeat: false,
  ...more,
});

const POKE = {
  name: 'poke',
  family: 'poke',
  description: 'Pokes.',
  parameters: { type: 'object', properties: {} },
  effects: 'write' as const,
  repeat: 'key' as const,
};

/** A step that lets a request through, up to its commit. */
async function letThrough(meters: Meters, id: string, tokens: number, more?: Partial<AdmissionRequest>): Promise<void> {
  expect(await meters.reserve(wanted(id, tokens, more), clock.now())).toMatchObject({ kind: 'granted' });
}

/** What the step of a run does at its end. */
const commit = (meters: Meters, run: string) => store.apply(meters.rows(run));

/** A step that takes an answer, up to its commit. */
async function answered(meters: Meters, id: string, tokens: number): Promise<void> {
  meters.settle(id, { tokens, cost: 0 });
  await meters.stop();
}

/** How much of a budget another process would find used. */
async function used(kind: Kind): Promise<number> {
  const meters = await begin(kind);
  const day = { maxTokens: 0 };
  const verdict = await meters.reserve(wanted('asks', 1, { day }), clock.now());
  return verdict.kind === 'later' ? Number(/(\d+) of 0 tokens/.exec(verdict.limit)?.[1]) : 0;
}

const spent = (tokens: number) => ({ main: { turns: 1, inputTokens: tokens, outputTokens: 0, cost: 0 } });
const idAt = (ms: number) => createIds(new SimulatedClock(ms)).next('run');
const openRun = (id: string, tokens: number) => {
  const body = JSON.stringify({ facts: { spentBy: spent(tokens) } });
  const machine = { id, kind: 'run', version: '1', rev: 1, root: id, status: 'parked', body };
  return [
    { op: 'insert', table: 'run', row: { id, status: 'waiting', director: 'boss', mail: '', body: '{}' } },
    { op: 'insert', table: 'machine', row: machine },
  ] as const;
};

describe.each([local, shared, onPostgres])("the day's budget of processes $name", (kind) => {
  describe.skipIf(kind.isLeftOut === true)(kind.isLeftOut === true ? forPostgres.trim() : '', () => {
    beforeEach(async () => void (store = watchStore(await kind.open())));

    test('is what answers took, whether or not their runs have ended, and what requests under way may take', async () => {
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await letThrough(meters, 'b', 500);
      await commit(meters, 'b');
      await answered(meters, 'a', 30);
      await commit(meters, 'a');
      expect(await used(kind)).toBe(530);
    });

    test('counts one answer once, however often its step has to be made', async () => {
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      for (let n = 0; n < 3; n++) await answered(meters, 'a', 30);
      await commit(meters, 'a');
      expect(await used(kind)).toBe(30);
    });

    test('after a crash before the commit of a request counts it once when it is made', async () => {
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await letThrough(meters, 'b', 10);
      // The step of another request takes along what it finds.
      await commit(meters, 'b');
      const next = await begin(kind);
      await letThrough(next, 'a', 100);
      await commit(next, 'a');
      expect(await used(kind)).toBe(110);
    });

    test('after a crash after the commit of a request counts it, and the one made in its place', async () => {
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      const next = await begin(kind);
      await letThrough(next, 'a', 100, { isRepeat: true });
      await commit(next, 'a');
      await answered(next, 'a', 40);
      await commit(next, 'a');
      expect(await used(kind)).toBe(140);
    });

    test('is given back what a step took that could not be committed', async () => {
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      meters.undo('a');
      await letThrough(meters, 'b', 10);
      await meters.stop();
      await commit(meters, 'b');
      expect(await used(kind)).toBe(10);
    });

    test('begins anew at midnight UTC; what was let through before counts where it was', async () => {
      const meters = await begin(kind);
      clock.advance(12 * HOUR_MS - 1);
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      expect(await used(kind)).toBe(100);
      clock.advance(1);
      await letThrough(meters, 'b', 10);
      await answered(meters, 'a', 5000);
      await commit(meters, 'a');
      expect(await used(kind)).toBe(10);
    });

    test('is nothing at the start on another day', async () => {
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      clock.advance(24 * HOUR_MS);
      expect(await used(kind)).toBe(0);
    });

    test('is that of a row, and nothing else is read, however much was used', async () => {
      await store.apply([spendChange(NOON, idAt(NOON), 'boss', spent(300)), ...openRun(idAt(NOON - 1), 200)]);
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      const before = store.reads.length;
      expect(await used(kind)).toBe(600);
      expect(new Set(store.reads.slice(before))).toEqual(new Set(kind === local ? ['rate', 'counter'] : ['counter']));
    });

    test('of a day on which nobody counted yet is summed', async () => {
      const yesterday = NOON - 24 * HOUR_MS;
      await store.apply([
        spendChange(NOON, idAt(yesterday), 'boss', spent(300)),
        spendChange(yesterday, idAt(yesterday), 'boss', spent(7000)),
        ...openRun(idAt(NOON), 200),
        ...openRun(idAt(yesterday), 7000),
      ]);
      expect(await used(kind)).toBe(500);
    });

    test('of a day before which somebody counted is what has begun on it and was not counted', async () => {
      const yesterday = NOON - 24 * HOUR_MS;
      clock = new SimulatedClock(yesterday);
      const meters = await begin(kind);
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      clock = new SimulatedClock(NOON);
      await store.apply([
        spendChange(NOON, idAt(yesterday), 'boss', spent(7000)),
        spendChange(NOON, idAt(NOON - 1), 'boss', spent(300)),
        ...openRun(idAt(NOON), 200),
      ]);
      expect(await used(kind)).toBe(500);
    });

    test('counts a run once that ends while the sum is read', async () => {
      const id = idAt(NOON);
      await store.apply(openRun(id, 200));
      const { list } = store;
      store.list = async (table, query) => {
        const rows = await list(table, query);
        if (table === 'run') await store.apply([spendChange(NOON, id, 'boss', spent(250))]);
        return rows;
      };
      expect(await used(kind)).toBe(250);
    });

    test('lets nothing through while the store cannot say what was used, and counts all of it after that', async () => {
      await store.apply([spendChange(NOON, idAt(NOON), 'boss', spent(300))]);
      const meters = await begin(kind);
      const { list } = store;
      const down = new EngineError('STORE_FAILED', 'the server is away');
      store.list = (table, query) => (table === 'spend' ? Promise.reject(down) : list(table, query));
      await expect(meters.reserve(wanted('a', 100), clock.now())).rejects.toMatchObject({ code: 'STORE_FAILED' });
      store.list = list;
      await letThrough(meters, 'a', 100);
      await commit(meters, 'a');
      expect(await used(kind)).toBe(400);
    });
  });
});

describe('a process alone', () => {
  beforeEach(async () => void (store = watchStore(await openFolder())));
  const none = { day: undefined };

  test('writes nothing before a budget asks, and then counts what was under way by then', async () => {
    const meters = await begin(local);
    await letThrough(meters, 'a', 100, none);
    expect(meters.rows('a')).toEqual([]);
    await letThrough(meters, 'b', 10);
    await answered(meters, 'a', 70);
    await commit(meters, 'a');
    expect(await used(local)).toBe(80);
  });

  test('counts what is answered while the sum is read', async () => {
    const meters = await begin(local);
    await letThrough(meters, 'a', 100, none);
    const { list } = store;
    store.list = async (table, query) => {
      if (table === 'spend') {
        await answered(meters, 'a', 70);
        // A part of the sum is nobody's business: no step writes it.
        expect(meters.rows('a')).toEqual([]);
      }
      return list(table, query);
    };
    await letThrough(meters, 'b', 10);
    await commit(meters, 'b');
    expect(await used(local)).toBe(80);
  });

  test('goes on counting on a day on which the budget is taken away, so that it can be put back', async () => {
    let meters = await begin(local);
    await letThrough(meters, 'a', 100);
    await commit(meters, 'a');
    await letThrough(meters, 'b', 200, none);
    await commit(meters, 'b');
    meters = await begin(local);
    await letThrough(meters, 'c', 400, none);
    await commit(meters, 'c');
    expect(await used(local)).toBe(700);
  });

  test('bears the names of requests that are about to be written, and of no others', async () => {
    const meters = await begin(local);
    await letThrough(meters, 'a', 100);
    await letThrough(meters, 'b', 10);
    await commit(meters, 'a');
    const row = await store.get('counter', { name: 'day' });
    expect(JSON.parse(row!.body)).toMatchObject({ sum: { tokens: 110 }, names: [['b/1.0', expect.anything(), 10, 0]] });
  });

  test('sums once for two that ask at the same time', async () => {
    await store.apply([spendChange(NOON, idAt(NOON), 'boss', spent(300))]);
    const meters = await begin(local);
    await Promise.all(['a', 'b'].map((id) => letThrough(meters, id, 10)));
    await commit(meters, 'b');
    expect(store.reads.filter((table) => table === 'spend')).toHaveLength(1);
    expect(await used(local)).toBe(320);
  });
});

test.skipIf(longPostgres === undefined)(
  `the budget of a day moves with the store, there and back${forPostgres}`,
  { timeout: 60_000 },
  async () => {
    const url = await server!.createDatabase();
    const use = async (kind: Kind, opened: Store, id: string, tokens: number) => {
      store = watchStore(opened);
      const meters = await begin(kind);
      await letThrough(meters, id, 100);
      await commit(meters, id);
      await answered(meters, id, tokens);
      await commit(meters, id);
      const found = await used(kind);
      for (const close of closing.splice(0).reverse()) await close();
      return found;
    };
    const database = openPg(url);
    const back = mkdtempSync(join(dir, 'back-'));
    expect(await use(local, await openFolder(), 'a', 30)).toBe(30);
    await move(folderAt(dir), databaseAt(database));
    expect(await use(shared, await openDatabase(url), 'b', 40)).toBe(70);
    await move(databaseAt(database), folderAt(back));
    await database.close();
    expect(await use(local, await openFolder(back), 'c', 50)).toBe(120);
  },
);

test('each step that asks or is answered writes what is counted, and the last one says what all runs have used', async () => {
  // What a tool does outside comes back in a step of its own: the one that takes the answer asks nothing.
  const tool = { ...POKE, run: async () => 'poked' };
  const play: Play = ({ turn }) =>
    turn === 1
      ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] }
      : turn === 2
        ? { tool_calls: [call('b', 'poke', {})] }
        : { content: 'Done.' };
  const files = {
    'settings.yaml': 'budget: { maxTokensPerDay: 1000000 }\n',
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [poke]\npermissions: { allow: [poke] }\n',
  };
  const stage = await setStage({ clock, models: playModels(play), files, tools: [tool] });
  closing.push(() => stage.close());
  await stage.app.engine.stop();
  store = watchStore(stage.app.deps.store);
  const engine = new Engine({ ...stage.app.deps, store, meters: new LocalMeters(store) });
  await engine.start();
  const ids = await Promise.all(Array.from({ length: 12 }, () => stage.begin()));
  engine.queued();
  for (const id of ids) expect(await stage.ended(id)).toMatchObject({ usage: { turns: 3, inputTokens: 30 } });
  await engine.stop();
  const requests = store.lists.filter((changes) => touches(changes, 'event'));
  expect(requests).toHaveLength(12 * 5);
  expect(requests.every((changes) => touches(changes, 'counter'))).toBe(true);
  const revs = store.lists
    .flat()
    .flatMap((change) => (change.op === 'put' && change.table === 'counter' ? [change.row.rev] : []));
  expect(revs).toEqual(revs.toSorted((a, b) => a - b));
  expect(await used(local)).toBe(12 * 3 * 11);
});
