import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../../engine/src/model/model.ts';
import { ModelError } from '../../../../engine/src/model/model-error.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const BOSS =
  'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace, todo]\npermissions: { allow: [workspace_*, todo_add] }\n';
const HELPER = 'id: helper\nname: Helper\ndescription: Helps.\napiConfigId: main\n';
const PILOT = 'id: pilot\nname: Pilot\nmode: objective\napiConfigId: main\n';
const TODO = { task: { title: 'Send the proofs' } };

/** What the model of each run does turn by turn, in the order of the runs; then it is done. */
let plans: (readonly ToolCall[] | 'fail' | 'outage')[][] = [];
/** Whether no model answers objectives. */
let isDown = false;
let desk: Desk;
beforeEach(async () => {
  plans = [];
  isDown = false;
  let plan: (typeof plans)[number] = [];
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS, 'directors/pilot.yaml': PILOT, 'agents/helper.yaml': HELPER },
    play: ({ turn, messages }) => {
      const isObjective = messages.some(({ content }) => content?.includes('You are the intake'));
      if (isObjective && isDown) throw new ModelError('MODEL_UNAVAILABLE', 'the model is down');
      if (turn === 1) plan = plans.shift() ?? [];
      const next = plan[turn - 1];
      if (next === 'fail') throw new Error('the model is broken');
      if (next === 'outage') throw new ModelError('MODEL_UNAVAILABLE', 'the model is down');
      return next === undefined ? { content: 'done' } : { tool_calls: [...next] };
    },
  });
});
afterEach(() => desk.close());

async function failedRun(plan: (typeof plans)[number] = ['fail']): Promise<string> {
  plans.push(plan);
  desk.drop('a.eml', letter('a'));
  await desk.fetch();
  const { json } = await desk.get('/api/runs?status=failed');
  return String(json.items[0]?.id);
}

