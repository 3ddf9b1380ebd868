import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { call, playModels, setStage, type Stage } from '../../run/harness.ts';
import { replayRuns } from './replay-runs.ts';

let stage: Stage;
afterEach(() => stage.close());

const FILES = {
  'directors/desk.yaml': `
id: desk
name: Desk
mode: plan
apiConfigId: main
tools: [workspace, ask_user, memory]
permissions: { allow: ['*'] }
plan: { maxSteps: 4, maxRoundsPerStep: 2, maxRetriesPerStep: 1 }
prompt: [{ role: system, content: You are a desk assistant. }, { role: user, content: '{{message}}' }]
`,
};

const step = (title: string, tool = 'none') => ({ title, task: `Do it: ${title}`, tool });
const PLAN = {
  ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
  steps: [step('note', 'workspace_add_item'), step('ask', 'ask_user'), step('fail')],
};

/** The roles of a plan: a note, a question to the user, and a step that fails at first. */
function roles() {
  let failed = 0;
  return ({ messages }: ModelRequest) => {
    const system = messages.map(({ role, content }) => (role === 'system' ? (content ?? '') : '')).join('\n');
    const hasResult = messages.some(({ role }) => role === 'tool');
    const data = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    if (system.includes('You are the planner')) return { content: JSON.stringify(PLAN) };
    if (system.includes('You are the evaluator')) return { content: JSON.stringify({ passed: true, reason: 'fine' }) };
    if (!system.includes('You are the executor')) return { content: 'The note is made.' };
    if (data.includes('Do it: fail')) return { content: failed++ === 0 ? '[ERROR] not yet' : 'Worked.' };
    if (hasResult) return { content: 'Done.' };
    return data.includes('Do it: ask')
      ? { tool_calls: [call('c1', 'ask_user', { question: 'Which day?' })] }
      : { tool_calls: [call('c1', 'workspace_add_item', { label: 'note', data: 'x' })] };
  };
}

async function run(): Promise<string> {
  stage = await setStage({ files: FILES, models: playModels(roles()) });
  const id = await stage.begin('desk', 'make a note');
  await stage.until(id, ({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Monday', by: 'jane' });
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  return id;
}

test('a run that worked by a plan has no difference when it is replayed under its own config', async () => {
  const id = await run();
  expect(await replayRuns(stage, [id])).toEqual({ differences: [], leftOut: [], total: 1 });
});

test('another prompt of a director that plans is reported as another request', async () => {
  const id = await run();
  stage.write({ 'directors/desk.yaml': FILES['directors/desk.yaml'].replace('a desk assistant', 'a quick assistant') });
  const { differences } = await replayRuns(stage, [id]);
  expect(differences).toEqual([
    expect.stringMatching(/^requests: the director asks openai test something else: .*quick/),
  ]);
});
