import { afterEach, expect, test } from 'vitest';
import { isoTime } from '../../../../engine/src/base/clock.ts';
import { firstId } from '../../../../engine/src/base/id.ts';
import { canonicalJson } from '../../../../engine/src/base/json.ts';
import type { WorldTool } from '../../../../engine/src/tool/tool.ts';
import type { AuditLine } from '../../../../engine/src/trace/audit.ts';
import { call } from '../../../run/harness.ts';
import { type Answer, type Desk, letter, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const world = (name: string, effects: 'read' | 'write'): WorldTool => ({
  name,
  family: 'world',
  trust: 'trusted',
  effects,
  repeat: effects === 'read' ? 'free' : 'key',
  description: `Does ${name}.`,
  parameters: {
    type: 'object',
    properties: { to: { type: 'string' }, text: { type: 'string' } },
    required: ['to'],
    additionalProperties: false,
  },
  run: async ({ to }) => {
    if (to === 'nobody') throw new Error('nobody is there');
    return { done: to };
  },
});

const WORLD = [world('look', 'read'), world('post', 'write'), world('burn', 'write')];

const PERMISSIONS = 'permissions: { allow: ["workspace_*", "agent__*", look], ask: [post], deny: [burn] }\n';
const FILES = {
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [ann]\ntools: [workspace, world]\n${PERMISSIONS}`,
  'agents/ann.yaml': `id: ann\nname: Ann\napiConfigId: main\ntools: [workspace, world]\n${PERMISSIONS}`,
};

const lines = (answer: Answer) => answer.json.items as unknown as AuditLine[];
const byTool = (answer: Answer) => new Map(lines(answer).map((line) => [`${line.actionType} ${line.target}`, line]));

/** A run that calls tools in every way, and waits for a person about two letters. */
async function openWaiting(): Promise<string> {
  const calls = [
    call('c1', 'workspace_add_item', { label: 'Note', data: 'x'.repeat(2000) }),
    call('c2', 'look', { to: 'ada' }),
    call('c3', 'look', { to: 'nobody' }),
    call('c4', 'burn', { to: 'all' }),
    call('c5', 'loook', { to: 'ada' }),
    call('c6', 'look', '{"too":1}'),
    call('c7', 'post', { to: 'ada' }),
    call('c8', 'post', { to: 'bob' }),
    call('c9', 'agent__ann', { input: 'note it' }),
  ];
  desk = await openDesk({
    app: { tools: WORLD },
    files: FILES,
    play: ({ role, turn }) => {
      if (turn > 1) return { content: 'done' };
      if (role === 'director') return { tool_calls: calls };
      return { tool_calls: [call('a1', 'workspace_add_item', { label: 'Ann', data: 'y' })] };
    },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ waitingFor }) => waitingFor === 'approval');
  return json.id;
}

test('every call of a run leaves one line when it is answered, allowed or not, with the rule or person that decided', async () => {
  const runId = await openWaiting();
  // A call that waits for a person is not decided yet.
  expect(lines(await desk.get('/api/audit')).filter(({ actionType }) => actionType === 'post')).toEqual([]);
  const { items } = (await desk.get('/api/approvals?status=pending')).json;
  await desk.post(`/api/approvals/${items[0]?.id}`, { decision: 'allow' });
  await desk.post(`/api/approvals/${items[1]?.id}`, { decision: 'deny', reason: 'not now' });
  await desk.stage.ended(runId);

  const answer = await desk.get(`/api/audit?runId=${runId}`);
  const found = byTool(answer);
  expect(lines(answer)).toHaveLength(10);
  const ofAnn = lines(await desk.get('/api/audit?agentId=ann&limit=1'));
  expect(ofAnn.map(({ actionType, agentId }) => [actionType, agentId])).toEqual([['workspace_add_item', 'ann']]);
  expect(lines(await desk.get('/api/audit?directorId=boss'))).toHaveLength(10);
  expect(lines(await desk.get('/api/audit?agentId=bob'))).toEqual([]);
  expect(found.get('workspace_add_item null')).toBeDefined();
  const who = { runId, directorId: 'boss', startedBy: 'local' };
  expect(found.get('look ada')).toMatchObject({
    ...who,
    effects: 'read',
    wasAllowed: true,
    why: 'director boss: permissions.allow has "look"',
    inputSummary: '{"to":"ada"}',
    outputSummary: '{"done":"ada"}',
  });
  expect(found.get('look nobody')).toMatchObject({
    wasAllowed: true,
    outputSummary: expect.stringContaining('nobody'),
  });
  expect(found.get('burn all')).toMatchObject({
    wasAllowed: false,
    why: expect.stringContaining('director boss: permissions.deny has "burn"'),
    executionTimeMs: 0,
  });
  expect(found.get('loook null')).toMatchObject({ wasAllowed: false, why: expect.stringContaining('loook') });
  expect(found.get('look null')).toMatchObject({ wasAllowed: false, why: expect.stringContaining('too') });
  expect(found.get('post ada')).toMatchObject({
    ...who,
    effects: 'write',
    wasAllowed: true,
    why: 'local allowed it (director boss: permissions.ask has "post")',
    approvalId: items[0]?.id,
  });
  expect(found.get('post bob')).toMatchObject({
    wasAllowed: false,
    why: 'a person denied this call: not now',
    approvalId: items[1]?.id,
  });
  expect(found.get('agent__ann ann')).toMatchObject({ wasAllowed: true, effects: 'none' });
  const own = lines(answer).find(({ agentId }) => agentId === 'ann');
  expect(own).toMatchObject({ ...who, actionType: 'workspace_add_item', agentId: 'ann' });
  expect(lines(answer).filter(({ sessionId }) => sessionId === own?.sessionId)).toHaveLength(1);
  const long = lines(answer).find(({ inputSummary }) => inputSummary.includes('xxx'));
  expect(long?.inputSummary).toHaveLength(500);
});

test('a cancelled run leaves a line of each call that waited, and deleting the run deletes its lines', async () => {
  const runId = await openWaiting();
  await desk.post(`/api/runs/${runId}/cancel`);
  await desk.stage.ended(runId);
  const posts = lines(await desk.get(`/api/audit?runId=${runId}`)).filter(({ actionType }) => actionType === 'post');
  expect(posts.map(({ wasAllowed, why }) => [wasAllowed, why])).toEqual([
    [false, 'cancelled before it was done'],
    [false, 'cancelled before it was done'],
  ]);
  await desk.ask('DELETE', `/api/runs/${runId}`);
  expect((await desk.get('/api/audit')).json.items).toEqual([]);
});

test('lines are listed newest first, page by page, from a time on', async () => {
  const runId = await openWaiting();
  const all = lines(await desk.get('/api/audit'));
  const place = ({ id }: AuditLine) => Number(id.slice(id.lastIndexOf('.') + 1));
  expect(all.map(place)).toEqual(all.map(place).toSorted((a, b) => b - a));
  const first = await desk.get('/api/audit?limit=3');
  const rest = await desk.get(`/api/audit?cursor=${first.json.nextCursor}`);
  expect([...lines(first), ...lines(rest)]).toEqual(all);
  expect((await desk.get(`/api/audit?since=${new Date(Date.now() + 60_000).toISOString()}`)).json.items).toEqual([]);
  expect(lines(await desk.get(`/api/audit?since=${all.at(-1)?.createdAt}`))).toEqual(all);
  expect((await desk.get('/api/audit?runId=run_none')).json.items).toEqual([]);
  expect((await desk.get('/api/audit?since=yesterday')).status).toBe(400);
  await desk.post(`/api/runs/${runId}/cancel`);
});

test('a line stays when its entry is deleted, and lines that an older version wrote are listed in their place', async () => {
  const runId = await openWaiting();
  const { store } = desk.services.deps;
  const all = lines(await desk.get('/api/audit'));
  const old = all.map(({ id: _id, runId: run, createdAt, ...line }, i) => {
    const at = Date.parse(createdAt) - 1000;
    return {
      id: `${firstId('aud', at)}${String(all.length - i).padStart(4, '0')}abcdefgh`,
      run,
      at,
      body: JSON.stringify(line),
    };
  });
  await store.apply(old.map((row) => ({ op: 'insert' as const, table: 'audit' as const, row })));
  const deleted = all[2];
  expect((await desk.ask('DELETE', `/api/diagnostics/${deleted?.id}`)).status).toBe(204);

  const what = ({ id: _id, ...line }: AuditLine) => canonicalJson(line);
  const wanted = [
    ...all.map(what),
    ...all.map((line) => what({ ...line, createdAt: isoTime(Date.parse(line.createdAt) - 1000) })),
  ];
  for (const query of ['', `&runId=${runId}`, '&directorId=boss']) {
    const found: AuditLine[] = [];
    for (let cursor = ''; ;) {
      const page = await desk.get(`/api/audit?limit=3${query}${cursor}`);
      found.push(...lines(page));
      if (page.json.nextCursor === null) break;
      cursor = `&cursor=${page.json.nextCursor}`;
    }
    expect(found.map(what).toSorted()).toEqual(wanted.toSorted());
    expect(found.map(({ createdAt }) => createdAt)).toEqual(wanted.map((line) => JSON.parse(line).createdAt as string));
  }
  const session = deleted?.sessionId;
  const log = lines(await desk.get(`/api/sessions/${session}/logs?limit=100`));
  expect(log.map(what).toSorted()).toEqual(wanted.filter((line) => JSON.parse(line).sessionId === session).toSorted());
  await desk.post(`/api/runs/${runId}/cancel`);
});

test('the log of a session has the calls of its agent over all messages, oldest first', async () => {
  desk = await openDesk({
    app: { tools: WORLD },
    files: FILES,
    play: ({ turn, messages }) => {
      const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      return turn === 1
        ? { tool_calls: [call(`c${said}`, 'workspace_add_item', { label: said, data: 'x' })] }
        : { content: 'done' };
    },
  });
  const { json } = await desk.post('/api/agents/ann/sessions', {});
  for (const content of ['one', 'two', 'three']) await desk.post(`/api/sessions/${json.id}/message`, { content });
  const first = await desk.get(`/api/sessions/${json.id}/logs?limit=2`);
  const rest = await desk.get(`/api/sessions/${json.id}/logs?cursor=${first.json.nextCursor}`);
  const all = [...lines(first), ...lines(rest)];
  expect(all.map(({ inputSummary }) => (JSON.parse(inputSummary) as { label: string }).label)).toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(all[0]).toMatchObject({ sessionId: json.id, directorId: '', agentId: 'ann', startedBy: 'local' });
  expect((await desk.get('/api/sessions/th_none/logs')).json.error.code).toBe('SESSION_NOT_FOUND');
});

test('a run on a mail says that the system started it', async () => {
  desk = await openDesk({
    app: { tools: WORLD },
    files: FILES,
    play: ({ turn }) =>
      turn === 1 ? { tool_calls: [call('c', 'workspace_add_item', { label: 'a', data: 'b' })] } : { content: 'done' },
  });
  desk.drop('a.eml', letter('Offer'));
  await desk.fetch();
  expect(lines(await desk.get('/api/audit'))).toMatchObject([{ startedBy: 'system', wasAllowed: true }]);
});