describe('a run that failed', () => {
  test('is run again on the same mail, in the same workspace, and both runs name each other', async () => {
    const id = await failedRun();
    const answer = await desk.post(`/api/runs/${id}/retry`);
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ retryOf: id, directorId: 'boss', workspaceId: id, startedBy: 'local' });
    const before = (await desk.get(`/api/runs/${id}`)).json;
    expect(before).toMatchObject({ status: 'failed', retriedBy: answer.json.id });
    expect(answer.json).toMatchObject({ trigger: { kind: 'mail' }, filterId: 'all' });
    await desk.stage.ended(answer.json.id);
    expect((await desk.get(`/api/runs/${answer.json.id}`)).json.status).toBe('completed');
  });

  test('is run again on its message', async () => {
    plans.push(['fail']);
    const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'what is up?' });
    await desk.stage.ended(json.id);
    const again = (await desk.post(`/api/runs/${json.id}/retry`)).json;
    expect(again).toMatchObject({ retryOf: json.id, trigger: { kind: 'message', message: 'what is up?' } });
    expect(again.workspaceId).toBe(again.id);
    await desk.rest();
  });

  test('is run again with the newest config', async () => {
    const id = await failedRun();
    const { revision } = (await desk.get(`/api/runs/${id}`)).json;
    const boss = { id: 'boss', name: 'Chief', apiConfigId: 'main' };
    expect((await desk.ask('PUT', '/api/directors/boss', { body: boss })).status).toBe(200);
    const again = (await desk.post(`/api/runs/${id}/retry`)).json;
    expect(again).toMatchObject({ directorName: 'Chief' });
    expect(again.revision).not.toBe(revision);
    await desk.rest();
  });

  test('is run again once by two clicks, and by requests at the same moment', async () => {
    const id = await failedRun();
    const answers = await Promise.all([1, 2, 3, 4].map(() => desk.post(`/api/runs/${id}/retry`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    await desk.rest();
    expect((await desk.post(`/api/runs/${id}/retry`)).status).toBe(200);
    expect((await desk.get('/api/runs')).json.items).toHaveLength(2);
  });

  test('can be run again once more where the run that repeated it was deleted', async () => {
    const id = await failedRun();
    const first = (await desk.post(`/api/runs/${id}/retry`)).json;
    await desk.rest();
    await desk.ask('DELETE', `/api/runs/${first.id}`);
    expect((await desk.get(`/api/runs/${id}`)).json).not.toHaveProperty('retriedBy');
    const second = await desk.post(`/api/runs/${id}/retry`);
    expect([second.status, second.json.id === first.id]).toEqual([201, false]);
    await desk.rest();
  });
});

describe('a retry is refused', () => {
  test('where there is no such run', async () => {
    const { status, json } = await desk.post('/api/runs/run_nobody/retry');
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('where the run did not fail', async () => {
    const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
    await desk.stage.ended(json.id);
    const refused = await desk.post(`/api/runs/${json.id}/retry`);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'RUN_NOT_FAILED']);
    expect(refused.json.error.message).toContain('completed');
  });

  test('where its director is gone', async () => {
    const id = await failedRun();
    await desk.ask('DELETE', '/api/filters/all');
    expect((await desk.ask('DELETE', '/api/directors/boss')).status).toBeLessThan(300);
    const { status, json } = await desk.post(`/api/runs/${id}/retry`);
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(json.error.message).toContain('director "boss"');
    expect((await desk.get(`/api/runs/${id}`)).json).not.toHaveProperty('retriedBy');
  });

  test('where its mail is gone', async () => {
    const id = await failedRun();
    const { store } = desk.stage.app.deps;
    const [mail] = await store.list('mail');
    await store.apply([{ op: 'update', table: 'mail', key: { id: mail?.id ?? '' }, set: { state: 'deleted' } }]);
    const { status, json } = await desk.post(`/api/runs/${id}/retry`);
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(json.error.message).toContain('mail');
  });

  test('where it answered a message of a session, which can be sent again', async () => {
    plans.push(['fail']);
    const session = (await desk.post('/api/agents/helper/sessions')).json;
    await desk.post(`/api/sessions/${session.id}/message`, { content: 'hi' });
    const [run] = (await desk.get('/api/runs?status=failed')).json.items;
    const { status, json } = await desk.post(`/api/runs/${run?.id}/retry`);
    expect([status, json.error.code]).toEqual([409, 'CONFLICT']);
  });
});

test('many runs are repeated in one request, which says which were and why others were not', async () => {
  const id = await failedRun();
  const good = (await desk.post('/api/runs', { directorId: 'boss', message: 'm' })).json.id;
  await desk.rest();
  const { status, text } = await desk.post(`/api/runs/retry?ids=${id},${good},run_nobody`);
  const first = JSON.parse(text) as { retried: { id: string }[]; refused: object[] };
  expect(status).toBe(200);
  expect(first).toMatchObject({
    retried: [{ retryOf: id, started: true }],
    refused: [
      { id: good, error: { code: 'RUN_NOT_FAILED' } },
      { id: 'run_nobody', error: { code: 'NOT_FOUND' } },
    ],
  });
  await desk.rest();
  const second = await desk.post(`/api/runs/retry?ids=${id}`);
  expect(JSON.parse(second.text)).toEqual({
    retried: [{ id: first.retried[0]?.id, retryOf: id, started: false }],
    refused: [],
  });
  expect((await desk.post('/api/runs/retry')).json.error.code).toBe('BAD_REQUEST');
});

test('the runs that failed on an outage are repeated in one request, and no others', async () => {
  plans.push(['outage'], ['fail'], ['outage']);
  for (const message of ['one', 'two', 'three']) await desk.post('/api/runs', { directorId: 'boss', message });
  await desk.rest();
  const failed = (await desk.get('/api/runs?status=failed')).json.items.toReversed();
  const [one, , three] = failed.map(({ id }) => String(id));
  const later = await desk.post('/api/runs/retry', { outage: true, since: '2999-01-01' });
  expect(JSON.parse(later.text)).toEqual({ retried: [], refused: [], left: 0 });
  const { text } = await desk.post('/api/runs/retry', { outage: true });
  expect(JSON.parse(text)).toMatchObject({ retried: [{ retryOf: one }, { retryOf: three }], refused: [], left: 0 });
  await desk.rest();
  const again = await desk.post('/api/runs/retry', { outage: true });
  expect(JSON.parse(again.text)).toMatchObject({ retried: [], refused: [] });
});

test('an objective that asks whether to go on after an outage goes on with the runs that failed on it, or alone', async () => {
  isDown = true;
  plans.push(['outage']);
  await desk.post('/api/runs', { directorId: 'boss', message: 'one' });
  const { id } = (await desk.post('/api/runs', { directorId: 'pilot', message: 'Get paper' })).json;
  const asks = () => desk.stage.until(id, ({ status, waitingFor }) => status === 'waiting' && waitingFor === 'answer');
  await asks();
  const again = { id, retryOf: id, started: true };
  const { text } = await desk.post('/api/runs/retry', { outage: true });
  expect(JSON.parse(text)).toMatchObject({ retried: [{ started: true }, again], refused: [], left: 0 });
  await asks();
  const answer = await desk.post(`/api/runs/${id}/retry`);
  expect([answer.status, answer.json.id]).toEqual([200, id]);
  await asks();
  const named = await desk.post(`/api/runs/retry?ids=${id}`);
  expect(JSON.parse(named.text)).toEqual({ retried: [again], refused: [] });
  await asks();
  const questions = (await desk.get('/api/approvals')).json.items.filter(({ runId }) => runId === id);
  expect(questions.map(({ status }) => status).toSorted()).toEqual(['lapsed', 'lapsed', 'lapsed', 'pending']);
  await desk.post(`/api/runs/${id}/cancel`);
});

test.each([
  ['neither ids nor outage', '', {}],
  ['both', '?ids=run_1', { outage: true }],
  ['a time with ids', '?ids=run_1', { since: '2026-11-21' }],
  ['a time that is none', '', { outage: true, since: 'yesterday' }],
])('a bulk retry with %s is refused', async (_name, query, body) => {
  expect((await desk.post(`/api/runs/retry${query}`, body)).json.error.code).toBe('BAD_REQUEST');
});

describe('an effect that the failed run carried out', () => {
  const pending = async () => (await desk.get('/api/approvals?status=pending')).json.items;

  test('waits for a person in the run that repeats it, although it is allowed', async () => {
    const id = await failedRun([[call('t', 'todo_add', TODO)], 'fail']);
    plans.push([[call('t', 'todo_add', { task: { title: 'The proofs' } })]]);
    const again = (await desk.post(`/api/runs/${id}/retry`)).json;
    expect(again).toMatchObject({ doneBefore: ['todo_add'] });
    await desk.stage.until(again.id, ({ waitingFor }) => waitingFor === 'approval');
    const [approval] = await pending();
    expect(approval).toMatchObject({ tool: 'todo_add', runId: again.id });
    expect(approval?.['reason']).toContain(id);
    expect((await desk.get('/api/todos')).json.items).toHaveLength(1);
    await desk.post(`/api/approvals/${approval?.id}`, { decision: 'deny' });
    await desk.stage.ended(again.id);
    expect((await desk.get('/api/todos')).json.items).toHaveLength(1);
  });

  test('is asked for in each further repetition, too', async () => {
    const id = await failedRun([[call('t', 'todo_add', TODO)], 'fail']);
    plans.push(['fail'], [[call('t', 'todo_add', TODO)]]);
    const second = (await desk.post(`/api/runs/${id}/retry`)).json;
    await desk.stage.ended(second.id);
    const third = (await desk.post(`/api/runs/${second.id}/retry`)).json;
    await desk.stage.until(third.id, ({ waitingFor }) => waitingFor === 'approval');
    const [approval] = await pending();
    await desk.post(`/api/approvals/${approval?.id}`, { decision: 'allow' });
    await desk.stage.ended(third.id);
    expect((await desk.get('/api/todos')).json.items).toHaveLength(2);
  });

  test('is not asked for where it failed, and reads and own results never are', async () => {
    const bad = call('t', 'todo_add', { task: { title: 'x', due: 'someday' } });
    const reads = [call('l', 'todo_list', {}), call('w', 'workspace_add_item', { data: 'x' })];
    const id = await failedRun([[bad, ...reads], 'fail']);
    plans.push([[call('t', 'todo_add', TODO), ...reads]]);
    const again = (await desk.post(`/api/runs/${id}/retry`)).json;
    expect(again).not.toHaveProperty('doneBefore');
    expect((await desk.stage.ended(again.id)).status).toBe('completed');
    expect(await pending()).toEqual([]);
  });
});
