import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createClaims } from '../../engine/src/cluster/claims.ts';
import { workerClaim } from '../../engine/src/cluster/liveness.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { joinedSignals, type MemorySignals } from '../cluster/memory-signals.ts';
import { BASIC, playModels } from '../run/harness.ts';
import { MemoryQueue } from '../run/shared-harness.ts';

const WORKER = 'w0';
let dir: string;
let inner: Store;
let queue: MemoryQueue;
let app: App;
/** The claim of the process on its own name is written when the second one resolves. */
let reached: PromiseWithResolvers<void>;
let goesOn: PromiseWithResolvers<void>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-join-'));
  for (const [name, text] of Object.entries(BASIC)) {
    mkdirSync(join(dir, 'config', dirname(name)), { recursive: true });
    writeFileSync(join(dir, 'config', name), text);
  }
  [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  inner = openSqlite({ dir, synchronous: 'NORMAL' });
  queue = new MemoryQueue(systemClock);
  const store = withApply(inner, async (changes) => {
    const isOwn = changes.some(
      (change) => change.op === 'insert' && change.table === 'claim' && change.row.name === workerClaim(WORKER),
    );
    if (isOwn) {
      reached.resolve();
      await goesOn.promise;
    }
    await inner.apply(changes);
    queue.add(changes.filter((change) => change.op === 'wake'));
  });
  const [signals] = joinedSignals(1) as [MemorySignals];
  const about = { host: 'test', pid: 1, version: '0' };
  const claims = createClaims({ store, clock: systemClock, log: silentLogger, worker: WORKER, about, signals });
  app = await openApp({
    configDir: join(dir, 'config'),
    dataDir: join(dir, 'data'),
    env: () => 'sk-test-key',
    log: silentLogger,
    watch: false,
    role: 'start',
    models: playModels(() => ({ content: 'done' })),
    storeHandle: {
      store,
      shared: {
        worker: WORKER,
        queue: queue.of(WORKER),
        notifyStepped: () => {},
        onStepped: () => () => {},
        livenessOf: async () => 'dead',
        isAlive: () => claims.isHeld(workerClaim(WORKER)),
      },
      joined: { claims, signals, by: 'test', address: '' },
      close: () => claims.close(),
    },
  });
});

afterEach(async () => {
  goesOn.resolve();
  await app.close();
  await inner.close();
  rmSync(dir, { recursive: true, force: true });
});

async function begin(): Promise<string> {
  const trigger = { kind: 'message', message: 'do it' } as const;
  const request = { config: app.config.current(), directorId: 'boss', trigger, startedBy: 'test' };
  const { run, changes } = await createRun(app.deps, request);
  await app.deps.store.apply(changes);
  return run.id;
}

test('a process takes no run before others can see that it lives', async () => {
  const id = await begin();
  const started = app.start();
  await reached.promise;
  // Whatever is there to take it has had its turn.
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(queue.jobs).toMatchObject([{ run: id, tries: 0 }]);
  goesOn.resolve();
  await started;
  await expect.poll(() => inner.get('run', { id })).toMatchObject({ status: 'completed' });
});

test('a process that is closed before that takes none, and ends', async () => {
  await begin();
  const started = app.start();
  await reached.promise;
  const closed = app.close();
  expect(await started).toBe(0);
  goesOn.resolve();
  await closed;
  expect(queue.jobs).toMatchObject([{ tries: 0 }]);
});
