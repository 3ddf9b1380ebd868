import { afterEach, expect, test } from 'vitest';
import type { WorldTool } from '../../../../engine/src/tool/tool.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const BOSS = 'directors/boss.yaml';
const DRAFT = 'Dear Ada,\n\nit costs 10 €.';

let desk: Desk;
afterEach(() => desk.close());

const edits = async (query = '') => (await desk.get(`/api/learn/edits${query}`)).json.items;

/** A mail on which a run has left a draft, and the path of that item. */
async function openDraft(): Promise<{ mailId: string; runId: string; path: string; id: string }> {
  desk = await openDesk({
    files: { [BOSS]: 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
    play: ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('a', 'workspace_add_item', { label: 'Reply', mimeType: 'text/plain', data: DRAFT })] }
        : { content: 'done' },
  });
  desk.drop('Offer.eml', letter('Offer', 'Hello.'));
  await desk.fetch();
  const mailId = String((await desk.get('/api/emails?limit=1')).json.items[0]?.id);
  await expect.poll(async () => (await desk.get('/api/runs?status=completed')).json.items.length).toBe(1);
  const runId = String((await desk.get('/api/runs')).json.items[0]?.id);
  const items = `/api/workspaces/${runId}/items`;
  const id = String((await desk.get(items)).json.items[0]?.id);
  return { mailId, runId, path: `${items}/${id}`, id };
}

const change = (path: string, data: string) => desk.ask('PUT', path, { body: { data } });

test('several changes of a draft are one difference, from the version of the model to the last one', async () => {
  const { runId, path, id } = await openDraft();
  expect(await edits()).toEqual([]);
  await change(path, 'Dear Ada,\n\nit costs 12 €.');
  await change(path, 'Hi Ada,\n\nit costs 12 €.');
  expect(await edits()).toEqual([
    {
      ...{ runId, id, kind: 'item', directorId: 'boss', label: 'Reply', isUsed: false, at: expect.any(String) },
      ...{ before: DRAFT, after: 'Hi Ada,\n\nit costs 12 €.' },
    },
  ]);
  await change(path, DRAFT);
  expect(await edits()).toEqual([]);
});

test('the text that a person sent in place of a draft is its last version', async () => {
  const { mailId, path, id } = await openDraft();
  await change(path, 'Dear Ada,\n\nit costs 12 €.');
  const body = { mode: 'send', text: 'Hi Ada,\n\nit costs 12 €.', draftOf: id };
  expect((await desk.ask('POST', `/api/emails/${mailId}/reply`, { body })).status).toBe(200);
  expect(await edits()).toMatchObject([{ before: DRAFT, after: 'Hi Ada,\n\nit costs 12 €.', isUsed: true }]);
});

test('a draft that is sent as it is leaves no difference', async () => {
  const { mailId, id } = await openDraft();
  const body = { mode: 'send', text: DRAFT, draftOf: id };
  expect((await desk.ask('POST', `/api/emails/${mailId}/reply`, { body })).status).toBe(200);
  expect(await edits()).toEqual([]);
});

test('an item of the person, and a change of the label alone, leave no difference', async () => {
  const { runId, path } = await openDraft();
  const { json } = await desk.post(`/api/workspaces/${runId}/items`, { label: 'mine', data: 'x' });
  await change(`/api/workspaces/${runId}/items/${json.id}`, 'y');
  await desk.ask('PUT', path, { body: { label: 'other' } });
  expect(await edits()).toEqual([]);
});

test('the list pages, and is selected by director, run and time', async () => {
  const { runId, path } = await openDraft();
  await change(path, 'x');
  expect(await edits('?directorId=nobody')).toEqual([]);
  expect(await edits(`?directorId=boss&runId=${runId}`)).toHaveLength(1);
  expect(await edits('?since=2020-01-01T00:00:00Z')).toHaveLength(1);
  expect(await edits('?since=2999-01-01T00:00:00Z')).toEqual([]);
  expect((await desk.get('/api/learn/edits?since=yesterday')).json.error.code).toBe('BAD_REQUEST');
  expect((await desk.get('/api/learn/edits?limit=1')).json.nextCursor).toBeNull();
});

test('the differences of a run are deleted with it', async () => {
  const { runId, path } = await openDraft();
  await change(path, 'x');
  await desk.ask('DELETE', `/api/runs/${runId}`);
  expect(await desk.stage.app.deps.store.count('draftEdit')).toBe(0);
});

test('edited arguments of a call are a difference of its director', async () => {
  const post: WorldTool = {
    ...{ name: 'post_letter', family: 'post', effects: 'write', repeat: 'key', description: 'Posts a letter.' },
    parameters: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } },
    run: async () => 'posted',
  };
  desk = await openDesk({
    app: { tools: [post] },
    files: {
      [BOSS]: 'id: boss\nname: Boss\napiConfigId: main\ntools: [post]\npermissions: { ask: [post_letter] }\n',
    },
    play: ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('c', 'post_letter', { to: 'ada', text: 'Dear Ada,\nbye' })] }
        : { content: 'done' },
  });
  const runId = (await desk.post('/api/runs', { directorId: 'boss', message: 'm' })).json.id;
  await desk.stage.until(runId, ({ waitingFor }) => waitingFor === 'approval');
  const [approval] = (await desk.get('/api/approvals?status=pending')).json.items;
  await desk.post(`/api/approvals/${approval?.id}`, {
    decision: 'allow',
    arguments: { to: 'ada', text: 'Hi Ada,\nbye' },
  });
  await desk.stage.ended(runId);
  expect(await edits()).toEqual([
    {
      ...{ runId, id: approval?.id, kind: 'approval', directorId: 'boss', tool: 'post_letter', isUsed: true },
      ...{ before: 'to: ada\ntext:\nDear Ada,\nbye', after: 'to: ada\ntext:\nHi Ada,\nbye', at: expect.any(String) },
    },
  ]);
});
