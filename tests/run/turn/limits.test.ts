import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { listEvents } from '../../../engine/src/trace/provider-events.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const never = ({ signal }: { signal?: AbortSignal | undefined }) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

/** Fails as often as it is told, then answers. */
function failing(...errors: Error[]): { play: Play; asked: () => number } {
  let asked = 0;
  const play: Play = () => {
    const error = errors[asked++];
    if (error !== undefined) throw error;
    return { content: 'Done.' };
  };
  return { play, asked: () => asked };
}

const down = () => new ModelError('MODEL_UNAVAILABLE', 'down', { retryable: true });
const limited = (retryAfterMs: number) =>
  new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs });

describe('a model that fails', () => {
  test('is asked again after a pause, and the failures are on record', async () => {
    const clock = new SimulatedClock();
    const { play } = failing(down(), down());
    stage = await setStage({ clock, models: playModels(play) });
    const id = await stage.begin();
    const { store } = stage.app.deps;
    const failures = async () =>
      (await listEvents(store, (await stage.run(id)).dirThreadId)).filter(({ kind }) => kind === 'error').length;
    await expect.poll(failures).toBe(1);
    clock.advance(1000);
    await expect.poll(failures).toBe(2);
    clock.advance(2000);
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', usage: { turns: 1 } });
    const events = await listEvents(store, (await stage.run(id)).dirThreadId);
    expect(events.map(({ kind, attempt }) => `${kind} ${attempt}`)).toEqual([
      'request 0',
      'error 0',
      'request 1',
      'error 1',
      'request 2',
      'response 2',
    ]);
  });

  test('ends the run once its attempts are used up', async () => {
    const clock = new SimulatedClock();
    stage = await setStage({ clock, models: playModels(failing(down(), down(), down(), down()).play) });
    const id = await stage.begin();
    const moving = setInterval(() => clock.advance(5000), 5);
    expect(await stage.ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'MODEL_UNAVAILABLE', message: 'down' },
    });
    clearInterval(moving);
  });

  test('is waited for as long as it says, while the run shows what it waits for and takes no place', async () => {
    const clock = new SimulatedClock();
    const { play, asked } = failing(limited(30_000));
    stage = await setStage({ clock, models: playModels(play) });
    const id = await stage.begin();
    await stage.until(id, ({ status, waitingFor }) => status === 'waiting' && waitingFor === 'limit');
    expect(stage.app.engine.load()).toMatchObject({ working: 0, inMemory: 0 });
    clock.advance(29_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked()).toBe(1);
    clock.advance(1001);
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('ends the run at once when the failure will not pass, with secrets taken out of what is stored', async () => {
    stage = await setStage({
      models: playModels(failing(new EngineError('MODEL_AUTH', 'key sk-test-key is wrong')).play),
    });
    stage.app.deps.redactor.add('sk-test-key');
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'MODEL_AUTH', message: 'key [redacted] is wrong' } });
  });
});

describe('time and cancelling', () => {
  test('a run that works too long fails, its request is aborted and its items stay', async () => {
    const clock = new SimulatedClock();
    let aborted = false;
    const play: Play = (request) => {
      if (request.turn === 1) return { tool_calls: [call('a', 'workspace_add_item', { data: 'kept' })] };
      request.signal?.addEventListener('abort', () => (aborted = true));
      return never(request);
    };
    stage = await setStage({ clock, models: playModels(play) });
    const id = await stage.begin();
    await expect.poll(() => listItems(stage.app.deps.store, id)).toHaveLength(1);
    clock.advance(10 * 60_000 + 1);
    expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
    expect(aborted).toBe(true);
    expect(await listItems(stage.app.deps.store, id)).toHaveLength(1);
  });

  test('cancelling ends the agents under a run and leaves valid transcripts', async () => {
    const play: Play = (request) =>
      request.role === 'director'
        ? { tool_calls: [call('a', 'agent__helper', { input: 'x' }), call('b', 'agent__helper', { input: 'y' })] }
        : never(request);
    stage = await setStage({ models: playModels(play) });
    const id = await stage.begin();
    const { store } = stage.app.deps;
    const threads = () => store.list('thread', { where: [['run', '=', id]], order: [['id', 'asc']] });
    await expect.poll(async () => (await threads()).length).toBe(2);
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
    for (const thread of await threads()) expect(transcriptFaults(await stage.messages(thread.id))).toEqual([]);
    expect((await threads()).map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect(await store.count('timer')).toBe(0);
    expect(stage.app.engine.load()).toEqual({ working: 0, effects: 0, inMemory: 0 });
    await expect(stage.app.engine.cancel(id)).rejects.toMatchObject({ code: 'RUN_NOT_ACTIVE' });
  });

  test('a queued run can be cancelled before it has begun', async () => {
    const play: Play = (request) => never(request);
    stage = await setStage({ models: playModels(play), files: { 'settings.yaml': 'runs: { concurrency: 1 }\n' } });
    const first = await stage.begin();
    await stage.until(first, ({ status }) => status === 'running');
    const second = await stage.begin();
    await stage.app.engine.cancel(second);
    expect(await stage.run(second)).toMatchObject({ status: 'cancelled', usage: { turns: 0 } });
    await stage.app.engine.cancel(first);
  });
});

describe('concurrency', () => {
  test('no more runs work at once than the settings say, and all get their turn in order', async () => {
    let working = 0;
    let most = 0;
    const order: string[] = [];
    const play: Play = async ({ messages }) => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 5));
      working--;
      order.push(String(messages.at(-1)?.content));
      return { content: 'Done.' };
    };
    stage = await setStage({ models: playModels(play), files: { 'settings.yaml': 'runs: { concurrency: 2 }\n' } });
    const ids = [];
    for (let n = 0; n < 10; n++) ids.push(await stage.begin('boss', `task ${n}`));
    for (const id of ids) expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(most).toBe(2);
    expect(order).toEqual(Array.from({ length: 10 }, (_, n) => `task ${n}`));
  });
});

