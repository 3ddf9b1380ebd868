import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { type App, openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { createRun } from '../../../engine/src/run/lifecycle/create.ts';
import { MODES } from '../../../engine/src/run/mode/registry.ts';
import { recordOf, type Run } from '../../../engine/src/run/run.ts';
import { readMessages } from '../../../engine/src/run/thread.ts';
import type { Change, Key, Query, Row, Store, TableName } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { BASIC, call, type Play, playModels, transcriptFaults } from '../harness.ts';

/** The version that the newer Callsheet writes its machines in. */
const NEXT = '99';

/** The store as a newer Callsheet uses it: its machines are of another version, and it also reads those of before. */
function newer(store: Store): Store {
  const isMachine = (table: TableName) => table === 'machine';
  const seen = <T extends TableName>(table: T, row: Row<T>): Row<T> => {
    if (!isMachine(table) || (row as Row<'machine'>).version !== NEXT) return row;
    return { ...row, version: MODES.get((row as Row<'machine'>).kind)?.machine.version };
  };
  const written = (change: Change): Change => {
    if (change.op === 'wake' || change.table !== 'machine' || change.op === 'delete') return change;
    if (change.op !== 'update') return { ...change, row: { ...change.row, version: NEXT } };
    return change.set.version === undefined ? change : { ...change, set: { ...change.set, version: NEXT } };
  };
  return {
    ...withApply(store, (changes) => store.apply(changes.map(written))),
    async get<T extends TableName>(table: T, key: Key<T>) {
      const row = await store.get(table, key);
      return row === undefined ? undefined : seen(table, row);
    },
    async list<T extends TableName>(table: T, query?: Query<T>) {
      return (await store.list(table, query)).map((row) => seen(table, row));
    },
  };
}

/** One process on the database. */
interface Side {
  readonly app: App;
  /** What it logged as an error. */
  readonly errors: string[];
  begin(directorId?: string): Promise<string>;
}

describe.skipIf(longPostgres === undefined)(`two versions at once on one database${forPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  let root: string;
  let apps: App[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    root = mkdtempSync(join(tmpdir(), 'callsheet-upgrade-'));
    const ask =
      'id: asks\nname: Asks\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n';
    for (const [name, text] of Object.entries({ ...BASIC, 'directors/asks.yaml': ask })) {
      mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
      writeFileSync(join(root, 'config', name), text);
    }
  });
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function open(who: 'old' | 'new', play: Play, role: 'start' | 'worker'): Promise<Side> {
    const errors: string[] = [];
    const log: Logger = { ...silentLogger, error: (message) => void errors.push(message) };
    const env = () => undefined;
    const storeHandle = await openSharedStore({ url, env, log, redactor: createRedactor(), version: who });
    const store = who === 'new' ? newer(storeHandle.store) : storeHandle.store;
    const app = await openApp({
      configDir: join(root, 'config'),
      dataDir: join(root, who),
      env: (name) => (name === 'KEY' ? 'sk-test-key' : undefined),
      log,
      watch: false,
      role,
      models: playModels(play),
      storeHandle: { ...storeHandle, store },
    });
    apps.push(app);
    const begin = async (directorId = 'boss') => {
      const config = app.config.current();
      const trigger = { kind: 'message' as const, message: 'do it' };
      const { run, changes } = await createRun(app.deps, { config, directorId, trigger, startedBy: 'test' });
      await app.deps.store.apply(changes);
      return run.id;
    };
    return { app, errors, begin };
  }

  async function until({ app }: Side, id: string, state: (run: Run) => boolean): Promise<Run> {
    const read = async () => recordOf((await app.deps.store.get('run', { id }))!).run;
    await expect.poll(async () => state(await read())).toBe(true);
    return read();
  }
  const isOver = ({ status }: Run) => ['completed', 'failed', 'cancelled'].includes(status);
  const says =
    (text: string): Play =>
    () => ({ content: text });

  test('the older one leaves alone what the newer one has begun, and finishes its own', async () => {
    const fresh = await open('new', says('by the new one'), 'start');
    const old = await open('old', says('by the old one'), 'worker');
    await old.app.start();
    const theirs = await fresh.begin();
    await expect.poll(() => old.errors).toContainEqual(expect.stringContaining('could not be taken over'));
    const own = await Promise.all([old.begin(), old.begin()]);
    for (const id of own)
      expect(await until(old, id, isOver)).toMatchObject({ status: 'completed', summary: 'by the old one' });
    expect(await old.app.deps.store.get('run', { id: theirs })).toMatchObject({ status: 'queued' });
    // It is told once, however often the look comes back.
    expect(old.errors).toHaveLength(1);
    await fresh.app.start();
    expect(await until(fresh, theirs, isOver)).toMatchObject({ status: 'completed', summary: 'by the new one' });
  });

  test('the newer one goes on with what the older one gives back as it stops, and that is then left to it', async () => {
    const asked = Promise.withResolvers<void>();
    const old = await open('old', () => (asked.resolve(), new Promise(() => {})), 'start');
    await old.app.start();
    const id = await old.begin();
    await asked.promise;
    const fresh = await open('new', says('by the new one'), 'worker');
    await fresh.app.start();
    apps = apps.filter((app) => app !== old.app);
    await old.app.close();
    const run = await until(fresh, id, isOver);
    expect(run).toMatchObject({ status: 'completed', summary: 'by the new one' });
    expect(transcriptFaults(await readMessages(fresh.app.deps.store, run.dirThreadId))).toEqual([]);
    const again = await open('old', says('never'), 'worker');
    expect((await again.app.deps.store.get('machine', { id }))?.version).toBe(NEXT);
  });

  test('what waits for a person since the older one is answered at the newer one', async () => {
    const play: Play = ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('c1', 'workspace_add_item', { label: 'x', mimeType: 'text/plain', data: 'x' })] }
        : { content: 'done' };
    const old = await open('old', play, 'start');
    await old.app.start();
    const id = await old.begin('asks');
    await until(old, id, ({ status }) => status === 'waiting');
    const fresh = await open('new', play, 'worker');
    const [approval] = await fresh.app.deps.store.list('approval');
    await fresh.app.engine.decide(approval!.id, { decision: 'allow', by: 'jane' });
    // The older one has the look, and cannot read the run any more.
    await expect.poll(() => old.errors).toContainEqual(expect.stringContaining('could not be taken over'));
    await fresh.app.start();
    expect((await until(fresh, id, isOver)).status).toBe('completed');
  });
});
