import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPlan } from '../../../engine/src/run/plan/plan-record.ts';
import type { Message, ModelRequest } from '../../../engine/src/model/model.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

const FILES = {
  'apis/second.yaml': 'id: second\nprovider: openai\nmodel: other\napiKey: ${env:KEY}\n',
  'directors/boss.yaml': `
id: boss
name: Boss
mode: plan
apiConfigId: main
agents: [helper]
permissions: { allow: ['*'] }
plan: { maxRetriesPerStep: 1 }
`,
  'agents/helper.yaml': `
id: helper
name: Helper
description: Helps.
apiConfigId: second
tools: [reminder]
permissions: { allow: ['*'] }
prompt:
  - { role: system, content: You are the helper. }
  - { role: user, content: '{{message}}' }
`,
};

type Answer = Partial<Extract<Message, { role: 'assistant' }>>;

interface Asked {
  readonly role: string;
  /** The number of requests of this role before this one. */
  readonly n: number;
  readonly data: string;
  readonly request: ModelRequest;
}

const PLAN = {
  ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
  steps: [{ title: 'Ask the helper', task: 'Have it done.', tool: 'agent__helper' }],
};

let asked: Asked[] = [];
let answers: { executor?: (asked: Asked) => Answer; helper?: (asked: Asked) => Answer } = {};

const models = playModels((request) => {
  const system = request.messages.map(({ role, content }) => (role === 'system' ? (content ?? '') : '')).join('\n');
  const role = /You are the (\w+)/.exec(system)?.[1] ?? 'synthesis';
  const data = request.messages.findLast((message) => message.role === 'user')?.content ?? '';
  const one = { role, n: asked.filter((other) => other.role === role).length, data, request };
  asked.push(one);
  if (role === 'planner') return { content: JSON.stringify(PLAN) };
  if (role === 'executor') return answers.executor?.(one) ?? askHelper(one);
  if (role === 'helper') return answers.helper?.(one) ?? { content: 'The helper has done it.' };
  return { content: 'All is well.' };
});

/** Asks the helper, and says then that it is done. */
const askHelper = ({ n, request }: Asked): Answer =>
  request.messages.at(-1)?.role === 'tool'
    ? { content: 'It is done.' }
    : { tool_calls: [call(`a${n}`, 'agent__helper', { input: 'do it' })] };

const asRole = (name: string) => asked.filter(({ role }) => role === name);

describe('a plan with an agent', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ files: FILES, models });
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    asked = [];
    answers = {};
  });

  async function runPlan(message = 'have it done') {
    const id = await stage.begin('boss', message);
    const run = await stage.ended(id);
    return { run, plan: await readPlan(stage.app.deps.store, id) };
  }

  test('asks an agent that has an api of its own', async () => {
    const { run, plan } = await runPlan();
    expect(asRole('helper')).toHaveLength(1);
    expect(asRole('executor').at(-1)?.request.messages.at(-1)?.content).toContain('The helper has done it.');
    expect(plan?.steps.map(({ status }) => status)).toEqual(['passed']);
    expect(run.apis.map(({ id }) => id)).toContain('second');
  });

  test('does not offer an agent again that has done a write in an earlier try, and names the write', async () => {
    answers = {
      executor: (one) =>
        one.n === 1 ? { content: '[ERROR] not sure' } : one.n > 1 ? { content: 'Set.' } : askHelper(one),
      helper: ({ n }) =>
        n === 0 ? { tool_calls: [call('r', 'reminder_create', { text: 'Call Ann', in: 'P1D' })] } : { content: 'Set.' },
    };
    const { plan } = await runPlan('have me reminded to call Ann tomorrow at 12');
    const offered = asRole('executor').map(({ request }) =>
      request.tools.some((tool) => tool.function.name === 'agent__helper'),
    );
    expect(offered).toEqual([true, true, false]);
    expect(plan?.steps[0]?.tries[0]?.doneTools).toEqual(['reminder_create', 'agent__helper']);
    expect(asRole('executor').at(-1)?.data).toContain(
      'do not do it again:\n- reminder_create (Call Ann) by agent__helper',
    );
  });

  test('fails a step whose agent failed, whatever its executor says', async () => {
    answers = {
      helper: () => {
        if (asRole('executor').length > 1) return { content: 'The helper has done it.' };
        throw new Error('no such model');
      },
    };
    const { plan } = await runPlan();
    expect(plan?.steps[0]?.tries.map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
    expect(plan?.steps[0]?.tries[0]?.reason).toMatch(/^agent__helper failed: /);
  });
});
