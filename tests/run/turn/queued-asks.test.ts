import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { ApprovalRecord } from '../../../engine/src/guard/approval.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

const MINUTE = 60_000;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\nbudget: { maxMinutes: 10 }\n';
const HELPER = 'id: helper\nname: Helper\nbudget: { maxMinutes: 300 }\n';

let stage: Stage;
afterEach(() => stage.close());

/** The director asks the helper twice at once; the helper adds an item for the first, and never ends the second. */
const play: Play = ({ role, turn, messages, signal }) => {
  if (role === 'director')
    return {
      tool_calls: [call('a', 'agent__helper', { input: 'one' }), call('b', 'agent__helper', { input: 'two' })],
    };
  if (messages.findLast((message) => message.role === 'user')?.content === 'two')
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  return turn === 1 ? { tool_calls: [call('x', 'workspace_add_item', { data: 'x' })] } : { content: 'One.' };
};

async function begin(files: Readonly<Record<string, string>>) {
  const clock = new SimulatedClock();
  stage = await setStage({
    clock,
    models: playModels(play),
    files: { 'directors/boss.yaml': BOSS, 'agents/helper.yaml': HELPER, ...files },
  });
  return { clock, id: await stage.begin() };
}

const approvals = async () => {
  const rows = await stage.app.deps.store.list('approval', { where: [['status', '=', 'pending']] });
  return rows.map(({ body }) => JSON.parse(body) as ApprovalRecord);
};

async function allow(tool: string): Promise<void> {
  await expect.poll(async () => (await approvals()).map((approval) => approval.tool)).toContain(tool);
  const { id = '' } = (await approvals()).find((approval) => approval.tool === tool) ?? {};
  await stage.app.engine.decide(id, { decision: 'allow', by: 'jane' });
}

/** Lets time pass in steps, as it does, with room for what it sets off. */
async function pass(clock: SimulatedClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE) {
    clock.advance(Math.min(left, MINUTE));
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Nothing but work counts from here on: ten minutes, and no more. */
async function expectTenMinutes(clock: SimulatedClock, id: string): Promise<void> {
  await stage.until(id, ({ status }) => status === 'running');
  await pass(clock, 9 * MINUTE);
  expect(await stage.run(id)).toMatchObject({ status: 'running' });
  await pass(clock, 2 * MINUTE);
  expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
}

const ASKS = { 'agents/helper.yaml': `${HELPER}permissions: { ask: [workspace_add_item] }\n` };

describe('the time of a director whose second ask queues behind one', () => {
  test('does not count while that one waits for a person, and counts again when it goes on', async () => {
    const { clock, id } = await begin(ASKS);
    await stage.until(id, ({ waitingFor }) => waitingFor === 'approval');
    await pass(clock, 60 * MINUTE);
    expect(await stage.run(id)).toMatchObject({ status: 'waiting', waitingFor: 'approval' });
    await allow('workspace_add_item');
    await expectTenMinutes(clock, id);
  });

  test('does not count when it comes to queue only while that one waits already', async () => {
    const { clock, id } = await begin({
      ...ASKS,
      'directors/boss.yaml': `${BOSS}permissions: { ask: [agent__helper] }\n`,
    });
    await allow('agent__helper');
    await expect.poll(async () => (await approvals()).map(({ tool }) => tool)).toContain('workspace_add_item');
    await allow('agent__helper');
    await pass(clock, 60 * MINUTE);
    expect(await stage.run(id)).toMatchObject({ status: 'waiting', waitingFor: 'approval' });
    await allow('workspace_add_item');
    await expectTenMinutes(clock, id);
  });

  test('does not count while that one waits for a limit', async () => {
    const { clock, id } = await begin({ 'agents/helper.yaml': `${HELPER}limits: { requestsPerHour: 1 }\n` });
    // The first ask takes two requests, an hour apart; the second one takes another an hour later.
    for (let hour = 0; hour < 2; hour++) {
      await stage.until(id, ({ waitingFor }) => waitingFor === 'limit');
      await pass(clock, 59 * MINUTE);
      expect(await stage.run(id)).toMatchObject({ status: 'waiting', waitingFor: 'limit' });
      await pass(clock, MINUTE);
    }
    await expectTenMinutes(clock, id);
  });

  test('is the same after a restart', async () => {
    const { clock, id } = await begin(ASKS);
    await stage.until(id, ({ waitingFor }) => waitingFor === 'approval');
    await stage.restart();
    await pass(clock, 60 * MINUTE);
    expect(await stage.run(id)).toMatchObject({ status: 'waiting', waitingFor: 'approval' });
    await allow('workspace_add_item');
    await expectTenMinutes(clock, id);
  });
});
