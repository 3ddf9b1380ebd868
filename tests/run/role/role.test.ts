import { afterAll, beforeAll, expect, test } from 'vitest';
import { setup } from 'xstate';
import { createRun } from '../../../engine/src/run/lifecycle/create.ts';
import { finishRun } from '../../../engine/src/run/lifecycle/finish.ts';
import { defineMode } from '../../../engine/src/run/mode/mode.ts';
import { type RoleResult, type RoleWork, startRole } from '../../../engine/src/run/role/role.ts';
import { readRunTree } from '../../../engine/src/run/run-trace.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { threadOf, type ThreadRecord } from '../../../engine/src/run/thread.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { call, playModels, type Play, setStage, type Stage } from '../harness.ts';

type Failure = { code: string; message: string };

/** Does one role after the other, as its mode says. */
const relayMachine = setup({
  types: {} as {
    context: { number: number; parked: string };
    events:
      | { type: 'START' | 'CANCEL' | 'NEXT' | 'OVER' }
      | { type: 'START_FAILED' | 'FAIL'; failure: Failure }
      | { type: 'CALL_PARKED' | 'CALL_RESUMED'; call: string; why?: string };
  },
  actions: { work: () => {}, finish: () => {} },
}).createMachine({
  id: 'relay',
  version: '1',
  context: { number: 1, parked: '' },
  initial: 'queued',
  on: { CANCEL: '.cancelled', FAIL: '.failed' },
  states: {
    queued: { tags: 'parked', on: { START: 'working', START_FAILED: 'failed' } },
    working: {
      entry: 'work',
      on: { NEXT: { target: 'working', reenter: true }, OVER: 'completed', CALL_PARKED: 'waiting' },
    },
    waiting: { on: { CALL_RESUMED: 'resumed', NEXT: 'working', OVER: 'completed' } },
    resumed: { on: { NEXT: 'working', OVER: 'completed', CALL_PARKED: 'waiting' } },
    completed: { type: 'final', entry: 'finish' },
    failed: { type: 'final', entry: 'finish' },
    cancelled: { type: 'final', entry: 'finish' },
  },
});

/** The work of the roles of the next run, and what came of them. */
let works: readonly Omit<RoleWork, 'number'>[] = [];
let results: RoleResult[] = [];
let play: Play = () => ({ content: 'done' });
let requests: ModelRequest[] = [];

const relay = defineMode({
  machine: relayMachine,
  upgrades: {},
  runs: ['relay'],
  status: ({ value }) => {
    if (value === 'waiting') return { status: 'waiting', waitingFor: 'approval' };
    return { status: value === 'working' || value === 'resumed' ? 'running' : value };
  },
  async roleDone(step, root, result) {
    results.push(result);
    if (results.length < works.length) return step.send(root.id, { type: 'NEXT' });
    await step.append(root.facts.threadId, { role: 'assistant', content: results.map(({ text }) => text).join(', ') });
    return step.send(root.id, { type: 'OVER' });
  },
  handlers: {
    async work(step, root) {
      const number = results.length + 1;
      const work = works[number - 1];
      if (work !== undefined) await startRole(step, root, { ...work, number });
    },
    finish: finishRun,
  },
});

const FILES = {
  'directors/boss.yaml': `
id: boss
name: Boss
apiConfigId: main
agents: [helper, writer]
tools: [workspace]
permissions: { ask: [workspace_add_item] }
prompt:
  - { role: system, content: "You are the boss." }
  - { role: user, content: "Look at {{message}}" }
`,
  'directors/tight.yaml': 'id: tight\nname: Tight\napiConfigId: main\nbudget: { maxIterations: 1 }\n',
  'agents/writer.yaml': `
id: writer
name: Writer
tools: [workspace]
prompt:
  - { role: system, content: "You write." }
  - { role: user, content: "The thread: {{thread}}" }
`,
};

let stage: Stage;
beforeAll(async () => {
  const models = playModels((request) => {
    requests.push(request);
    return play(request);
  });
  stage = await setStage({ modes: [relay], models, files: FILES });
});
afterAll(() => stage.close());

const WORK = { name: 'planner', system: 'Make a plan.', data: 'the data', tools: 'none', maxTurns: 3 } as const;

async function begin(next: typeof works, answer: Play, directorId = 'boss'): Promise<string> {
  [works, results, requests, play] = [next, [], [], answer];
  const { app } = stage;
  const { run, changes } = await createRun(app.deps, {
    config: app.config.current(),
    directorId,
    mode: 'relay',
    trigger: { kind: 'message', message: 'do it' },
    startedBy: 'test',
  });
  await app.deps.store.apply(changes);
  app.engine.queued();
  return run.id;
}

async function threadsOf(run: string): Promise<ThreadRecord[]> {
  const rows = await stage.app.deps.store.list('thread', { where: [['run', '=', run]], order: [['id', 'asc']] });
  return rows.map(threadOf);
}

test('a role works in a thread of its own, and its end starts the next one', async () => {
  const writer = { name: 'writer', agentId: 'writer', system: 'not used', data: 'Write it.', thread: 'two mails' };
  const id = await begin([WORK, { ...writer, tools: ['workspace_add_item'], maxTurns: 2 }], ({ role }) => ({
    content: role === 'agent' ? 'a letter' : 'a plan',
  }));
  expect(await stage.ended(id)).toMatchObject({
    status: 'completed',
    summary: 'a plan, a letter',
    usage: { turns: 2 },
  });
  const [first, second] = requests;
  expect(first?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'You are the boss.'],
    ['system', 'Make a plan.'],
    ['user', 'the data'],
  ]);
  expect(first?.tools).toEqual([]);
  expect(second?.messages.map(({ content }) => content)).toEqual([
    'You are the boss.',
    'You write.',
    'The thread: two mails',
    'Write it.',
  ]);
  expect(second?.tools.map((tool) => tool.function.name)).toEqual(['workspace_add_item']);
  const threads = await threadsOf(id);
  expect(threads.map(({ role, kind, status, agentId }) => [role, kind, status, agentId])).toEqual([
    [undefined, 'director', 'completed', undefined],
    ['planner', 'director', 'completed', undefined],
    ['writer', 'agent', 'completed', 'writer'],
  ]);
  expect(threads.filter(({ finalized }) => finalized)).toHaveLength(1);
  expect(results).toMatchObject([
    { name: 'planner', number: 1, status: 'completed', text: 'a plan' },
    { name: 'writer', number: 2, status: 'completed', text: 'a letter' },
  ]);
});

