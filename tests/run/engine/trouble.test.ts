import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { Logger } from '../../../engine/src/base/log.ts';
import { Engine } from '../../../engine/src/run/engine/engine.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import type { Run } from '../../../engine/src/run/run.ts';
import type { Change } from '../../../engine/src/store/store.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';
import { PATIENCE_MS } from '../../next-try.ts';

let stage: Stage;
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

/** An item, then the last word. */
const adds: Play = ({ turn }) =>
  turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] } : { content: 'Done.' };

/** A log that a test can read. */
function listen() {
  const lines: string[] = [];
  const note = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Logger = { debug: note, info: note, warn: note, error: note };
  return { log, lines };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const began = Date.now(); !(await holds());) {
    if (Date.now() - began > PATIENCE_MS) throw new Error('it never came to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets time pass, a little at every look, until a run is over. */
async function endedIn(clock: SimulatedClock, id: string): Promise<Run> {
  const isOver = ({ status }: Run) => ['completed', 'failed', 'cancelled'].includes(status);
  await until(async () => {
    clock.advance(20);
    return isOver(await stage.run(id));
  });
  return stage.run(id);
}

const full = () => new EngineError('STORE_FAILED', 'cannot write to the store: database or disk is full');

/** Makes the store refuse what `isRefused` says; the returned function frees space again. */
function refuse(isRefused: (changes: readonly Change[]) => boolean = () => true) {
  const { store } = stage.app.deps;
  const apply = store.apply.bind(store);
  let refusals = 0;
  const spy = vi.spyOn(store, 'apply').mockImplementation((changes) => {
    if (!isRefused(changes)) return apply(changes);
    refusals++;
    return Promise.reject(full());
  });
  return { refusals: () => refusals, free: () => void spy.mockRestore() };
}

describe('a store that refuses to work', () => {
  test('holds a run up and nothing else: it begins, goes on and ends once there is space', async () => {
    const clock = new SimulatedClock();
    const { log, lines } = listen();
    stage = await setStage({ models: playModels(adds), clock, log });
    const writes = (changes: readonly Change[]) =>
      changes.some((change) => 'table' in change && change.table === 'machine');
    const id = await stage.begin();
    await stage.ended(id);
    // Each of its steps in turn: the beginning, the answer with the call, the last word.
    for (const passing of [0, 1, 2]) {
      let passed = 0;
      const next = await stage.begin('boss', `with ${passing}`).then((begun) => {
        const disk = refuse((changes) => writes(changes) && passed++ >= passing);
        return { begun, disk };
      });
      await until(() => next.disk.refusals() > 0);
      next.disk.free();
      expect(await endedIn(clock, next.begun)).toMatchObject({ status: 'completed' });
      expect(await listItems(stage.app.deps.store, next.begun)).toHaveLength(1);
      const messages = await stage.messages((await stage.run(next.begun)).dirThreadId);
      expect(transcriptFaults(messages)).toEqual([]);
    }
    expect(lines.filter((line) => line.includes('the store refuses')).length).toBeGreaterThan(2);
  });

  test('does not fail a run that cannot read what it needs to begin', async () => {
    const clock = new SimulatedClock();
    stage = await setStage({ models: playModels(adds), clock });
    const { store } = stage.app.deps;
    const get = store.get.bind(store);
    let refusals = 0;
    vi.spyOn(store, 'get').mockImplementation((table, key) => {
      if (table !== 'run') return get(table, key);
      refusals++;
      return Promise.reject(full());
    });
    const id = await stage.begin();
    await until(() => refusals > 0);
    vi.restoreAllMocks();
    expect(await endedIn(clock, id)).toMatchObject({ status: 'completed' });
  });

  test('keeps the answer of a request that was made, so that it is not made again', async () => {
    const clock = new SimulatedClock();
    let requests = 0;
    const models = playModels((request) => {
      requests++;
      return adds(request);
    });
    stage = await setStage({ models, clock });
    const id = await stage.begin();
    const disk = refuse((changes) => changes.some((change) => 'table' in change && change.table === 'item'));
    await until(() => {
      clock.advance(20);
      return disk.refusals() >= 3;
    });
    disk.free();
    await endedIn(clock, id);
    expect(requests).toBe(2);
  });

  test('holds a timer up without losing it', async () => {
    const clock = new SimulatedClock();
    let failures = 0;
    const models = playModels((request) => {
      if (failures++ > 0) return adds(request);
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 5000 });
    });
    stage = await setStage({ models, clock });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    const disk = refuse();
    clock.advance(5000);
    await until(() => disk.refusals() > 0);
    disk.free();
    expect(await endedIn(clock, id)).toMatchObject({ status: 'completed' });
  });

  test('holds a cancel up with an error, and changes nothing', async () => {
    const clock = new SimulatedClock();
    stage = await setStage({ models: playModels(() => new Promise(() => {})), clock });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'running');
    const disk = refuse();
    await expect(stage.app.engine.cancel(id)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    disk.free();
    expect(await stage.run(id)).toMatchObject({ status: 'running' });
    await stage.app.engine.cancel(id);
    expect(await stage.run(id)).toMatchObject({ status: 'cancelled' });
  });

  test('does not start a once-only effect whose mark is not on disk', async () => {
    const clock = new SimulatedClock();
    const isMark = (changes: readonly Change[]) => {
      const states = changes.flatMap((change) =>
        change.op === 'update' && change.table === 'ledger' ? [change.set.state] : [],
      );
      return states.includes('started');
    };
    let fired = 0;
    const tool = {
      name: 'fire',
      family: 'outside',
      effects: 'write',
      repeat: 'once',
      description: 'Fires.',
      parameters: { type: 'object' },
      run: async () => ++fired,
    } as const;
    stage = await setStage({
      clock,
      tools: [tool],
      files: {
        'directors/boss.yaml':
          'id: boss\nname: Boss\napiConfigId: main\ntools: [fire]\npermissions: { allow: [fire] }\n',
      },
      models: playModels(({ turn }) => (turn === 1 ? { tool_calls: [call('a', 'fire', {})] } : { content: 'Done.' })),
    });
    const disk = refuse(isMark);
    const id = await stage.begin();
    await until(() => disk.refusals() > 0);
    expect(fired).toBe(0);
    disk.free();
    await endedIn(clock, id);
    expect(fired).toBe(1);
  });
});

