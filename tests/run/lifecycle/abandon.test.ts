import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Logger } from '../../../engine/src/base/log.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import type { ChangeOf } from '../../../engine/src/store/store.ts';
import { asStoreError } from '../../../engine/src/store/sqlite/sqlite-error.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

/** A log that a test can read. */
function listen() {
  const lines: string[] = [];
  const note = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Logger = { debug: note, info: note, warn: note, error: note };
  return { log, lines };
}

type Set = ChangeOf<'machine'> extends infer C ? (C extends { op: 'update'; set: infer S } ? S : never) : never;

/** Ways in which a machine's row cannot be read, and the code that says so. */
const WAYS: readonly (readonly [string, Set, string])[] = [
  ['another version wrote', { version: '0.9' }, 'MACHINE_VERSION'],
  ['is of an unknown kind', { kind: 'dance' }, 'MACHINE_VERSION'],
  ['is cut short', { body: '{"facts":{"ru' }, 'STORE_DAMAGED'],
  [
    'is in a state that does not exist',
    { body: '{"facts":{},"value":"dancing","context":{},"status":"active"}' },
    'STORE_DAMAGED',
  ],
];

const spoil = (id: string, set: Set) =>
  stage.app.deps.store.apply([{ op: 'update', table: 'machine', key: { id }, set }]);

/** A model that asks an agent; from then on nobody gets an answer before `release`. */
function stuckPlay() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const play: Play = async ({ turn }) => {
    if (turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: 'x' }), call('b', 'list_agents', {})] };
    await promise;
    return { content: 'Done.' };
  };
  return { release: resolve, play };
}

describe.each(WAYS)('a run whose machine %s', (_name, set, code) => {
  const isDamaged = code === 'STORE_DAMAGED';

  test(`${isDamaged ? 'fails alone' : 'is left as it is'} and is named, and other runs go on`, async () => {
    const { log, lines } = listen();
    const models = playModels(
      ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    stage = await setStage({ models, log, files: { 'settings.yaml': 'runs: { concurrency: 1 }\n' } });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'running');
    await spoil(id, set);
    const before = await stage.app.deps.store.get('machine', { id });
    await stage.restart({ models: playModels(() => ({ content: 'Done.' })) });
    const other = await stage.begin();
    expect(await stage.ended(other)).toMatchObject({ status: 'completed' });
    const after = await stage.app.deps.store.get('machine', { id });
    expect(after).toEqual(isDamaged ? { ...before, status: 'done' } : before);
    expect(await stage.run(id)).toMatchObject(
      isDamaged ? { status: 'failed', error: { code } } : { status: 'running' },
    );
    expect(lines.filter((line) => line.includes(id) && line.includes(code))).toHaveLength(1);
  });

  test('can be ended: its transcripts are made whole, and nothing stays open', async () => {
    const { play } = stuckPlay();
    stage = await setStage({ models: playModels(play) });
    const id = await stage.begin();
    const threads = () => stage.app.deps.store.list('thread', { where: [['run', '=', id]] });
    await stage.until(id, ({ status }) => status === 'running');
    while ((await threads()).length < 2) await new Promise((resolve) => setImmediate(resolve));
    await spoil(id, set);
    await stage.restart();
    if (!isDamaged) await stage.app.engine.cancel(id);
    expect(await stage.run(id)).toMatchObject({ status: isDamaged ? 'failed' : 'cancelled', error: { code } });
    for (const thread of await threads()) {
      expect(thread.status).toBe('failed');
      expect(transcriptFaults(await stage.messages(thread.id))).toEqual([]);
    }
    const { store } = stage.app.deps;
    expect(await store.count('timer')).toBe(0);
    expect(await store.count('machine', [['status', '!=', 'done']])).toBe(0);
    await expect(stage.app.engine.cancel(id)).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' });
  });
});

