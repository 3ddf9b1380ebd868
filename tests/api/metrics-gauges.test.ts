import { afterEach, beforeEach, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { MetricsGauges } from '../../engine/src/api/metrics-gauges.ts';
import { workerClaim } from '../../engine/src/cluster/liveness.ts';
import type { ClusterDependencies } from '../../engine/src/run/dependencies.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';

let dir: string;
let store: Store;
let clock: SimulatedClock;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-figures-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
  clock = new SimulatedClock();
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Figures of a process that shares the store. */
function figures(): MetricsGauges {
  const stats = async () => ({ ready: 3, oldestMs: 1500, deferred: 20, active: 2 });
  const shared: ClusterDependencies = {
    worker: 'w1',
    queue: { enqueue: async () => {}, work: async () => {}, stop: async () => {}, stats },
    notifyStepped: () => {},
    onStepped: () => () => {},
    livenessOf: async () => 'alive',
    isAlive: () => true,
  };
  const fetcher = { status: () => ({ state: 'running' as const, isFetching: false, everySeconds: 60, accounts: [] }) };
  const engine = { load: () => ({ working: 4, effects: 5, inMemory: 6 }) };
  return new MetricsGauges({ deps: { store, clock, log: silentLogger, shared }, engine, whole: { fetcher } });
}

async function read(from: MetricsGauges): Promise<Record<string, number>> {
  const all = (await from.read()).flatMap(({ name, values }) =>
    values.map(({ labels = {}, value }) => [[name, ...Object.values(labels)].join(' '), value] as const),
  );
  return Object.fromEntries(all);
}

const sign = (worker: string, rev: number) =>
  store.apply([{ op: 'put', table: 'claim', row: { name: workerClaim(worker), worker, rev, body: '{}' } }]);

test('the queue is that of all processes, what is in hand that of this one', async () => {
  expect(await read(figures())).toMatchObject({
    'callsheet_queue_jobs ready': 3,
    'callsheet_queue_jobs deferred': 20,
    'callsheet_queue_jobs active': 2,
    'callsheet_queue_oldest_age_seconds': 1.5,
    'callsheet_runs_in_hand': 4,
    'callsheet_effects_in_hand': 5,
  });
});

test('workers are those that were seen to show a sign of life, until they have shown none for a while', async () => {
  const from = figures();
  await sign('a', 1);
  await sign('dead', 7);
  await store.apply([{ op: 'put', table: 'claim', row: { name: 'config', worker: 'a', rev: 1, body: '{}' } }]);
  expect((await read(from))['callsheet_workers']).toBe(0);
  clock.advance(15_000);
  await sign('a', 4);
  expect((await read(from))['callsheet_workers']).toBe(1);
  clock.advance(15_000);
  expect((await read(from))['callsheet_workers']).toBe(1);
  clock.advance(15_000);
  expect((await read(from))['callsheet_workers']).toBe(0);
});

test('a store that does not answer holds nobody up for long', async () => {
  const from = figures();
  const hung = new Promise<never>(() => {});
  store.count = () => hung;
  const asked = from.read();
  await Promise.resolve();
  clock.advance(5_000);
  expect((await asked).map(({ name }) => name)).toEqual([
    'callsheet_runs_in_hand',
    'callsheet_effects_in_hand',
    'callsheet_store_up',
  ]);
});