test('a role shows as a branch of the trace of its run', async () => {
  const id = await begin([WORK], () => ({ content: 'a plan' }));
  await stage.ended(id);
  const row = await stage.app.deps.store.get('run', { id });
  if (row === undefined) throw new Error('no run');
  const tree = await readRunTree(stage.app.deps.store, recordOf(row));
  const branch = tree.children?.find(({ kind }) => kind === 'agent');
  expect(branch).toMatchObject({ title: 'planner', status: 'completed' });
  expect(branch?.anchorId).toBeDefined();
  expect(branch?.children?.map(({ title }) => title)).toContain('role_end');
});

test('a role that uses up its turns fails, and its root decides what that means', async () => {
  const id = await begin([{ ...WORK, tools: 'own', maxTurns: 1 }], () => ({
    tool_calls: [call('1', 'list_tools', {})],
  }));
  await stage.ended(id);
  expect(results).toMatchObject([
    { status: 'failed', failure: { code: 'LIMIT_STEPS' }, toolCalls: [{ success: true }] },
  ]);
});

test('a role that waits for a person parks its root, also across a restart', async () => {
  const id = await begin([{ ...WORK, tools: ['workspace_add_item'] }], ({ turn }) =>
    turn === 1 ? { tool_calls: [call('1', 'workspace_add_item', { data: 'x' })] } : { content: 'went on' },
  );
  await stage.until(id, ({ status }) => status === 'waiting');
  await stage.restart();
  const [approval] = await stage.app.deps.store.list('approval', { where: [['run', '=', id]] });
  await stage.app.engine.decide(approval?.id ?? '', { decision: 'deny', by: 'test' });
  expect(await stage.ended(id)).toMatchObject({ status: 'completed', summary: 'went on' });
});

test('a restart in the middle of a role repeats its request', async () => {
  let asked = 0;
  const id = await begin([WORK], ({ signal }) => {
    if (++asked > 1) return { content: 'after the restart' };
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  await expect.poll(() => asked).toBe(1);
  await stage.restart();
  expect(await stage.ended(id)).toMatchObject({ status: 'completed', summary: 'after the restart' });
});

test('a cancelled run ends its role', async () => {
  const id = await begin([WORK], ({ signal }) => {
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  await expect.poll(() => requests.length).toBe(1);
  await stage.app.engine.cancel(id);
  expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
  const machines = await stage.app.deps.store.list('machine', { where: [['root', '=', id]] });
  expect(machines.map(({ status }) => status)).toEqual(['done', 'done']);
  expect((await threadsOf(id)).map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(results).toEqual([]);
});

test('a role with a schema gets corrections beside its turns, and gives the value', async () => {
  const output = { type: 'object', required: ['step'], properties: { step: { type: 'string' } } };
  const texts = ['not JSON', '{}', '{"step":"read"}'];
  const id = await begin([{ ...WORK, maxTurns: 1, output }], () => ({ content: texts.shift() ?? '' }));
  await stage.ended(id);
  expect(results).toMatchObject([{ status: 'completed', output: { step: 'read' } }]);
  expect(requests[0]?.messages[2]?.content).toContain('"required":["step"]');
});

test('a role whose answer never matches fails', async () => {
  const id = await begin([{ ...WORK, output: { type: 'object' } }], () => ({ content: 'no' }));
  await stage.ended(id);
  expect(results).toMatchObject([{ status: 'failed', text: 'no', failure: { code: 'OUTPUT_INVALID' } }]);
  expect(requests).toHaveLength(3);
});

test('the last turn of a budget is for a role, too', async () => {
  const id = await begin([WORK], () => ({ content: 'a plan' }), 'tight');
  expect(await stage.ended(id)).toMatchObject({ status: 'completed', usage: { turns: 1 } });
});

test('the thread of a role is no session that a director can go on with', async () => {
  const roles = [
    { ...WORK, name: 'writer', agentId: 'writer' },
    { ...WORK, name: 'asker', tools: 'own' as const },
  ];
  const id = await begin(roles, async ({ role, turn }) => {
    if (role === 'agent' || turn > 1) return { content: 'done' };
    const [, thread] = await threadsOf(id);
    return { tool_calls: [call('1', 'agent__writer', { input: 'And?', sessionId: thread?.id ?? '' })] };
  });
  await stage.ended(id);
  expect(results[1]?.toolCalls).toMatchObject([{ name: 'agent__writer', success: false }]);
  expect(requests.at(-1)?.messages.at(-1)?.content).toContain('SESSION_NOT_FOUND');
});

test('words of strangers that a role has read taint its run', async () => {
  const id = await begin([{ ...WORK, taint: 'the mails of the thread' }], () => ({ content: 'a plan' }));
  await stage.ended(id);
  expect((await threadsOf(id)).map(({ taint }) => taint?.cause)).toEqual([
    'the work of its planner: the mails of the thread',
    'the mails of the thread',
  ]);
});
