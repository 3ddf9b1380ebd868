import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isoTime, SimulatedClock } from '../../../engine/src/base/clock.ts';
import { createRevisionStore } from '../../../engine/src/config/revision/revision-store.ts';
import { Retention } from '../../../engine/src/run/engine/retention.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { type Claims, type ClaimListener, createClaims } from '../../../engine/src/cluster/claims.ts';
import type { TableName } from '../../../engine/src/store/store.ts';
import { longestTurn } from '../../longest-turn.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';
import { add, GLOBAL } from '../../memory/stage.ts';

const DAY = 86_400_000;
let stage: Stage;
afterEach(() => stage.close());

async function set(files: Record<string, string> = {}) {
  const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));
  stage = await setStage({
    clock,
    models: playModels(({ role, turn }) =>
      role === 'director' && turn === 1
        ? { tool_calls: [call('a', 'agent__helper', { input: 'x' }), call('b', 'workspace_add_item', { data: 'y' })] }
        : { content: 'done' },
    ),
    files: { 'settings.yaml': 'runs: { retainDays: 30 }\n', ...files },
  });
  return clock;
}

/** Days pass one by one: what the beats of the engine begin on a day would else be in memory until all have passed. */
async function pass(clock: SimulatedClock, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY);
    await setImmediate();
  }
}

const noClaims: Claims = {
  acquire: () => async () => {},
  isHeld: () => false,
  holderOf: () => undefined,
  holders: async () => [],
  refresh: async () => {},
  close: async () => {},
};

const RUN_TABLES = [
  'run',
  'machine',
  'thread',
  'message',
  'event',
  'entry',
  'item',
  'ledger',
  'approval',
  'timer',
] as const;
const counts = async (tables: readonly TableName[] = RUN_TABLES) =>
  Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await stage.app.deps.store.count(table)] as const)),
  );
const finishOne = async () => stage.ended(await stage.begin());

