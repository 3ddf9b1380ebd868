import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DueSchedules } from '../../engine/src/intake/due/schedules.ts';
import { DueTasks } from '../../engine/src/intake/due/tasks.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { listSchedules } from '../../engine/src/task/schedule.ts';
import { createTasks } from '../../engine/src/task/tasks.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { setStage, type Stage } from '../run/harness.ts';

const TASKS = 12;
const FILES = {
  'directors/boss.yaml': "id: boss\napiConfigId: main\nschedule: { cron: '*/5 * * * *', message: Look }\n",
  'agents/helper.yaml': 'id: helper\napiConfigId: main\n',
};

/** What several processes do on the stores of one database. */
function testShared(openAll: () => Promise<readonly Store[]>): void {
  let stage: Stage;
  let stores: readonly Store[];
  beforeEach(async () => {
    stage = await setStage({ files: FILES });
    stores = await openAll();
  });
  afterEach(async () => {
    for (const store of new Set(stores)) await store.close();
    await stage.close();
  });

  const store = () => stores[0]!;
  const runs = async () => (await store().list('run')).map((row) => recordOf(row).run);

  test('each task starts one run, although three processes start tasks at the same time', async () => {
    const { deps } = stage.app;
    const tasks = createTasks({ ...deps, store: store() }, async () => {});
    const added: string[] = [];
    for (let n = 0; n < TASKS; n++)
      added.push((await tasks.add({ title: `number ${n}`, assignedTo: n % 2 === 0 ? 'boss' : 'helper' }, 'jane')).id);
    // Runs that begin at once: a queued one would hold the next task.
    const begin = (own: Store) => async () => {
      for (const { id } of await own.list('run', { where: [['status', '=', 'queued']], bodies: false }))
        await own.apply([{ op: 'update', table: 'run', key: { id }, set: { status: 'running' } }]);
    };
    const loops = stores.map((own) => {
      const loop: DueTasks = new DueTasks({ ...deps, store: own }, () => void begin(own)().then(() => loop.wake()));
      return loop;
    });
    for (const loop of loops) loop.start();
    await expect.poll(() => store().count('task', [['status', '=', 'pending']])).toBe(0);
    await Promise.all(loops.map((loop) => loop.stop()));
    expect((await runs()).map(({ trigger }) => trigger.taskId).toSorted()).toEqual(added.toSorted());
    const started = await store().list('task');
    expect(started.map(({ run }) => run).toSorted()).toEqual((await runs()).map(({ id }) => id).toSorted());
    const sessions = await store().list('thread', { where: [['kind', '=', 'agent']] });
    expect(sessions).toHaveLength(TASKS / 2);
  });

  test('a schedule that is due starts one run, although three processes look at it at the same time', async () => {
    const { deps } = stage.app;
    const loops = stores.map((own) => new DueSchedules({ ...deps, store: own }, () => {}));
    for (const loop of loops) loop.start();
    await expect.poll(() => store().count('schedule')).toBe(1);
    await Promise.all(loops.map((loop) => loop.stop()));
    const due = deps.clock.now() - 1000;
    await store().apply([{ op: 'update', table: 'schedule', key: { director: 'boss' }, set: { due } }]);
    for (const loop of loops) loop.start();
    const isMoved = async () => (await store().list('schedule')).every((row) => row.due > deps.clock.now());
    await expect.poll(isMoved).toBe(true);
    await Promise.all(loops.map((loop) => loop.stop()));
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect(await listSchedules({ ...deps, store: store() })).toMatchObject([{ lastRunId: run?.id }]);
  });
}

describe('on one SQLite store', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'callsheet-tasks-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  testShared(async () => {
    const store = openSqlite({ dir: mkdtempSync(join(folder, 'store-')) });
    return [store, store, store];
  });
});

describe.skipIf(longPostgres === undefined)(`on one PostgreSQL database${forPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  testShared(async () => {
    const url = await server.createDatabase();
    const open = async () => {
      const database = openPg(url);
      const store = await openPostgres({ database });
      const close = () => store.close().then(() => database.close());
      return { ...withApply(store, (changes) => store.apply(changes)), close };
    };
    return Promise.all([open(), open(), open()]);
  });
});
