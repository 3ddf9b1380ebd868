import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { call, type Play, playModels } from '../run/harness.ts';
import { setSharedStage, type SharedStage } from '../run/shared-harness.ts';

let stage: SharedStage;
afterEach(() => stage.close());

const API = (limits: string) => ({
  'apis/main.yaml': `id: main\nprovider: openai\nmodel: test\napiKey: \${env:KEY}\nlimits: ${limits}\n`,
});
const BOSS = (more: string) => ({ 'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\n${more}\n` });
const poke = {
  name: 'poke',
  family: 'poke',
  description: 'Pokes.',
  parameters: { type: 'object', properties: {} },
  effects: 'write' as const,
  repeat: 'key' as const,
  run: async () => 'poked',
};

describe('limits of runs that several processes work', () => {
  test('let through as many requests as they say, whichever process makes them', async () => {
    const clock = new SimulatedClock(1_760_000_040_000);
    const asked = [0, 0, 0];
    const models = (n: number) => playModels(() => (asked[n]!++, { content: 'done' }));
    const files = { ...API('{ requestsPerMinute: 5 }'), 'settings.yaml': 'runs: { concurrency: 2 }\n' };
    stage = await setSharedStage(3, { clock, files, each: (n) => ({ models: models(n) }) });
    const ids = await Promise.all(Array.from({ length: 12 }, () => stage.begin()));
    const count = () => asked.reduce((sum, n) => sum + n);
    const waiting = async () => (await stage.store.list('run', { where: [['status', '=', 'waiting']] })).length;
    await expect.poll(waiting).toBe(7);
    expect(count()).toBe(5);
    clock.advance(66_001);
    await expect.poll(waiting).toBe(2);
    expect(count()).toBe(10);
    clock.advance(66_001);
    for (const id of ids) expect((await stage.ended(id)).status).toBe('completed');
    expect(count()).toBe(12);
  });

  test('count a request once that a person brings about in a process which does not work the run', async () => {
    const pokes: Play = ({ turn }) => (turn === 1 ? { tool_calls: [call('c1', 'poke', {})] } : { content: 'done' });
    const files = {
      ...API('{ requestsPerMinute: 2 }'),
      ...BOSS('tools: [poke]\npermissions: { ask: [poke] }'),
      'settings.yaml': 'budget: { maxTokensPerDay: 5000 }\n',
    };
    const each = () => ({ models: playModels(pokes), tools: [poke] });
    stage = await setSharedStage(2, { clock: new SimulatedClock(), idle: [0], files, each });
    const id = await stage.begin();
    await stage.until(id, ({ status }) => status === 'waiting');
    const [approval] = await stage.store.list('approval');
    await stage.apps[0]!.engine.decide(approval!.id, { decision: 'deny', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', usage: { inputTokens: 20, outputTokens: 2 } });
    for (const app of stage.apps) await app.engine.stop();
    const row = await stage.store.get('counter', { name: 'day' });
    expect(JSON.parse(row!.body)).toMatchObject({ sum: { tokens: 22 }, names: [] });
  });

  test('count the request of a process that has died, and that of the one which makes it again', async () => {
    const clock = new SimulatedClock(1_760_000_040_000);
    const { promise: isStuck, resolve } = Promise.withResolvers<void>();
    const models = (n: number) =>
      playModels(() => (n === 1 ? { content: 'done by the other' } : (resolve(), new Promise(() => {}))));
    const files = API('{ requestsPerMinute: 1 }');
    stage = await setSharedStage(2, { clock, files, idle: [1], each: (n) => ({ models: models(n) }) });
    const id = await stage.begin();
    await isStuck;
    stage.queue.freeze('w0');
    await stage.apps[1]!.engine.start();
    stage.queue.giveAway('w0');
    await stage.until(id, ({ waitingFor }) => waitingFor === 'limit');
    clock.advance(66_001);
    expect((await stage.ended(id)).summary).toBe('done by the other');
  });
});