describe('a restart', () => {
  test('asks the model again where the last process left off, with the same messages', async () => {
    const seen: string[] = [];
    const play: Play = (request) => {
      if (request.turn === 1) return { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] };
      seen.push(JSON.stringify(request.messages));
      return seen.length === 1 ? never(request) : { content: 'Done.' };
    };
    stage = await setStage({ models: playModels(play) });
    const id = await stage.begin();
    await expect.poll(() => seen.length).toBe(1);
    await stage.restart();
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', usage: { turns: 2 } });
    expect(seen[1]).toBe(seen[0]);
    expect(await listItems(stage.app.deps.store, id)).toHaveLength(1);
  });

  test('lets queued runs begin', async () => {
    const play: Play = (request) =>
      request.messages.at(-1)?.content === 'first' ? never(request) : { content: 'Done.' };
    stage = await setStage({ models: playModels(play), files: { 'settings.yaml': 'runs: { concurrency: 1 }\n' } });
    const first = await stage.begin('boss', 'first');
    const second = await stage.begin('boss', 'second');
    await stage.until(first, ({ status }) => status === 'running');
    await stage.restart({ models: playModels(() => ({ content: 'Done.' })) });
    expect(await stage.ended(first)).toMatchObject({ status: 'completed' });
    expect(await stage.ended(second)).toMatchObject({ status: 'completed' });
  });
});

describe('an edit while a run is under way', () => {
  test('changes the next run and not the one in flight', async () => {
    const seen: string[] = [];
    let proceed = () => {};
    const waited = new Promise<void>((resolve) => (proceed = resolve));
    const play: Play = async (request) => {
      if (request.role === 'agent') {
        seen.push(String(request.messages[0]?.content));
        return { content: 'ok' };
      }
      if (request.turn === 1 && seen.length === 0) await waited;
      return request.turn === 1 ? { tool_calls: [call('a', 'agent__helper', { input: 'x' })] } : { content: 'Done.' };
    };
    stage = await setStage({ models: playModels(play) });
    const first = await stage.begin();
    await stage.until(first, ({ status }) => status === 'running');
    stage.write({ 'agents/helper.yaml': 'id: helper\nname: Helper\ndescription: Helps better.\n' });
    await stage.app.config.refresh();
    proceed();
    const before = await stage.ended(first);
    const after = await stage.ended(await stage.begin());
    expect(seen).toEqual(['You are Helper. Helps.', 'You are Helper. Helps better.']);
    expect(after.revision).not.toBe(before.revision);
    expect(after.documents['agents/helper']).not.toBe(before.documents['agents/helper']);
    expect(after.documents['directors/boss']).toBe(before.documents['directors/boss']);
  });
});

test('a request event is shown with the exact messages and tools that were sent', async () => {
  const sent: unknown[] = [];
  const play: Play = ({ messages, tools, turn }) => {
    sent.push({ messages, tools });
    return turn < 3 ? { tool_calls: [call('a', 'workspace_add_item', { data: String(turn) })] } : { content: 'Done.' };
  };
  stage = await setStage({ models: playModels(play) });
  const run = await stage.ended(await stage.begin());
  const events = await listEvents(stage.app.deps.store, run.dirThreadId);
  const requests = events.filter(({ kind }) => kind === 'request').map(({ payload }) => payload);
  expect(requests).toEqual(sent.map((one) => ({ model: 'test', ...(one as object) })));
});
