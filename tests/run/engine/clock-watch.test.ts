import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { playModels, setStage, type Stage } from '../harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let stage: Stage;
afterEach(() => stage.close());

const BUDGET = {
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nbudget: { maxMinutes: 10 }\n',
};

/** Lets time pass in steps, as it does, with room for what it sets off. */
async function pass(clock: SimulatedClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    clock.advance(Math.min(left, 10_000));
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A run with ten minutes to work that waits for its model, two of them used up. */
async function working(options: Parameters<typeof setStage>[0] = {}) {
  const clock = new SimulatedClock();
  const { promise, resolve } = Promise.withResolvers<void>();
  const models = playModels(async () => {
    await promise;
    return { content: 'Done.' };
  });
  stage = await setStage({ models, clock, files: BUDGET, ...options });
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'running');
  await pass(clock, 2 * MINUTE);
  return { clock, id, answer: resolve };
}

describe.each([
  ['forward by days', 3 * DAY],
  ['back by days', -3 * DAY],
])('a clock that is set %s', (_name, byMs) => {
  test('takes no time from a run that works, and gives it none', async () => {
    const { clock, id } = await working();
    clock.set(byMs);
    await pass(clock, 7 * MINUTE);
    expect(await stage.run(id)).toMatchObject({ status: 'running' });
    await pass(clock, 2 * MINUTE);
    expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
  });

  test('does not keep a run from ending', async () => {
    const { clock, id, answer } = await working();
    clock.set(byMs);
    answer();
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    await pass(clock, MINUTE);
    expect(await stage.app.deps.store.count('timer')).toBe(0);
  });

  test('does not keep a run waiting that is to try again in a while', async () => {
    const clock = new SimulatedClock();
    let requests = 0;
    const models = playModels(() => {
      if (requests++ > 0) return { content: 'Done.' };
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 5 * MINUTE });
    });
    stage = await setStage({ models, clock });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    clock.set(byMs);
    await pass(clock, 6 * MINUTE);
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('is noticed after a restart too', async () => {
    const { clock, id } = await working();
    clock.set(byMs);
    await stage.restart();
    await pass(clock, 7 * MINUTE);
    expect(await stage.run(id)).toMatchObject({ status: 'running' });
    await pass(clock, 2 * MINUTE);
    expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
  });
});

test('the time in which no process worked does not count for a run', async () => {
  const { clock, id, answer } = await working();
  await stage.app.engine.stop();
  clock.advance(3 * DAY);
  await stage.restart();
  await pass(clock, 7 * MINUTE);
  expect(await stage.run(id)).toMatchObject({ status: 'running' });
  answer();
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
});

test('a process that dies and starts again at once, over and over, uses up the time of its run', async () => {
  const { clock, id } = await working();
  for (let n = 0; n < 18; n++) {
    await stage.restart();
    clock.advance(30_000);
  }
  await stage.restart();
  expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
});

test('a new store that dies after some seconds and starts an hour later does not count the hour', async () => {
  const clock = new SimulatedClock();
  const { promise, resolve } = Promise.withResolvers<void>();
  const models = playModels(async () => {
    await promise;
    return { content: 'Done.' };
  });
  stage = await setStage({ models, clock, files: BUDGET });
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'running');
  // Also where the trace, the other sign of work, is gone.
  await stage.app.deps.store.apply([{ op: 'delete', table: 'entry', where: { scope: id } }]);
  clock.advance(4000);
  await stage.app.engine.stop();
  clock.advance(60 * MINUTE);
  await stage.restart();
  await pass(clock, 9 * MINUTE);
  expect(await stage.run(id)).toMatchObject({ status: 'running' });
  resolve();
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
});

test('a crash after the restart counts: the time of the restart is stored at once', async () => {
  const { clock, id } = await working();
  await stage.app.engine.stop();
  clock.advance(60 * MINUTE);
  for (let n = 0; n < 20; n++) {
    await stage.restart();
    clock.advance(28_000);
  }
  await stage.restart();
  expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
});

test('the time in which the process was frozen does not count for a run', async () => {
  const { clock, id, answer } = await working();
  clock.freeze(30 * MINUTE);
  await pass(clock, 7 * MINUTE);
  expect(await stage.run(id)).toMatchObject({ status: 'running' });
  answer();
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
});

test('a frozen process gives its runs no time beyond their limit', async () => {
  const { clock, id } = await working();
  clock.freeze(30 * MINUTE);
  await pass(clock, 9 * MINUTE);
  expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
});
