import { afterEach, describe, expect, test } from 'vitest';
import { type ApprovalRecord, listApprovals } from '../../../engine/src/guard/approval.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const files = (mode: string) => ({
  'directors/boss.yaml': `id: boss\nname: Boss\n${mode}apiConfigId: main\nagents: [helper]\npermissions: { allow: ['*'] }\n`,
  'agents/helper.yaml':
    "id: helper\nname: Helper\ndescription: Helps.\ntools: [outside]\npermissions: { allow: ['*'] }\nprompt:\n  - { role: system, content: You are the helper. }\n  - { role: user, content: '{{message}}' }\n",
});

const PLAN = {
  ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
  steps: [{ title: 'Ask the helper', task: 'Have it done.', tool: 'agent__helper' }],
};

/** A helper that acts whenever it is asked, and a caller that asks it again after each answer without success, twice at most. */
const insists: Play = ({ messages }) => {
  const said = messages.map(({ content }) => content ?? '').join('\n');
  const last = messages.at(-1)?.role;
  const isHelper = said.includes('You are the helper');
  const asks = said.split('"sessionId"').length - 1;
  if (said.includes('You are the planner')) return { content: JSON.stringify(PLAN) };
  if (isHelper)
    return last === 'tool' ? { content: 'I do not know.' } : { tool_calls: [call('act', 'act', { what: 'x' })] };
  if (said.includes('You are the executor'))
    return last === 'tool'
      ? { content: '[ERROR] Nobody knows.' }
      : { tool_calls: [call('ask', 'agent__helper', { input: 'do it' })] };
  if (said.includes('Ask the helper') || asks >= 2) return { content: 'That is all.' };
  return { tool_calls: [call('ask', 'agent__helper', { input: 'do it' })] };
};

/** A run whose agent acts; the process ends before anybody knows whether it has, and a person does not want it again. */
async function unknown(mode: string) {
  let launched = 0;
  const act: WorldTool = {
    ...{ name: 'act', family: 'outside', effects: 'write', repeat: 'once', description: 'Acts.' },
    parameters: { type: 'object', properties: { what: { type: 'string' } }, additionalProperties: false },
    run: () => (++launched === 1 ? new Promise(() => {}) : Promise.resolve('done')),
  };
  stage = await setStage({ models: playModels(insists), files: files(mode), tools: [act] });
  const id = await stage.begin();
  await expect.poll(() => launched).toBe(1);
  await stage.restart();
  const unsure = await asked(id);
  expect(unsure.reason).toContain('it may have happened');
  await stage.app.engine.decide(unsure.id, { decision: 'deny', by: 'jane' });
  return { id, launched: () => launched };
}

async function asked(id: string): Promise<ApprovalRecord> {
  await stage.until(id, ({ status }) => status !== 'running' && status !== 'queued');
  const [approval] = await listApprovals(stage.app.deps.store, id, 'pending');
  if (approval === undefined) throw new Error('nothing asks');
  return approval;
}

describe.each([
  ['the next try of a step of a plan', 'mode: plan\n'],
  ['the next question to the session of an agent', ''],
])('a write of an agent of which nobody knows whether it happened, in %s', (_name, mode) => {
  test('is not made again before a person allows it', async () => {
    const { id, launched } = await unknown(mode);
    const again = await asked(id);
    expect(again).toMatchObject({ tool: 'act', requestedBy: { agentId: 'helper' } });
    expect(again.reason).toContain('nobody knows whether an earlier call of act in this run happened');
    expect(launched()).toBe(1);
    await stage.app.engine.decide(again.id, { decision: 'allow', by: 'jane' });
    await expect.poll(launched).toBe(2);
  });

  test('stays as it is where the person says no again, and the run ends', async () => {
    const { id, launched } = await unknown(mode);
    for (;;) {
      await stage.until(id, ({ status }) => status !== 'running' && status !== 'queued');
      const [approval] = await listApprovals(stage.app.deps.store, id, 'pending');
      if (approval === undefined) break;
      await stage.app.engine.decide(approval.id, { decision: 'deny', by: 'jane' });
    }
    expect((await stage.run(id)).status).toBe('completed');
    expect(launched()).toBe(1);
  });
});