test('a queued run that cannot be read takes no place, however many there are', async () => {
  const play: Play = () => ({ content: 'Done.' });
  stage = await setStage({ models: playModels(play), files: { 'settings.yaml': 'runs: { concurrency: 2 }\n' } });
  await stage.app.engine.stop();
  const broken = [await stage.begin(), await stage.begin(), await stage.begin()];
  const fine = await stage.begin();
  for (const id of broken) await spoil(id, { version: '0.9' });
  await stage.restart();
  expect(await stage.ended(fine)).toMatchObject({ status: 'completed' });
  for (const id of broken) expect(await stage.run(id)).toMatchObject({ status: 'queued' });
});

test('a due timer of a run that cannot be read does not keep other timers from firing', async () => {
  const clock = new SimulatedClock();
  let isLimited = true;
  const models = playModels(() => {
    if (!isLimited) return { content: 'Done.' };
    throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 5000 });
  });
  const { log, lines } = listen();
  stage = await setStage({ models, clock, log });
  const broken = await stage.begin();
  const fine = await stage.begin();
  for (const id of [broken, fine]) await stage.until(id, ({ status }) => status === 'waiting');
  await spoil(broken, { version: '0.9' });
  isLimited = false;
  clock.advance(5001);
  await stage.ended(fine);
  // It is tried again at the next start, not over and over.
  clock.advance(5000);
  expect(lines.filter((line) => line.includes(broken) && line.includes('stays as it is'))).toHaveLength(1);
  expect(await stage.app.deps.store.count('timer')).toBe(1);
  expect(await stage.run(broken)).toMatchObject({ status: 'waiting' });
});

test.each(['run', 'machine', 'timer'])(
  'a sealed %s row that was tampered with holds up its own run only',
  async (table) => {
    const { log, lines } = listen();
    const clock = new SimulatedClock();
    const env = (name: string) => (name === 'VX_MAILAGENT_KEY' ? 'ab'.repeat(32) : 'sk-test-key');
    let isLimited = true;
    const limited: Play = () => {
      if (!isLimited) return { content: 'Done.' };
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 5000 });
    };
    stage = await setStage({ models: playModels(limited), log, env, clock });
    const broken = await stage.begin();
    const fine = await stage.begin();
    for (const id of [broken, fine]) await stage.until(id, ({ status }) => status === 'waiting');
    const db = new DatabaseSync(join(stage.root, 'data', 'callsheet.db'));
    db.exec(`UPDATE ${table} SET body = zeroblob(80) WHERE ${table === 'timer' ? 'machine' : 'id'} = '${broken}'`);
    db.close();
    isLimited = false;
    await stage.restart();
    clock.advance(5001);
    expect(await stage.ended(fine)).toMatchObject({ status: 'completed' });
    await vi.waitUntil(() => lines.some((line) => line.includes(broken) && line.includes('STORE_TAMPERED')));
  },
);

test('a run record that cannot be read keeps its body and is closed, and other runs go on', async () => {
  const { log, lines } = listen();
  stage = await setStage({ models: playModels(() => new Promise(() => {})), log });
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'running');
  await stage.app.deps.store.apply([{ op: 'update', table: 'run', key: { id }, set: { body: '{"run":{' } }]);
  await stage.restart({ models: playModels(() => ({ content: 'Done.' })) });
  expect(await stage.ended(await stage.begin())).toMatchObject({ status: 'completed' });
  expect(lines.filter((line) => line.includes(id) && line.includes('STORE_DAMAGED')).length).toBeGreaterThan(0);
  expect(await stage.app.deps.store.get('run', { id })).toMatchObject({ status: 'failed', body: '{"run":{' });
});

