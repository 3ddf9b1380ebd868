import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { Engine } from '../../../engine/src/run/engine/engine.ts';
import { LocalMeters } from '../../../engine/src/budget/local-meters.ts';
import type { Meters } from '../../../engine/src/budget/meters.ts';
import type { Dependencies } from '../../../engine/src/run/dependencies.ts';
import { SharedMeters } from '../../../engine/src/budget/shared-meters.ts';
import { listSpend } from '../../../engine/src/budget/spend.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';
import { touches, watchStore } from '../watched-store.ts';

let stage: Stage;
afterEach(() => stage.close());

const API = (more: string) => ({
  'apis/main.yaml': `id: main\nprovider: openai\nmodel: test\napiKey: \${env:KEY}\n${more}`,
});
const DIRECTOR = (budget: string) => ({
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\nbudget: ${budget}\n`,
});
const adds: Play = ({ turn }) => ({ tool_calls: [call('a', 'workspace_add_item', { data: String(turn) })] });

describe('a token budget', () => {
  test('ends a run whose next request may not fit, and keeps what is there', async () => {
    stage = await setStage({
      models: playModels(adds),
      files: { ...DIRECTOR('{ maxTokens: 600 }'), ...API('limits: { maxTokensPerRequest: 500 }\n') },
    });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'LIMIT_BUDGET' } });
    expect(run.error?.message).toContain('budget of boss');
    expect(run.usage.turns).toBeGreaterThan(0);
    expect(await listItems(stage.app.deps.store, run.id)).toHaveLength(run.usage.turns);
    expect(transcriptFaults(await stage.messages(run.dirThreadId))).toEqual([]);
  });

  test('of a director binds its agents: a child gets what is left', async () => {
    const play: Play = (request) =>
      request.role === 'director'
        ? request.turn === 1
          ? { tool_calls: [call('a', 'agent__helper', { input: 'x' })] }
          : { content: 'Done.' }
        : adds(request);
    stage = await setStage({
      models: playModels(play),
      files: { ...DIRECTOR('{ maxTokens: 900 }'), ...API('limits: { maxTokensPerRequest: 300 }\n') },
    });
    const run = await stage.ended(await stage.begin());
    const answer = (await stage.messages(run.dirThreadId)).find(({ role }) => role === 'tool');
    expect(JSON.parse(String(answer?.content))).toMatchObject({ done: false, error: { code: 'LIMIT_BUDGET' } });
    expect(run.usage.inputTokens + run.usage.outputTokens).toBeLessThanOrEqual(900);
  });

  test('counts requests that are under way: parallel agents cannot overdraw it', async () => {
    let atOnce = 0;
    let most = 0;
    const play: Play = async (request) => {
      if (request.role === 'director')
        return request.turn === 1
          ? { tool_calls: [call('a', 'agent__helper', { input: 'x' }), call('b', 'agent__other', { input: 'y' })] }
          : { content: 'Done.' };
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce--;
      return { content: 'ok' };
    };
    stage = await setStage({
      models: playModels(play),
      files: {
        'directors/boss.yaml':
          'id: boss\nname: Boss\napiConfigId: main\nagents: [helper, other]\nbudget: { maxTokens: 1000 }\n',
        'agents/other.yaml': 'id: other\nname: Other\n',
        ...API('limits: { maxTokensPerRequest: 600 }\n'),
      },
    });
    const run = await stage.ended(await stage.begin());
    expect(most).toBe(1);
    const answers = (await stage.messages(run.dirThreadId))
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.parse(String(content)) as { done: boolean });
    expect(answers.map(({ done }) => done).sort()).toEqual([false, true]);
  });
});

describe('a cost budget', () => {
  test('ends a run that would cost more, and the cost is on record', async () => {
    stage = await setStage({
      models: playModels(adds),
      files: {
        ...DIRECTOR('{ maxCost: 0.01 }'),
        ...API('price: { inputPerMillion: 100, outputPerMillion: 1000 }\nlimits: { maxTokensPerRequest: 5 }\n'),
      },
    });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'LIMIT_BUDGET' } });
    expect(run.usage.cost).toBeCloseTo(run.usage.turns * 0.002, 6);
    expect(await listSpend(stage.app.deps.store, '2000-01-01')).toMatchObject([
      { directorId: 'boss', apiId: 'main', runs: 1, cost: run.usage.cost },
    ]);
  });

  test('refuses a model whose price is not known, rather than take it for free', async () => {
    stage = await setStage({ models: playModels(() => ({ content: 'Done.' })), files: DIRECTOR('{ maxCost: 1 }') });
    const run = await stage.ended(await stage.begin());
    expect(run).toMatchObject({ status: 'failed', error: { code: 'LIMIT_BUDGET' }, usage: { turns: 0 } });
    expect(run.error?.message).toContain('price of the model is not known');
  });

  test('an unknown price is shown as unknown where no budget needs it', async () => {
    stage = await setStage({ models: playModels(() => ({ content: 'Done.' })) });
    expect((await stage.ended(await stage.begin())).usage).toEqual({
      turns: 1,
      inputTokens: 10,
      outputTokens: 1,
      cost: null,
    });
  });
});

describe('rate limits', () => {
  test('of an api make runs wait until the window opens, and are kept across a restart', async () => {
    const clock = new SimulatedClock(1_760_000_040_000);
    const options = {
      clock,
      models: playModels(() => ({ content: 'Done.' })),
      files: API('limits: { requestsPerMinute: 2 }\n'),
    };
    stage = await setStage(options);
    await stage.ended(await stage.begin());
    await stage.ended(await stage.begin());
    const third = await stage.begin();
    await stage.until(third, ({ waitingFor }) => waitingFor === 'limit');
    await stage.restart();
    const fourth = await stage.begin();
    await stage.until(fourth, ({ waitingFor }) => waitingFor === 'limit');
    clock.advance(60_001);
    expect(await stage.ended(third)).toMatchObject({ status: 'completed' });
    expect(await stage.ended(fourth)).toMatchObject({ status: 'completed' });
  });

  test('of an agent leave an audit entry and lose nothing', async () => {
    const clock = new SimulatedClock();
    const play: Play = ({ role, turn }) =>
      role === 'director' && turn === 1
        ? { tool_calls: [call('a', 'agent__helper', { input: 'x' })] }
        : { content: 'Done.' };
    stage = await setStage({
      clock,
      models: playModels(play),
      files: { 'agents/helper.yaml': 'id: helper\nname: Helper\nlimits: { requestsPerHour: 1 }\n' },
    });
    await stage.ended(await stage.begin());
    const second = await stage.begin();
    const entries = async () =>
      (await stage.app.deps.store.list('entry', { where: [['scope', '=', second]] }))
        .map(({ body }) => body)
        .join('\n');
    await expect.poll(entries).toContain('"limit_wait","limit":"agent helper"');
    clock.advance(3_600_001);
    expect(await stage.ended(second)).toMatchObject({ status: 'completed' });
  });

  test('the day budget makes runs wait for the next day', async () => {
    const clock = new SimulatedClock(Date.parse('2026-11-21T22:00:00Z'));
    stage = await setStage({
      clock,
      models: playModels(() => ({ content: 'Done.' })),
      files: { 'settings.yaml': 'budget: { maxTokensPerDay: 1010 }\n' },
    });
    await stage.ended(await stage.begin());
    const second = await stage.begin();
    await stage.until(second, ({ waitingFor }) => waitingFor === 'limit');
    clock.advance(2 * 3_600_000 + 1);
    expect(await stage.ended(second)).toMatchObject({ status: 'completed' });
  });
});

/** On the stage's store, in place of its engine: one with meters of its own. Each `start` is a new process. */
async function setProcess(meters: (deps: Dependencies) => Meters, options: Parameters<typeof setStage>[0]) {
  stage = await setStage(options);
  await stage.app.engine.stop();
  const { deps } = stage.app;
  const store = watchStore(deps.store);
  let engine: Engine | undefined;
  const stop = async () => engine?.stop();
  return {
    store,
    stop,
    async start() {
      await stop();
      engine = new Engine({ ...deps, store, meters: meters({ ...deps, store }) });
      await engine.start();
    },
    async begin() {
      const id = await stage.begin();
      engine?.queued();
      return id;
    },
  };
}

describe.each<{ name: string; meters: (deps: Dependencies) => Meters }>([
  { name: 'of a process alone', meters: ({ store }) => new LocalMeters(store) },
  { name: 'of several processes', meters: (deps) => new SharedMeters(deps) },
])('meters $name', ({ meters }) => {
  const says: Play = () => ({ content: 'Done.' });
  const never: Play = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const conflict = () => new EngineError('STORE_CONFLICT', 'somebody was faster');

  test('let through what the limit says, and the rest when it opens', async () => {
    const clock = new SimulatedClock(1_760_000_040_000);
    const files = API('limits: { requestsPerMinute: 2 }\n');
    const process = await setProcess(meters, { clock, models: playModels(says), files });
    await process.start();
    for (let n = 0; n < 2; n++) await stage.ended(await process.begin());
    const third = await process.begin();
    await stage.until(third, ({ waitingFor }) => waitingFor === 'limit');
    clock.advance(66_001);
    expect(await stage.ended(third)).toMatchObject({ status: 'completed' });
    await process.stop();
  });

  test('count a request once when its step has to be made again', async () => {
    const files = API('limits: { requestsPerMinute: 2 }\n');
    const play: Play = ({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] } : { content: 'Done.' };
    const process = await setProcess(meters, { clock: new SimulatedClock(), models: playModels(play), files });
    let refused = 0;
    // Both requests: the run's first one, and the one of the step that takes its answer.
    process.store.refuse = (changes) => {
      const isRequest = changes.some(
        (change) => change.op === 'insert' && change.table === 'event' && change.row.body.includes('"kind":"request"'),
      );
      return isRequest && ++refused % 3 > 0 ? conflict() : undefined;
    };
    await process.start();
    expect(await stage.ended(await process.begin())).toMatchObject({ status: 'completed' });
    expect(refused).toBe(6);
    await process.stop();
  });

  test('count a request again that a process makes after one that ended', async () => {
    const clock = new SimulatedClock(1_760_000_040_000);
    const files = API('limits: { requestsPerMinute: 1 }\n');
    let asked = 0;
    const play: Play = (request) => (++asked === 1 ? never(request) : says(request));
    const process = await setProcess(meters, { clock, models: playModels(play), files });
    await process.start();
    const id = await process.begin();
    await expect.poll(() => asked).toBe(1);
    await process.start();
    await stage.until(id, ({ waitingFor }) => waitingFor === 'limit');
    expect(asked).toBe(1);
    clock.advance(66_001);
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', usage: { turns: 1 } });
    await process.stop();
  });

  test('still know of requests under way when the run has been read anew', async () => {
    const play: Play = (request) => {
      if (request.role === 'director')
        return request.turn === 1
          ? { tool_calls: [call('a', 'agent__slow', { input: 'x' }), call('b', 'agent__quick', { input: 'y' })] }
          : { content: 'Done.' };
      if (request.actorId === 'slow') return release.promise.then(() => ({ content: 'ok' }));
      const data = 'x'.repeat(4000);
      return request.turn === 1 ? { tool_calls: [call('c', 'workspace_add_item', { data })] } : { content: 'ok' };
    };
    const release = Promise.withResolvers<void>();
    const files = {
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\nagents: [slow, quick]\nbudget: { maxTokens: 3000 }\n',
      'agents/slow.yaml': 'id: slow\nname: Slow\n',
      'agents/quick.yaml': 'id: quick\nname: Quick\n',
      ...API('limits: { maxTokensPerRequest: 600 }\n'),
    };
    const process = await setProcess(meters, { models: playModels(play), files });
    let isRefused = false;
    process.store.refuse = (changes) => {
      if (isRefused || !JSON.stringify(changes).includes('xxxx')) return undefined;
      isRefused = true;
      return conflict();
    };
    await process.start();
    const id = await process.begin();
    const isAnswered = async () => JSON.stringify(await stage.messages((await stage.run(id)).dirThreadId));
    await expect.poll(isAnswered).toContain('LIMIT_BUDGET');
    release.resolve();
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(isRefused).toBe(true);
    await process.stop();
  });

  test('ask nothing of the store in a run that has no limits', async () => {
    const process = await setProcess(meters, { models: playModels(says) });
    await process.start();
    process.store.reads.length = 0;
    expect(await stage.ended(await process.begin())).toMatchObject({ status: 'completed' });
    await process.stop();
    const { reads, lists } = process.store;
    expect(reads.filter((table) => table === 'counter')).toEqual([]);
    expect(lists.filter((changes) => touches(changes, 'counter') || touches(changes, 'rate'))).toEqual([]);
  });
});

test('an agent gets no more time than its director has left', async () => {
  const clock = new SimulatedClock();
  let asked = 0;
  const play: Play = (request) => {
    if (request.role === 'director') {
      clock.advance(9 * 60_000);
      return { tool_calls: [call('a', 'agent__helper', { input: 'x' })] };
    }
    asked++;
    return new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(request.signal?.reason)));
  };
  stage = await setStage({ clock, models: playModels(play) });
  const id = await stage.begin();
  await expect.poll(() => asked).toBe(1);
  clock.advance(60_001);
  expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
});
