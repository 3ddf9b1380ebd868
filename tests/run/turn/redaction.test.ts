import { afterEach, expect, test } from 'vitest';
import { TABLE_NAMES } from '../../../engine/src/store/tables.ts';
import { type Desk, letter, openDesk } from '../../api/harness.ts';
import { call } from '../harness.ts';

const KEY = 'sk-proj/4fT"9x\\Qz+81_secret';
const BASE64 = Buffer.from(KEY).toString('base64');
/** What must be nowhere: the key, and its middle in each way to write it. */
const FORMS = [
  KEY,
  JSON.stringify(KEY).slice(1, -1),
  BASE64.replace(/=+$/, ''),
  Buffer.from(KEY).toString('base64url'),
  Buffer.from(`user:${KEY}`).toString('base64').slice(8, -4),
  KEY.slice(0, 12),
  KEY.slice(-9),
];

const BOSS =
  'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace, todo]\npermissions: { allow: [workspace_*, agent__*, todo_add] }\n';

let desk: Desk;
afterEach(() => desk.close());

/** All that is stored, and all that the API tells of a run. */
async function everything(runId: string): Promise<string> {
  const { store } = desk.stage.app.deps;
  const rows = await Promise.all(TABLE_NAMES.map((table) => store.list(table)));
  const { json: run } = await desk.get(`/api/runs/${runId}`);
  const paths = [
    `/api/runs/${runId}`,
    `/api/conversations/${run.dirThreadId}`,
    `/api/provider-events?threadId=${run.dirThreadId}`,
    `/api/diagnostics?runId=${runId}`,
    `/api/diagnostics/unified?runId=${runId}`,
    `/api/workspaces/${run.workspaceId}/items`,
    '/api/emails?expand=runs',
    '/api/approvals',
    '/api/todos',
  ];
  const answers = await Promise.all(paths.map(async (path) => (await desk.get(path)).text));
  return [JSON.stringify(rows), ...answers].join('\n');
}

const found = (text: string) =>
  FORMS.filter((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)));

test('a key that a model repeats is nowhere: not in transcripts, calls, results, items, summaries and payloads', async () => {
  const encoded = `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`;
  const hidden = `{"label":"x","data":"${[...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`;
  const calls = [
    call('c1', 'workspace_add_item', { label: KEY, data: `the key is ${KEY}`, tags: [BASE64] }),
    call('c2', 'workspace_add_item', hidden),
    call('c3', 'todo_add', { task: { title: `use ${KEY}`, notes: encoded } }),
    call('c4', 'agent__helper', { input: `use ${KEY} or ${BASE64}` }),
    call(`id-${KEY}`, 'todo_list', {}),
    call('c6', `tool-${KEY}`, { path: KEY }),
  ];
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS },
    play: ({ role, turn }) =>
      role === 'director' && turn === 1
        ? { content: `I use ${KEY}`, tool_calls: calls }
        : { content: `${role} says ${KEY}, which is ${encoded}` },
  });
  desk.services.deps.redactor.add(KEY);
  desk.drop('a.eml', letter('Offer'));
  await desk.fetch();
  const [run] = (await desk.get('/api/runs')).json.items;
  expect(run).toMatchObject({ status: 'completed', summary: expect.stringContaining('director says [redacted]') });
  const all = await everything(String(run?.id));
  expect(found(all)).toEqual([]);
  const items = await desk.get(`/api/workspaces/${run?.workspaceId}/items`);
  expect(items.json.items).toMatchObject([
    { label: '[redacted]', data: 'the key is [redacted]', tags: ['[redacted]'] },
    { data: '[redacted]' },
  ]);
  expect((await desk.get('/api/todos')).json.items).toMatchObject([{ title: 'use [redacted]' }]);
});

test('a key that a tool returns, or that its error names, is not told to the model', async () => {
  const seen: string[] = [];
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS },
    play: ({ turn, messages }) => {
      seen.push(JSON.stringify(messages));
      return turn === 1 ? { tool_calls: [call('c1', 'todo_list', {}), call('c2', 'broken', {})] } : { content: 'done' };
    },
    app: {
      tools: [
        {
          name: 'broken',
          family: 'todo',
          effects: 'read',
          repeat: 'free',
          description: 'Fails.',
          parameters: { type: 'object', properties: {} },
          run: () => Promise.reject(new Error(`401 for https://x.example/?key=${encodeURIComponent(KEY)} and ${KEY}`)),
        },
      ],
    },
  });
  const { store, redactor } = desk.stage.app.deps;
  const body = JSON.stringify({ title: `the key: ${KEY}` });
  await store.apply([{ op: 'insert', table: 'todo', row: { id: 'todo_1', status: 'open', at: 1, body } }]);
  redactor.add(KEY);
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: `my key is ${KEY}` });
  await desk.rest();
  expect(seen).toHaveLength(2);
  expect(found(seen.join('\n'))).toEqual([]);
  expect(seen[1]).toContain('the key: [redacted]');
  await store.apply([{ op: 'delete', table: 'todo', where: { id: 'todo_1' } }]);
  expect(found(await everything(json.id))).toEqual([]);
});

test('short values and words that only look alike stay', async () => {
  desk = await openDesk({ play: () => ({ content: 'pin 4711, and the word secret' }) });
  for (const value of ['4711', 'abc']) desk.services.deps.redactor.add(value);
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'abc' });
  await desk.rest();
  expect((await desk.get(`/api/runs/${json.id}`)).json['summary' as 'id']).toBe('pin 4711, and the word secret');
});