test('a step that goes wrong takes nothing from the effects of its run that are under way', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const tool = {
    name: 'look',
    family: 'outside',
    effects: 'read',
    repeat: 'free',
    description: 'Looks.',
    parameters: { type: 'object' },
    run: () => promise,
  } as const;
  stage = await setStage({
    tools: [tool],
    files: {
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\ntools: [look, workspace]\npermissions: { ask: [workspace_add_item] }\n',
    },
    models: playModels(({ turn }) =>
      turn === 1
        ? { tool_calls: [call('a', 'look', {}), call('b', 'workspace_add_item', { data: 'x' })] }
        : { content: 'Done.' },
    ),
  });
  const id = await stage.begin();
  const { store } = stage.app.deps;
  await until(async () => (await store.count('approval')) === 1);
  const [approval] = await store.list('approval');
  const decide = () => stage.app.engine.decide(approval?.id ?? '', { decision: 'allow', by: 'jane' });
  await decide();
  await expect(decide()).rejects.toMatchObject({ code: 'APPROVAL_DECIDED' });
  resolve('seen');
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  expect(transcriptFaults(await stage.messages((await stage.run(id)).dirThreadId))).toEqual([]);
});

test('a start that meets a full disk is not held up, and its runs go on once there is space', async () => {
  let isStuck = true;
  const play: Play = () => (isStuck ? new Promise(() => {}) : { content: 'Done.' });
  const read = {
    name: 'look',
    family: 'outside',
    effects: 'read',
    repeat: 'free',
    description: 'Looks.',
    parameters: { type: 'object' },
    run: async () => 'seen',
  } as const;
  const clock = new SimulatedClock();
  stage = await setStage({ models: playModels(play), clock, tools: [read] });
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'running');
  isStuck = false;
  await stage.app.engine.stop();
  const { store } = stage.app.deps;
  const get = store.get.bind(store);
  let refusals = 0;
  const spy = vi.spyOn(store, 'get').mockImplementation((table, key) => {
    if (table !== 'machine') return get(table, key);
    refusals++;
    return Promise.reject(full());
  });
  const engine = new Engine(stage.app.deps);
  await engine.start();
  expect(refusals).toBeGreaterThan(0);
  spy.mockRestore();
  expect(await endedIn(clock, id)).toMatchObject({ status: 'completed' });
  await engine.stop();
});