describe('retention', () => {
  test('deletes a finished run that is too old, with all that belongs to it', async () => {
    const clock = await set();
    await finishOne();
    expect(await counts()).toMatchObject({ run: 1, thread: 2, item: 1, ledger: 1 });
    await pass(clock, 31);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 1 });
    expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
  });

  test('deletes what was counted for limits once no limit looks back at it', async () => {
    const clock = await set();
    const { store } = stage.app.deps;
    const minutes = [-2 * DAY, -DAY - 60_000, -60_000].map((ago) => clock.now() + ago);
    const body = '{"requests":1,"tokens":1}';
    await store.apply(minutes.map((minute) => ({ op: 'put', table: 'rate', row: { name: 'api main', minute, body } })));
    await stage.app.retention.sweep();
    expect((await store.list('rate')).map(({ minute }) => minute)).toEqual(minutes.slice(2));
  });

  test('deletes model use and done to-dos of that age, and leaves open to-dos', async () => {
    const clock = await set();
    const { store } = stage.app.deps;
    await finishOne();
    const at = clock.now();
    const todo = (id: string, status: string) =>
      ({ op: 'insert', table: 'todo', row: { id, status, at, body: '{"title":"x"}' } }) as const;
    await store.apply([todo('todo_a', 'done'), todo('todo_b', 'open')]);
    await pass(clock, 29);
    await stage.app.retention.sweep();
    expect(await counts(['spend', 'todo'])).toEqual({ spend: 1, todo: 2 });
    clock.advance(3 * DAY);
    await stage.app.retention.sweep();
    expect(await counts(['spend', 'todo'])).toEqual({ spend: 0, todo: 1 });
  });

  test('deletes rounds of chats that were over at that age, and leaves open and younger ones', async () => {
    const clock = await set();
    const { store } = stage.app.deps;
    const row = (id: string, status: string, ago: number) => ({
      ...{ op: 'insert' as const, table: 'chatRound' as const },
      row: { id, chat: 'c', status, rev: 1, at: clock.now() - ago, body: '{}' },
    });
    const old = Array.from({ length: 120 }, (_, n) => row(`old-${n}`, 'done', 31 * DAY));
    await store.apply([...old, row('open', 'open', 31 * DAY), row('young', 'done', 29 * DAY)]);
    await stage.app.retention.sweep();
    expect((await store.list('chatRound', { bodies: false })).map(({ id }) => id).toSorted()).toEqual([
      'open',
      'young',
    ]);
  });

  test('deletes memories that have expired, and leaves the others', async () => {
    const clock = await set();
    const { store } = stage.app.deps;
    const expiresAt = isoTime(clock.now() + DAY);
    await add(store, 'mem_1', GLOBAL, { text: 'one', expiresAt }, { now: clock.now() });
    await add(store, 'mem_2', GLOBAL, { text: 'two' }, { now: clock.now() });
    clock.advance(DAY);
    await stage.app.retention.sweep();
    expect((await store.list('memory')).map(({ id }) => id)).toEqual(['mem_2']);
  });

  test('leaves younger runs whole', async () => {
    const clock = await set();
    await finishOne();
    await pass(clock, 29);
    const before = await counts();
    const young = await finishOne();
    clock.advance(2 * DAY);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 1 });
    expect(await counts()).toEqual(before);
    expect(await stage.messages(young.dirThreadId)).toHaveLength(6);
  });

  test('counts from the end of a run, and never takes one that still waits', async () => {
    const clock = await set({
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\npermissions: { ask: [workspace_add_item] }\n',
    });
    const id = await stage.begin();
    await stage.until(id, ({ waitingFor }) => waitingFor === 'approval');
    await pass(clock, 400);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 0 });
    await stage.app.engine.cancel(id);
    await pass(clock, 29);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 0 });
    clock.advance(2 * DAY);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 1 });
  });

  test('removes revisions and documents that nothing refers to, and no others', async () => {
    const clock = await set();
    await finishOne();
    const first = await counts(['revision', 'document']);
    stage.write({ 'agents/helper.yaml': 'id: helper\nname: Second helper\n' });
    await stage.restart();
    await pass(clock, 20);
    const kept = await finishOne();
    expect(await counts(['revision', 'document'])).toEqual({ revision: 2, document: Number(first['document']) + 1 });
    stage.write({ 'agents/helper.yaml': 'id: helper\nname: Third helper\n' });
    await stage.restart();
    await pass(clock, 15);
    expect(await stage.app.retention.sweep()).toEqual({ runs: 1, revisions: 1 });
    expect(await counts(['revision', 'document'])).toEqual({ revision: 1, document: Number(first['document']) + 1 });
    const config = await stage.app.config.revision(kept.revision);
    expect(config.agents.get('helper')?.name).toBe('Second helper');
    // What is shared with the last good set is still there after one more start.
    await stage.restart();
    expect(stage.app.config.current().agents.get('helper')?.name).toBe('Third helper');
  });

  test('takes up a run whose deletion a kill has cut short', async () => {
    const clock = await set();
    const { id, dirThreadId } = await finishOne();
    await pass(clock, 31);
    await stage.app.deps.store.apply([{ op: 'delete', table: 'message', where: { thread: dirThreadId } }]);
    expect(await stage.app.retention.sweep()).toMatchObject({ runs: 1 });
    expect(await stage.app.deps.store.get('run', { id })).toBeUndefined();
  });

  test('looks by itself, some time after the start and again', async () => {
    const clock = await set();
    await finishOne();
    await pass(clock, 31);
    stage.app.retention.start();
    clock.advance(60_000);
    await expect.poll(() => stage.app.deps.store.count('run')).toBe(0);
    await stage.app.retention.stop();
  });

  test('is the work of one process at a time, and goes on in another one when that one stops', async () => {
    const clock = await set();
    const { store } = stage.app.deps;
    const [first, second] = ['first', 'second'].map((worker) => {
      const about = { host: 'host', pid: 1, version: '1' };
      const claims = createClaims({ store, clock, log: silentLogger, worker, about });
      const swept: number[] = [];
      const keeper = { list: async () => (swept.push(clock.now()), []), forget: async () => 0 };
      return { claims, swept, retention: new Retention(stage.app.deps, keeper, claims) };
    });
    if (first === undefined || second === undefined) throw new Error('not two');
    const minute = async () => {
      for (let n = 0; n < 12; n++) {
        clock.advance(5000);
        for (const { claims } of [first, second]) await claims.refresh();
      }
    };
    first.retention.start();
    await first.claims.refresh();
    second.retention.start();
    await minute();
    await expect.poll(() => [first.swept.length, second.swept.length]).toEqual([1, 0]);
    await first.retention.stop();
    await second.claims.refresh();
    await minute();
    await expect.poll(() => [first.swept.length, second.swept.length]).toEqual([1, 1]);
    await second.retention.stop();
    expect(await first.claims.holders()).toEqual([]);
    for (const { claims } of [first, second]) await claims.close();
  });

  test('stops where its claim is lost', async () => {
    const clock = await set();
    for (let n = 0; n < 3; n++) await finishOne();
    await pass(clock, 31);
    const ways: ClaimListener[] = [];
    const claims = { ...noClaims, acquire: (_name: string, way: ClaimListener) => (ways.push(way), async () => {}) };
    const retention = new Retention(stage.app.deps, createRevisionStore(stage.app.deps.store), claims);
    const stopListening = stage.app.deps.live.subscribe(({ data }) => data['deleted'] === true && ways[0]?.onLost());
    retention.start();
    ways[0]?.onTaken();
    clock.advance(60_000);
    await expect.poll(() => stage.app.deps.store.count('run')).toBe(2);
    await retention.stop();
    stopListening();
    clock.advance(DAY);
    expect(await stage.app.deps.store.count('run')).toBe(2);
  });

  test('works in many turns of the event loop, however long the run was', async () => {
    const clock = await set();
    const run = await finishOne();
    const { store } = stage.app.deps;
    const body = JSON.stringify({ role: 'user', content: 'x'.repeat(4000) });
    for (let part = 0; part < 40; part++)
      await store.apply(
        Array.from({ length: 100 }, (_, i) => ({
          op: 'insert' as const,
          table: 'message' as const,
          row: { thread: run.dirThreadId, seq: 100 + part * 100 + i, at: 0, body },
        })),
      );
    await pass(clock, 31);
    const { longestMs, totalMs, turns } = await longestTurn(() =>
      new Retention(stage.app.deps, createRevisionStore(store)).sweep(),
    );
    expect(await store.count('message')).toBe(0);
    expect(turns).toBeGreaterThan(10);
    expect(longestMs).toBeLessThan(totalMs / 4);
  });
});
