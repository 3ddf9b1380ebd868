import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { ApprovalRecord } from '../../../engine/src/guard/approval.ts';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const ASKS = {
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\nbudget: { maxMinutes: 10 }\npermissions: { ask: [workspace_add_item] }\n',
};
const adds: Play = ({ turn }) =>
  turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] } : { content: 'Done.' };

async function pending(): Promise<ApprovalRecord[]> {
  const rows = await stage.app.deps.store.list('approval', { where: [['status', '=', 'pending']] });
  return rows.map((row) => JSON.parse(row.body) as ApprovalRecord);
}

/** A run that waits for a person. */
async function waits(play: Play = adds, options: Parameters<typeof setStage>[0] = {}) {
  stage = await setStage({ models: playModels(play), ...options, files: { ...ASKS, ...options.files } });
  const id = await stage.begin();
  const run = await stage.until(id, ({ status }) => status === 'waiting');
  const [approval] = await pending();
  if (approval === undefined) throw new Error('nothing asks');
  return { id, run, approval };
}

const answerOf = async (id: string) => {
  const messages = await stage.messages((await stage.run(id)).dirThreadId);
  expect(transcriptFaults(messages)).toEqual([]);
  return String(messages.find(({ role }) => role === 'tool')?.content);
};

describe('a call that asks', () => {
  test('parks the run, costs no memory, and shows what is asked', async () => {
    const { run, approval } = await waits();
    expect(run).toMatchObject({ status: 'waiting', waitingFor: 'approval' });
    expect(approval).toMatchObject({
      tool: 'workspace_add_item',
      arguments: { data: 'x' },
      requestedBy: { directorId: 'boss' },
      status: 'pending',
    });
    expect(approval.reason).toContain('permissions.ask has "workspace_add_item"');
    expect(stage.app.engine.load()).toEqual({ working: 0, effects: 0, inMemory: 0 });
  });

  test('names the message that contains the call', async () => {
    const { run, approval } = await waits();
    const messages = await stage.messages(run.dirThreadId);
    expect(approval.place?.threadId).toBe(run.dirThreadId);
    expect(messages[(approval.place?.message ?? 0) - 1]).toMatchObject({
      role: 'assistant',
      tool_calls: [{ id: 'a' }],
    });
  });

  test('is done once it is allowed', async () => {
    const { id, approval } = await waits();
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(await listItems(stage.app.deps.store, id)).toMatchObject([{ data: 'x' }]);
    expect(JSON.parse(await answerOf(id))).toMatchObject({ item: { data: 'x' } });
  });

  test('is done with the arguments that a person has put in, and the model is told', async () => {
    const { id, approval } = await waits();
    await stage.app.engine.decide(approval.id, { decision: 'allow', arguments: { data: 'better' }, by: 'jane' });
    await stage.ended(id);
    expect(await listItems(stage.app.deps.store, id)).toMatchObject([{ data: 'better' }]);
    expect(JSON.parse(await answerOf(id))).toMatchObject({
      argumentsChangedTo: { data: 'better' },
      result: { item: { data: 'better' } },
    });
  });

  test('stays pending when edited arguments are not what the tool takes', async () => {
    const { approval } = await waits();
    const edited = stage.app.engine.decide(approval.id, { decision: 'allow', arguments: { data: 7 }, by: 'jane' });
    await expect(edited).rejects.toMatchObject({ code: 'TOOL_ARGUMENTS' });
    expect(await pending()).toHaveLength(1);
  });

  test('is answered with the reason when it is denied', async () => {
    const { id, approval } = await waits();
    await stage.app.engine.decide(approval.id, { decision: 'deny', reason: 'not today', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(JSON.parse(await answerOf(id))).toMatchObject({
      error: { code: 'TOOL_DENIED', message: 'a person denied this call: not today' },
    });
    expect(await listItems(stage.app.deps.store, id)).toEqual([]);
  });

  test('is decided once, also when two answers come together', async () => {
    const { id, approval } = await waits();
    const answers = await Promise.allSettled(
      ['jane', 'john'].map((by) => stage.app.engine.decide(approval.id, { decision: 'allow', by })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'APPROVAL_DECIDED' } });
    await stage.ended(id);
    expect(await listItems(stage.app.deps.store, id)).toHaveLength(1);
  });

  test('waits across a restart', async () => {
    const { id, approval } = await waits();
    await stage.restart();
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(await listItems(stage.app.deps.store, id)).toHaveLength(1);
  });

  test('lapses when the run is cancelled, and can then no longer be allowed', async () => {
    const { id, approval } = await waits();
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled', error: { code: 'RUN_CANCELLED' } });
    expect(JSON.parse(await answerOf(id))).toMatchObject({ error: { code: 'TOOL_CANCELLED' } });
    await expect(stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' })).rejects.toMatchObject({
      code: 'APPROVAL_DECIDED',
    });
    expect(await listItems(stage.app.deps.store, id)).toEqual([]);
  });

  test('does not use up the time of the run', async () => {
    const clock = new SimulatedClock();
    const { id, approval } = await waits(adds, { clock });
    clock.advance(3 * 24 * 3600_000);
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('parks the director too when it is an agent that asks, so that nobody runs out of time', async () => {
    const clock = new SimulatedClock();
    const play: Play = ({ role, turn }) => {
      if (turn > 1) return { content: 'Done.' };
      return {
        tool_calls: [
          role === 'director'
            ? call('a', 'agent__helper', { input: 'x' })
            : call('b', 'workspace_add_item', { data: 'y' }),
        ],
      };
    };
    const { id, run, approval } = await waits(play, { clock });
    expect(run.waitingFor).toBe('approval');
    expect(approval.requestedBy).toEqual({ directorId: 'boss', agentId: 'helper' });
    clock.advance(3 * 24 * 3600_000);
    await stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(await listItems(stage.app.deps.store, id)).toMatchObject([{ data: 'y' }]);
  });
});

test('a tightened permission holds for runs that are under way, a loosened one does not', async () => {
  const { id, approval } = await waits();
  stage.write({
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\npermissions: { deny: [workspace_add_item] }\n',
  });
  await stage.app.config.refresh();
  await expect(stage.app.engine.decide(approval.id, { decision: 'allow', by: 'jane' })).rejects.toMatchObject({
    code: 'APPROVAL_LAPSED',
  });
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  expect(await listItems(stage.app.deps.store, id)).toEqual([]);
  expect(JSON.parse(await answerOf(id))).toMatchObject({ error: { code: 'APPROVAL_LAPSED' } });
});
