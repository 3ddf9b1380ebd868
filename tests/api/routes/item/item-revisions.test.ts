import { afterEach, expect, test } from 'vitest';
import type { ItemHistory } from '../../../../engine/src/api/routes/item/item-revisions.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n';

/** A run that adds the result "Reply" and changes it once. */
async function openReply(): Promise<{ runId: string; items: string; id: string }> {
  let id = '';
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS },
    play: ({ turn, messages }) => {
      if (turn === 1)
        return { tool_calls: [call('a', 'workspace_add_item', { label: 'Reply', data: 'Dear Ada,\nit costs 10.' })] };
      if (turn > 2) return { content: 'done' };
      id = String(/item_\w+/.exec(String(messages.at(-1)?.content))?.[0]);
      return { tool_calls: [call('b', 'workspace_update_item', { id, patch: { data: 'Dear Ada,\nit costs 12.' } })] };
    },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.ended(json.id);
  return { runId: json.id, items: `/api/workspaces/${json.id}/items`, id };
}

const historyOf = async (path: string) => JSON.parse((await desk.get(`${path}/revisions`)).text) as ItemHistory;

test('each revision says when and by whom it was made, and how its text differs from the one before', async () => {
  const { runId, items, id } = await openReply();
  await desk.ask('PUT', `${items}/${id}`, { body: { data: 'Hi Ada,\nit costs 12.' } });
  const { revisions } = await historyOf(`${items}/${id}`);
  expect(revisions).toEqual([
    {
      ...{ revision: 3, at: expect.any(String), by: { kind: 'user' }, runId, changed: ['data'], since: 2 },
      diff: expect.stringContaining('\n-Dear Ada,\n+Hi Ada,\n it costs 12.'),
    },
    {
      ...{ revision: 2, at: expect.any(String), by: { kind: 'director', name: 'Boss' }, runId, since: 1 },
      ...{ changed: ['data'], diff: expect.stringContaining('\n Dear Ada,\n-it costs 10.\n+it costs 12.') },
    },
    { revision: 1, at: expect.any(String), by: { kind: 'director', name: 'Boss' }, runId },
  ]);
});

test('a text that is kept no more is skipped, and the next difference names the revision that it begins from', async () => {
  const { items, id } = await openReply();
  await desk.ask('PUT', `${items}/${id}`, { body: { data: 'first' } });
  await desk.ask('PUT', `${items}/${id}`, { body: { data: 'second' } });
  const { revisions } = await historyOf(`${items}/${id}`);
  expect(revisions.map(({ revision, since, diff }) => [revision, since, diff === undefined])).toEqual([
    [4, 2, false],
    [3, undefined, true],
    [2, 1, false],
    [1, undefined, true],
  ]);
});

test('a deleted and restored result has the same text in these revisions', async () => {
  const { items, id } = await openReply();
  await desk.ask('DELETE', `${items}/${id}`);
  expect((await historyOf(`${items}/${id}`)).revisions[0]).toMatchObject({ revision: 3, action: 'deleted', diff: '' });
  await desk.post(`${items}/${id}/restore`);
  expect((await historyOf(`${items}/${id}`)).revisions.slice(0, 2)).toMatchObject([
    { revision: 4, action: 'restored', diff: '' },
    { revision: 3, action: 'deleted', diff: '' },
  ]);
});

test('a result of a later run on the same mail replaces the one with the same label and type', async () => {
  let labels = ['Reply', 'Note'];
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS },
    play: ({ turn }) =>
      turn > 1
        ? { content: 'done' }
        : { tool_calls: labels.map((label) => call(label, 'workspace_add_item', { label, data: label })) },
  });
  desk.drop('a.eml', letter('a'));
  await desk.fetch();
  const emailId = String((await desk.get('/api/emails')).json.items[0]?.id);
  const first = String((await desk.get('/api/runs')).json.items[0]?.id);
  await desk.stage.ended(first);
  labels = ['Reply'];
  const second = String((await desk.post('/api/runs', { directorId: 'boss', emailId })).json.id);
  await desk.stage.ended(second);
  const items = `/api/workspaces/${first}/items`;
  const [reply, note, newer] = (await desk.get(items)).json.items;
  const links = async (id: unknown) => {
    const { replaces, replacedBy } = await historyOf(`${items}/${id}`);
    return { replaces, replacedBy };
  };
  const link = (item: typeof reply, runId: string) => ({ id: item?.id, runId, created: item?.['created'] });
  expect(await links(reply?.id)).toEqual({ replaces: [], replacedBy: [link(newer, second)] });
  expect(await links(newer?.id)).toEqual({ replaces: [link(reply, first)], replacedBy: [] });
  expect(await links(note?.id)).toEqual({ replaces: [], replacedBy: [] });
});

test('an item that is not there has no revisions', async () => {
  const { items } = await openReply();
  const { status, json } = await desk.get(`${items}/item_none/revisions`);
  expect([status, json.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
});
