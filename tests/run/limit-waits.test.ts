import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { ModelError } from '../../engine/src/model/model-error.ts';
import type { LiveEvent } from '../../engine/src/trace/live-bus.ts';
import { call, type Play, playModels, setStage, type Stage } from './harness.ts';

const HOUR = 3_600_000;
const LIMITED = 'id: helper\nname: Helper\nlimits: { requestsPerHour: 1 }\n';

let stage: Stage;
afterEach(() => stage.close());

const later = (clock: SimulatedClock, ms: number) => new Date(clock.now() + ms).toISOString();
const isLimited = ({ waitingFor }: { waitingFor?: string }) => waitingFor === 'limit';

/** The director asks the helper once for each word, all at once. */
const asks =
  (...words: readonly string[]): Play =>
  ({ role, turn }) =>
    role === 'director' && turn === 1
      ? { tool_calls: words.map((input) => call(input, 'agent__helper', { input })) }
      : { content: 'Done.' };

describe('a run that waits for a limit', () => {
  test('says which one and when it opens, to those who listen too, and no longer once it goes on', async () => {
    const clock = new SimulatedClock();
    const told: LiveEvent['data'][] = [];
    stage = await setStage({ clock, models: playModels(asks('a', 'b')), files: { 'agents/helper.yaml': LIMITED } });
    stage.app.deps.live.subscribe(({ name, data }) => name === 'run' && told.push(data));
    const id = await stage.begin();
    const until = later(clock, HOUR);
    const run = await stage.until(id, isLimited);
    expect(run).toMatchObject({ status: 'waiting', limit: 'agent helper', until });
    expect(told.at(-1)).toMatchObject({ id, status: 'waiting', waitingFor: 'limit', limit: 'agent helper', until });
    clock.advance(HOUR);
    const ended = await stage.ended(id);
    expect(ended).not.toHaveProperty('limit');
    expect(ended).not.toHaveProperty('until');
  });

  test('tells the new time when it has to wait once more', async () => {
    const clock = new SimulatedClock();
    const told: unknown[] = [];
    stage = await setStage({
      clock,
      models: playModels(asks('a', 'b', 'c')),
      files: { 'agents/helper.yaml': LIMITED },
    });
    stage.app.deps.live.subscribe(({ name, data }) => name === 'run' && told.push(data['until']));
    const id = await stage.begin();
    const first = later(clock, HOUR);
    const second = later(clock, 2 * HOUR);
    await stage.until(id, isLimited);
    clock.advance(HOUR);
    await stage.until(id, ({ until }) => until === second);
    expect(told.filter((until) => until !== undefined)).toEqual([first, second]);
  });

  test('names it after a restart', async () => {
    const clock = new SimulatedClock();
    stage = await setStage({ clock, models: playModels(asks('a', 'b')), files: { 'agents/helper.yaml': LIMITED } });
    const id = await stage.begin();
    const before = await stage.until(id, isLimited);
    await stage.restart();
    expect(await stage.run(id)).toMatchObject({ limit: before.limit, until: before.until });
  });

  test('names the first to open of several, also when something else worked in between', async () => {
    const clock = new SimulatedClock();
    let proceed = () => {};
    const waited = new Promise<void>((resolve) => (proceed = resolve));
    const models = playModels(async ({ role, actorId, turn }) => {
      if (role === 'director')
        return turn === 1
          ? { tool_calls: ['helper', 'other'].map((id) => call(id, `agent__${id}`, { input: 'x' })) }
          : { content: 'Done.' };
      if (actorId === 'helper')
        throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: HOUR });
      await waited;
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 2 * HOUR });
    });
    const files = {
      'agents/other.yaml': 'id: other\nname: Other\n',
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper, other]\n',
    };
    stage = await setStage({ clock, models, files });
    const id = await stage.begin();
    const until = later(clock, HOUR);
    // The helper waits already, but the other one works on: so does the run.
    await expect.poll(async () => stage.app.deps.store.count('timer', [['name', '!=', 'deadline']])).toBe(1);
    expect(await stage.run(id)).toMatchObject({ status: 'running' });
    proceed();
    expect(await stage.until(id, isLimited)).toMatchObject({ limit: 'provider of api main', until });
  });
});

describe('a provider that says when to ask again', () => {
  const api = (retry: string) =>
    `id: main\nprovider: openai\nmodel: test\napiKey: \${env:KEY}\nretry: { attempts: 3, backoffSeconds: 1${retry} }\n`;
  const busy = (code: 'MODEL_RATE_LIMIT' | 'MODEL_UNAVAILABLE' | 'MODEL_TIMEOUT', retryAfterMs: number) =>
    new ModelError(code, 'busy', { retryable: true, retryAfterMs });

  test.each(['MODEL_RATE_LIMIT', 'MODEL_UNAVAILABLE', 'MODEL_TIMEOUT'] as const)(
    'is waited for after %s, without the place of the run and without its time',
    async (code) => {
      const clock = new SimulatedClock();
      let refusals = 0;
      const models = playModels(() => {
        if (refusals++ === 0) throw busy(code, HOUR / 2);
        return { content: 'Done.' };
      });
      const files = {
        'settings.yaml': 'runs: { concurrency: 1 }\n',
        'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nbudget: { maxMinutes: 5 }\n',
      };
      stage = await setStage({ clock, models, files });
      const until = later(clock, HOUR / 2);
      const first = await stage.begin();
      const second = await stage.begin();
      expect(await stage.ended(second)).toMatchObject({ status: 'completed' });
      expect(await stage.run(first)).toMatchObject({
        status: 'waiting',
        waitingFor: 'limit',
        limit: 'provider of api main',
        until,
      });
      clock.advance(HOUR / 2);
      expect(await stage.ended(first)).toMatchObject({ status: 'completed' });
    },
  );

  test.each([2 * HOUR, 1e13, 1e300, Number.MAX_VALUE, Infinity])(
    'is not waited for if that is %d ms, longer than an hour',
    async (retryAfterMs) => {
      const models = playModels(() => {
        throw busy('MODEL_UNAVAILABLE', retryAfterMs);
      });
      stage = await setStage({ clock: new SimulatedClock(), models });
      const { error } = await stage.ended(await stage.begin());
      expect(error).toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        message: expect.stringContaining('retry.maxWaitSeconds of api "main" is 3600') as string,
      });
    },
  );

  test('is waited for as long as the api allows', async () => {
    const clock = new SimulatedClock();
    const models = playModels(() => {
      throw busy('MODEL_RATE_LIMIT', 2 * HOUR);
    });
    stage = await setStage({ clock, models, files: { 'apis/main.yaml': api(', maxWaitSeconds: 7200') } });
    const id = await stage.begin();
    expect(await stage.until(id, isLimited)).toMatchObject({ until: later(clock, 2 * HOUR) });
  });
});
