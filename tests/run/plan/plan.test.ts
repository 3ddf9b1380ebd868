import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listItems } from '../../../engine/src/workspace/items.ts';
import { formatNewSteps } from '../../../engine/src/cli/terminal/trace-tree.ts';
import { readRunTree } from '../../../engine/src/run/run-trace.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { viewRun } from '../../../engine/src/run/lifecycle/view-run.ts';
import { listMemories } from '../../../engine/src/memory/memory-rows.ts';
import { readPlan } from '../../../engine/src/run/plan/plan-record.ts';
import { SHORT_OUTPUT } from '../../../engine/src/run/plan/verdict.ts';
import type { Message, ModelRequest } from '../../../engine/src/model/model.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

const FILES = {
  'directors/desk.yaml': `
id: desk
name: Desk
mode: plan
apiConfigId: main
tools: [workspace, calendar, reminder, memory, web_research]
permissions: { allow: ['*'] }
plan: { maxSteps: 4, maxRoundsPerStep: 2, maxRetriesPerStep: 1 }
checks: [{ kind: claims, claim: meeting-scheduled, needs: calendar_add, otherwise: offer-free-times }]
`,
  'directors/form.yaml': `
id: form
name: Form
mode: plan
apiConfigId: main
output: { schema: { type: object, required: [found], properties: { found: { type: boolean } } } }
`,
  'directors/careful.yaml': `
id: careful
name: Careful
mode: plan
apiConfigId: main
tools: [reminder]
permissions: { ask: [reminder_create] }
plan: { maxRetriesPerStep: 1 }
`,
  'tools/web_research.yaml': `
id: web_research
kind: http
description: Searches the web.
parameters:
  type: object
  required: [query]
  additionalProperties: false
  properties: { query: { type: string, description: What to look up. } }
request: { method: POST, url: 'https://search.example.org/', json: { q: '{{query}}' } }
effects: read
trust: untrusted
`,
  'settings.yaml': 'memory: { preferences: true }\ncalendar: { timeZone: Europe/Berlin }\n',
};

type Role = 'planner' | 'executor' | 'evaluator' | 'synthesis';
type Answer = Partial<Extract<Message, { role: 'assistant' }>>;

interface Asked {
  readonly role: Role;
  /** The number of requests of this role before this one. */
  readonly n: number;
  readonly data: string;
  readonly request: ModelRequest;
}

const roleOf = ({ messages }: ModelRequest): Role => {
  const system = messages.map(({ role, content }) => (role === 'system' ? (content ?? '') : '')).join('\n');
  if (system.includes('You are the planner')) return 'planner';
  if (system.includes('You are the executor')) return 'executor';
  return system.includes('You are the evaluator') ? 'evaluator' : 'synthesis';
};

/** Which role has made how many requests in the run of the test, and what each answers. */
let asked: Asked[] = [];
let answers: { [name in Role]?: (asked: Asked) => Answer | Promise<Answer> } = {};

const models = playModels((request) => {
  const role = roleOf(request);
  const data = request.messages.findLast((message) => message.role === 'user')?.content ?? '';
  const one = { role, n: asked.filter((other) => other.role === role).length, data, request };
  asked.push(one);
  return (answers[role] ?? (() => ({ content: `${role} says so` })))(one);
});

interface Step {
  readonly title: string;
  readonly task?: string;
  readonly tool?: string;
}

const plan = (steps: readonly (string | Step)[], more: object = {}) => ({
  content: JSON.stringify({
    ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
    steps: steps
      .map((step) => (typeof step === 'string' ? { title: step } : step))
      .map((step) => ({ task: `Do it: ${step.title}`, tool: 'none', ...step })),
    ...more,
  }),
});

const rolesAsked = () => asked.map(({ role }) => role);
const EVENT = { title: 'Lunch', start: '2099-11-25T12:00', end: '2099-11-25T13:00' };