test.each(['fails', 'is cancelled'])(
  'a run whose record cannot be read any more while it works, and which %s then, keeps neither place nor request',
  async (end) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let aborted: AbortSignal | undefined;
    const play: Play = async ({ signal }) => {
      if (aborted !== undefined) return { content: 'Done.' };
      aborted = signal;
      await promise;
      return { content: 'Done.' };
    };
    stage = await setStage({ models: playModels(play), files: { 'settings.yaml': 'runs: { concurrency: 1 }\n' } });
    const id = await stage.begin();
    await vi.waitUntil(() => aborted !== undefined);
    const { store } = stage.app.deps;
    await store.apply([{ op: 'update', table: 'run', key: { id }, set: { body: '{"run":{' } }]);
    // A step that fails has the run read anew.
    await expect(stage.app.engine.message(id, { text: 'hello', by: 'jane' })).rejects.toThrow();
    if (end === 'fails') resolve();
    else await stage.app.engine.cancel(id);
    await vi.waitUntil(
      async () => (await store.get('run', { id }))?.status === (end === 'fails' ? 'failed' : 'cancelled'),
    );
    expect(aborted?.aborted).toBe(end === 'is cancelled');
    expect(await stage.ended(await stage.begin())).toMatchObject({ status: 'completed' });
    expect(stage.app.engine.load()).toMatchObject({ working: 0, inMemory: 0 });
  },
);

test('a run whose machine the database cannot read fails alone, and timers of others fire', async () => {
  const clock = new SimulatedClock();
  let isLimited = true;
  const models = playModels(() => {
    if (!isLimited) return { content: 'Done.' };
    throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 5000 });
  });
  stage = await setStage({ models, clock });
  const broken = await stage.begin();
  const fine = await stage.begin();
  for (const id of [broken, fine]) await stage.until(id, ({ status }) => status === 'waiting');
  await stage.restart();
  const { store } = stage.app.deps;
  const get = store.get.bind(store);
  vi.spyOn(store, 'get').mockImplementation((table, key) => {
    const isBroken = table === 'machine' && 'id' in key && key.id === broken;
    if (!isBroken) return get(table, key);
    return Promise.reject(asStoreError(new Error('database disk image is malformed'), 'cannot read from the store'));
  });
  isLimited = false;
  clock.advance(5001);
  expect(await stage.ended(fine)).toMatchObject({ status: 'completed' });
  expect(await stage.ended(broken)).toMatchObject({ status: 'failed', error: { code: 'STORE_DAMAGED' } });
  vi.restoreAllMocks();
});

test('a timer that the store holds up does not hold up the timers of other runs', async () => {
  const clock = new SimulatedClock();
  let isLimited = true;
  const models = playModels(() => {
    if (!isLimited) return { content: 'Done.' };
    throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 5000 });
  });
  stage = await setStage({ models, clock });
  const stuck = await stage.begin();
  await stage.until(stuck, ({ status }) => status === 'waiting');
  clock.advance(2000);
  const fine = await stage.begin();
  await stage.until(fine, ({ status }) => status === 'waiting');
  await stage.restart();
  const { store } = stage.app.deps;
  const get = store.get.bind(store);
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(store, 'get').mockImplementation(async (table, key) => {
    if (table === 'machine' && 'id' in key && key.id === stuck) await promise;
    return get(table, key);
  });
  isLimited = false;
  clock.advance(3001);
  await new Promise((turn) => setImmediate(turn));
  clock.advance(2000);
  expect(await stage.ended(fine)).toMatchObject({ status: 'completed' });
  expect(await stage.run(stuck)).toMatchObject({ status: 'waiting' });
  resolve();
  expect(await stage.ended(stuck)).toMatchObject({ status: 'completed' });
  vi.restoreAllMocks();
});

test.each([
  ['while it works', false],
  ['and the process started anew', true],
])('a run whose director and agent were deleted %s ends as it was begun', async (_name, isRestarted) => {
  const { release, play } = stuckPlay();
  stage = await setStage({ models: playModels(play), watch: !isRestarted });
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'running');
  stage.write({ 'directors/other.yaml': 'id: other\nname: Other\napiConfigId: main\n' });
  for (const name of ['directors/boss.yaml', 'agents/helper.yaml']) rmSync(join(stage.root, 'config', name));
  if (isRestarted) await stage.restart();
  else while (stage.app.config.current().directors.has('boss')) await new Promise((done) => setTimeout(done, 10));
  expect([...stage.app.config.current().directors.keys()]).toEqual(['other']);
  release();
  expect(await stage.ended(id)).toMatchObject({ status: 'completed', directorId: 'boss' });
  expect(transcriptFaults(await stage.messages((await stage.run(id)).dirThreadId))).toEqual([]);
});