describe('a director that plans', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ files: FILES, models });
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    asked = [];
    answers = {};
  });

  async function runPlan(message = 'find the invoice', director = 'desk') {
    const id = await stage.begin(director, message);
    const run = await stage.ended(id);
    const made = await readPlan(stage.app.deps.store, id);
    const messages = await stage.messages(run.dirThreadId);
    const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
    return { id, run, plan: made, messages, answer };
  }

  test('plans, works on each step in order, and answers from the results', async () => {
    answers = {
      planner: () => plan(['Look', 'Write']),
      executor: ({ n }) => ({ content: `result ${n + 1}` }),
      synthesis: () => ({ content: 'All is well.' }),
    };
    const { run, plan: made, answer } = await runPlan();
    expect(run).toMatchObject({ status: 'completed', mode: 'plan', summary: 'All is well.' });
    expect(answer).toBe('All is well.');
    expect(rolesAsked()).toEqual(['planner', 'executor', 'executor', 'synthesis']);
    expect(made?.steps.map(({ title, status }) => [title, status])).toEqual([
      ['Look', 'passed'],
      ['Write', 'passed'],
    ]);
    expect(asked[0]?.data).toContain('find the invoice');
    expect(asked[2]?.data).toContain('result 1');
    expect(asked[3]?.data).toMatch(/result 1[^]*result 2/);
  });

  test('answers with JSON of the form of its director, and names failed steps before it', async () => {
    const forms = ['Found.', '{"found":true}'];
    answers = {
      planner: () => plan(['Look', 'Ask']),
      executor: ({ data }) => ({ content: data.includes('Do it: Look') ? 'It is there.' : '' }),
      evaluator: () => ({ content: JSON.stringify({ verdict: 'fail', reason: 'nobody answered' }) }),
      synthesis: () => ({ content: forms.shift() ?? '' }),
    };
    const { run, messages, answer } = await runPlan('find the invoice', 'form');
    expect(run).toMatchObject({ status: 'completed', summary: '{"found":true}' });
    expect(answer).toBe('{"found":true}');
    expect(messages.at(-2)?.content).toContain('Not done:');
    const [item] = await listItems(stage.app.deps.store, run.workspaceId);
    expect(item).toMatchObject({ mimeType: 'application/json', data: '{\n  "found": true\n}' });
  });

  test('writes nothing but the question and the answer into the conversation', async () => {
    answers = { planner: () => plan(['Look']) };
    const { messages } = await runPlan('what is new?');
    expect(messages.map(({ role, content }) => [role, content]).filter(([role]) => role !== 'system')).toEqual([
      ['user', 'what is new?'],
      ['assistant', 'synthesis says so'],
    ]);
  });

  test('has a planner that corrects a plan with too many steps', async () => {
    answers = {
      planner: ({ n }) => (n === 0 ? plan(['1', '2', '3', '4', '5']) : plan(['1', '2', '3', '4'])),
    };
    const { run, plan: made } = await runPlan();
    expect(run.status).toBe('completed');
    expect(made?.steps).toHaveLength(4);
    expect(rolesAsked().filter((role) => role === 'planner')).toHaveLength(2);
  });

  test('fails where no valid plan comes', async () => {
    answers = { planner: () => ({ content: 'I would rather not.' }) };
    const { run } = await runPlan();
    expect(run).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' } });
    expect(rolesAsked()).toEqual(['planner', 'planner', 'planner']);
  });

  test('tries a step again that says [ERROR], with the reason, and no model evaluates it', async () => {
    answers = {
      planner: () => plan(['Look']),
      executor: ({ n }) => ({ content: n === 0 ? '[ERROR] the folder is locked' : 'found it' }),
    };
    const { plan: made } = await runPlan();
    expect(rolesAsked()).toEqual(['planner', 'executor', 'executor', 'synthesis']);
    expect(asked[2]?.data).toContain('Try 1 failed: the output says [ERROR]');
    expect(made?.steps[0]?.tries.map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
  });

  test('goes on without a step after its last retry, and the answer says what failed', async () => {
    answers = {
      planner: () => plan(['Look', 'Write']),
      executor: ({ data }) => ({ content: data.includes('Your step is 1') ? '[ERROR] locked' : 'written' }),
      synthesis: () => ({ content: 'The text is written.' }),
    };
    const { run, plan: made, answer } = await runPlan();
    expect(run.status).toBe('completed');
    expect(made?.steps.map(({ status, tries }) => [status, tries.length])).toEqual([
      ['failed', 2],
      ['passed', 1],
    ]);
    expect(answer).toBe('The text is written.\n\nNot done:\n- Look: the output says [ERROR]');
  });

  test('lets a model judge a long result, and tries again where it says no', async () => {
    answers = {
      planner: () => plan(['Look']),
      executor: () => ({ content: 'x'.repeat(SHORT_OUTPUT + 1) }),
      evaluator: ({ n }) => ({ content: JSON.stringify({ passed: n > 0, reason: n > 0 ? 'complete' : 'no names' }) }),
    };
    const { plan: made } = await runPlan();
    expect(rolesAsked()).toEqual(['planner', 'executor', 'evaluator', 'executor', 'evaluator', 'synthesis']);
    expect(asked[3]?.data).toContain('Try 1 failed: no names');
    expect(made?.steps[0]?.tries.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['failed', 'no names'],
      ['passed', 'complete'],
    ]);
  });

  test('asks the evaluator about a step that used up its rounds, with the results of its tools', async () => {
    answers = {
      planner: () => plan(['Look']),
      executor: ({ n }) => ({ tool_calls: [call(`c${n}`, 'workspace_list_items', {})] }),
      evaluator: () => ({ content: '{"passed":true,"reason":"it holds what was asked for"}' }),
    };
    const { run, plan: made } = await runPlan();
    expect(run.status).toBe('completed');
    expect(rolesAsked()).toEqual(['planner', 'executor', 'executor', 'evaluator', 'synthesis']);
    expect(asked[3]?.data).toContain('items');
    expect(made?.steps[0]).toMatchObject({ status: 'passed' });
  });

  test('puts the calendar and a question before a call that the user gave no time for', async () => {
    answers = { planner: () => plan([{ title: 'Add the lunch', tool: 'calendar_add' }]) };
    const { plan: made } = await runPlan('arrange lunch with Ann');
    const tools = made?.steps.map(({ tool, plannedBy }) => `${tool} by ${plannedBy}`);
    expect(tools).toEqual(['calendar_free_slots by engine', 'ask_user by engine', 'calendar_add by planner']);
    expect(made?.notes[0]).toMatch(/named no day or time/);
  });

  test('waits for the time that the user is asked for, and then schedules with it', async () => {
    answers = {
      planner: () => plan([{ title: 'Add the lunch', tool: 'calendar_add' }]),
      executor: ({ data, request }) => {
        if (request.messages.at(-1)?.role === 'tool') return { content: 'Done.' };
        if (data.includes('Your step is 1')) return { content: 'Wednesday is free.' };
        return data.includes('Your step is 2')
          ? { tool_calls: [call('q', 'ask_user', { question: 'When shall the lunch be?' })] }
          : { tool_calls: [call('c', 'calendar_add', { event: EVENT })] };
      },
      synthesis: () => ({ content: 'Your lunch is scheduled.' }),
    };
    const id = await stage.begin('desk', 'arrange lunch with Ann');
    const waiting = await stage.until(id, ({ status }) => status === 'waiting');
    expect(waiting.waitingFor).toBe('answer');
    await stage.restart();
    await stage.app.engine.message(id, { text: 'on 25 November at noon', by: 'user' });
    const run = await stage.ended(id);
    expect(run).toMatchObject({ status: 'completed', summary: 'Your lunch is scheduled.' });
    const made = await readPlan(stage.app.deps.store, id);
    expect(made?.steps.map(({ status, tries }) => [status, tries.length])).toEqual([
      ['passed', 1],
      ['passed', 1],
      ['passed', 1],
    ]);
  });

  test('names the steps that make room for the question under "Not done"', async () => {
    answers = {
      planner: () => plan(['Look', 'Write', 'Print', { title: 'Add the lunch', tool: 'calendar_add' }]),
      executor: ({ data, request }) =>
        data.includes('Your step is 3') && request.messages.at(-1)?.role !== 'tool'
          ? { tool_calls: [call('q', 'ask_user', { question: 'When shall the lunch be?' })] }
          : { content: 'Done.' },
      synthesis: () => ({ content: 'That is all.' }),
    };
    const id = await stage.begin('desk', 'arrange lunch with Ann');
    await stage.until(id, ({ status }) => status === 'waiting');
    await stage.app.engine.message(id, { text: 'on 25 November at noon', by: 'user' });
    const { summary } = await stage.ended(id);
    const room = 'left out, the plan had no room for it';
    expect(summary).toBe(`That is all. Not done: - Write: ${room} - Print: ${room}`);
  });

  test('leaves a plan alone where the user named a time', async () => {
    answers = { planner: () => plan([{ title: 'Add the lunch', tool: 'calendar_add' }]) };
    const { plan: made } = await runPlan('arrange lunch with Ann tomorrow at 12');
    expect(made?.steps.map(({ tool }) => tool)).toEqual(['calendar_add']);
  });

  test.each([
    { wish: 'arrange lunch with Ann', name: 'does not offer', isOffered: false },
    { wish: 'arrange lunch with Ann tomorrow at 12', name: 'offers', isOffered: true },
  ])('$name the calendar for writing to a step that does not name it: $wish', async ({ wish, isOffered }) => {
    answers = { planner: () => plan(['Think']) };
    await runPlan(wish);
    const tools = asked.find(({ role }) => role === 'executor')?.request.tools.map((tool) => tool.function.name);
    expect(tools).toContain('calendar_read');
    expect(tools?.includes('calendar_add')).toBe(isOffered);
    expect(tools?.includes('reminder_create')).toBe(isOffered);
  });

  test('does not offer a write again that an earlier try of the step has done', async () => {
    answers = {
      planner: () => plan([{ title: 'Remind me', tool: 'reminder_create' }]),
      executor: ({ n, request }) => {
        if (n === 0) return { tool_calls: [call('c', 'reminder_create', { text: 'Call Ann', in: 'P1D' })] };
        return { content: request.messages.at(-1)?.role === 'tool' ? '[ERROR] not sure' : 'It is set.' };
      },
    };
    const { plan: made } = await runPlan('remind me to call Ann tomorrow at 12');
    const offered = asked
      .filter(({ role }) => role === 'executor')
      .map(({ request }) => request.tools?.some((tool) => tool.function.name === 'reminder_create'));
    expect(offered).toEqual([true, true, false]);
    expect(made?.steps[0]?.tries.map(({ doneTools }) => doneTools)).toEqual([['reminder_create'], []]);
    expect(asked[3]?.data).toContain('do not do it again:\n- reminder_create (Call Ann)');
  });

  test.each([
    { name: 'does not show a search of the web', needsOutside: false, planned: ['none'], isShown: false },
    { name: 'shows a search of the web', needsOutside: true, planned: ['web_research'], isShown: true },
  ])('$name where needsOutside is $needsOutside', async ({ needsOutside, planned, isShown }) => {
    answers = {
      planner: () =>
        plan(
          planned.map((tool) => ({ title: 'Look', tool })),
          { needsOutside },
        ),
    };
    const { plan: made } = await runPlan();
    expect(made?.steps.map(({ tool = 'none' }) => tool)).toEqual(planned);
    const tools = asked.find(({ role }) => role === 'executor')?.request.tools.map((tool) => tool.function.name);
    expect(tools?.includes('web_research')).toBe(isShown);
    expect(tools).toContain('calendar_read');
  });

  test('cuts a claim that no call proves from its answer, and offers free times', async () => {
    answers = {
      planner: () => plan(['Think']),
      synthesis: () => ({ content: 'Your lunch is scheduled for tomorrow. Ann likes soup.' }),
    };
    const { run, answer } = await runPlan('what about lunch?');
    expect(run.status).toBe('completed');
    expect(answer).not.toContain('is scheduled');
    expect(answer).toContain('Ann likes soup.');
    expect(answer).toContain('No event has been added to the calendar');
  });

  test('keeps a claim that a call proves', async () => {
    answers = {
      planner: () => plan([{ title: 'Add the lunch', tool: 'calendar_add' }]),
      executor: ({ request }) =>
        request.messages.at(-1)?.role === 'tool'
          ? { content: 'Added.' }
          : { tool_calls: [call('c', 'calendar_add', { event: EVENT })] },
      synthesis: () => ({ content: 'Your lunch is scheduled.' }),
    };
    const { answer, plan: made } = await runPlan('add lunch with Ann tomorrow at 12');
    expect(made?.steps[0]?.tries[0]?.done).toEqual(['calendar_add (Lunch)']);
    expect(answer).toBe('Your lunch is scheduled.');
  });

  test('remembers preferences in the words of the user alone, and recalls them in the next plan', async () => {
    answers = {
      planner: () => plan(['Think'], { preferences: ['I never meet before ten', 'The user loves cake', 'never meet'] }),
    };
    await runPlan('Plan my week. I never meet before ten.');
    const stored = await listMemories(stage.app.deps.store, { now: Date.now() });
    expect(stored.filter(({ tags }) => tags.includes('preference')).map(({ text }) => text)).toEqual([
      'I never meet before ten',
    ]);
    answers = { planner: () => plan(['Think']) };
    asked = [];
    await runPlan('When shall I meet Ann, before or after ten?');
    expect(asked[0]?.data).toContain('I never meet before ten');
  });

  test('shows its answer while it arrives, and nothing of the other roles', async () => {
    const { answers: bus } = stage.app.deps.live;
    const shown: string[] = [];
    const arrived = Promise.withResolvers<void>();
    const stop = bus.subscribe(({ text }) => {
      shown.push(text);
      arrived.resolve();
    });
    const said = (content: string) => (one: Asked) => (one.request.onText?.(content), { content });
    answers = {
      planner: () => plan(['Look']),
      executor: said('a secret of the executor'),
      synthesis: async (one) => {
        one.request.onText?.('All is well. There');
        await arrived.promise;
        return { content: 'All is well. There is more.' };
      },
    };
    const { answer } = await runPlan();
    stop();
    expect(answer).toBe('All is well. There is more.');
    expect(shown.join('')).toMatch(/^All is well\./);
    expect(shown.join('')).not.toContain('executor');
  });

  test('waits for a person who decides about a call, and does not try again what the person denies', async () => {
    answers = {
      planner: () => plan([{ title: 'Remind me', tool: 'reminder_create' }]),
      executor: ({ request }) =>
        request.messages.at(-1)?.role === 'tool'
          ? { content: 'I could not.' }
          : { tool_calls: [call('c', 'reminder_create', { text: 'Call Ann', in: 'P1D' })] },
      synthesis: () => ({ content: 'Nothing was set.' }),
    };
    const id = await stage.begin('careful', 'remind me to call Ann tomorrow at 12');
    const waiting = await stage.until(id, ({ status }) => status === 'waiting');
    expect(waiting.waitingFor).toBe('approval');
    const [row] = await stage.app.deps.store.list('approval', { where: [['run', '=', id]] });
    await stage.app.engine.decide(row?.id ?? '', { decision: 'deny', by: 'jane' });
    const run = await stage.ended(id);
    expect(run.status).toBe('completed');
    expect(rolesAsked().filter((role) => role === 'synthesis')).toHaveLength(1);
    const made = await readPlan(stage.app.deps.store, id);
    expect(made?.steps.map(({ status, tries }) => [status, tries.length])).toEqual([['failed', 1]]);
  });

  test('goes on where nobody can evaluate a step, and says that it is unchecked', async () => {
    answers = {
      planner: () => plan(['Look']),
      executor: () => ({ content: 'x'.repeat(SHORT_OUTPUT + 1) }),
      evaluator: () => ({ content: 'perhaps' }),
    };
    const { run, plan: made } = await runPlan();
    expect(run.status).toBe('completed');
    expect(made?.steps[0]).toMatchObject({ status: 'unchecked' });
    expect(asked.at(-1)?.data).toContain('1. Look: unchecked');
  });

  test('is shown in a terminal step by step', async () => {
    answers = {
      planner: () => plan(['Look', 'Write']),
      executor: ({ n }) => ({ content: n === 0 ? '[ERROR] locked' : 'fine' }),
    };
    const { id } = await runPlan();
    const row = await stage.app.deps.store.get('run', { id });
    if (row === undefined) throw new Error('no run');
    const tree = await readRunTree(stage.app.deps.store, recordOf(row));
    const shown = formatNewSteps([tree], new Set(), { color: false, isBrief: true });
    expect(shown.match(/(?<= plan {3}).*/g)).toEqual([
      'plan of 2 steps: 1. Look 2. Write',
      'step 1: Look',
      'step 1 failed: the output says [ERROR]',
      'step 1: Look (try 2)',
      'step 1 passed: a short output without an error',
      'step 2: Write',
      'step 2 passed: a short output without an error',
    ]);
  });

  test('stands with its run in the API, with its notes', async () => {
    answers = { planner: () => plan(['Look', { title: 'Search', tool: 'web_research' }]) };
    const { id } = await runPlan();
    const row = await stage.app.deps.store.get('run', { id });
    if (row === undefined) throw new Error('no run');
    expect((await viewRun(stage.app.deps.store, row)).plan).toMatchObject({
      notes: ['"Search" was left out: the wish needs no information from outside.'],
      steps: [{ number: 1, title: 'Look', status: 'passed', plannedBy: 'planner' }],
    });
  });

  test('is ended with its role when it is cancelled', async () => {
    const gate = Promise.withResolvers<void>();
    answers = { planner: () => (gate.resolve(), plan(['Look'])) };
    const id = await stage.begin('desk', 'look');
    await gate.promise;
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
    const open = await stage.app.deps.store.list('machine', { where: [['root', '=', id]], bodies: false });
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 'done'));
  });

  test('fails with a model that cannot be reached, whatever the role', async () => {
    answers = {
      planner: () => plan(['Look']),
      executor: () => {
        throw new Error('no such model');
      },
    };
    const { run } = await runPlan();
    expect(run.status).toBe('failed');
    expect(rolesAsked()).not.toContain('synthesis');
  });

  test('goes on after a restart, and does no step twice', async () => {
    let isFirst = true;
    const began = Promise.withResolvers<void>();
    answers = {
      planner: () => plan(['Look', 'Write']),
      executor: ({ data }) => {
        if (!data.includes('Your step is 2')) return { content: 'looked' };
        began.resolve();
        return { content: isFirst ? 'lost' : 'written' };
      },
    };
    const id = await stage.begin('desk', 'look and write');
    await began.promise;
    await stage.restart();
    isFirst = false;
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect((await readPlan(stage.app.deps.store, id))?.steps.map(({ tries }) => tries.length)).toEqual([1, 1]);
  });
});
