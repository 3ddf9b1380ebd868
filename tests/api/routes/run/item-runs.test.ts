import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkspaceItem } from '../../../../engine/src/workspace/item.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const director = (id: string) =>
  `id: ${id}\nname: ${id}\napiConfigId: main\ntools: [workspace]\npermissions: { allow: [workspace_*] }\n`;

let desk: Desk;
let mailId = '';
let runs = 0;
/** The item that the next run changes; without one, it adds an item. */
let changes: string | undefined;
beforeEach(async () => {
  runs = 0;
  changes = undefined;
  desk = await openDesk({
    files: { 'directors/boss.yaml': director('boss'), 'directors/chief.yaml': director('chief') },
    play: ({ turn }) => {
      if (turn === 1) runs++;
      if (turn > 1) return { content: 'done' };
      const data = `result ${runs}`;
      const add = call('a', 'workspace_add_item', { label: data, mimeType: 'text/markdown', data, tags: [`n${runs}`] });
      return {
        tool_calls: [
          changes === undefined ? add : call('u', 'workspace_update_item', { id: changes, patch: { data } }),
        ],
      };
    },
  });
  desk.drop('a.eml', letter('a'));
  await desk.fetch();
  mailId = String((await desk.get('/api/emails')).json.items[0]?.id);
});
afterEach(() => desk.close());

async function again(directorId = 'boss'): Promise<string> {
  const { json } = await desk.post('/api/runs', { directorId, emailId: mailId });
  await desk.stage.ended(json.id);
  return json.id;
}

const runsOf = async () => (await desk.get('/api/emails?expand=runs')).json.items[0]?.runs ?? [];
const labels = (items: readonly Record<string, unknown>[]) => items.map(({ label }) => label);
const itemsOf = async (query = '') => {
  const [run] = await runsOf();
  return (await desk.get(`/api/workspaces/${run?.workspaceId}/items?limit=200${query}`)).json.items;
};

test('each run of a mail has its own items, the newest run of a director is first and says so', async () => {
  const chief = await again('chief');
  const second = await again();
  const views = await runsOf();
  expect(views.map(({ id, directorId, latest, items }) => [id, directorId, latest, labels(items)])).toEqual([
    [second, 'boss', true, ['result 3']],
    [views[1]?.id, 'boss', false, ['result 1']],
    [chief, 'chief', true, ['result 2']],
  ]);
  expect(views[1]?.workspaceId).toBe(second === views[0]?.id ? views[0].workspaceId : '');
  expect(views[0]).toMatchObject({ createdAt: expect.any(String), endedAt: expect.any(String) });
  expect(labels(await itemsOf())).toEqual(['result 1', 'result 3']);
  expect(labels(await itemsOf(`&runId=${second}`))).toEqual(['result 3']);
});

test('an item belongs to the run that changed it last', async () => {
  changes = (await itemsOf())[0]?.id;
  const second = await again();
  const views = await runsOf();
  expect(views.map(({ id, items }) => [id === second, labels(items)])).toEqual([
    [true, ['result 1']],
    [false, []],
  ]);
  expect(await itemsOf()).toMatchObject([{ data: 'result 2', context: { createdBy: 'director', runId: second } }]);
});

test("a person's item belongs to the newest run", async () => {
  const second = await again();
  const [run] = await runsOf();
  await desk.post(`/api/workspaces/${run?.workspaceId}/items`, { label: 'mine' });
  expect((await runsOf()).map(({ items }) => labels(items))).toEqual([['result 2', 'mine'], ['result 1']]);
  expect(labels(await itemsOf(`&runId=${second}`))).toEqual(['result 2', 'mine']);
});

test('items that an older version stored belong to the run of their thread', async () => {
  await again();
  const { store } = desk.stage.app.deps;
  for (const { workspace, id, body } of await store.list('item')) {
    const { context, ...item } = JSON.parse(body) as WorkspaceItem;
    const { runId: _none, ...older } = context;
    const set = { body: JSON.stringify({ ...item, context: older }) };
    await store.apply([{ op: 'update', table: 'item', key: { workspace, id }, set }]);
  }
  expect((await runsOf()).map(({ items }) => labels(items))).toEqual([['result 2'], ['result 1']]);
  const oldest = (await runsOf())[1];
  expect(labels(await itemsOf(`&runId=${oldest?.id}`))).toEqual(['result 1']);
});

test('deleting one of two runs deletes its items, and leaves those of the other', async () => {
  const second = await again();
  const first = (await runsOf())[1]?.id;
  await desk.ask('DELETE', `/api/runs/${first}`);
  expect(await runsOf()).toMatchObject([{ id: second, items: [{ label: 'result 2' }] }]);
  expect(labels(await itemsOf(`&runId=${second}`))).toEqual(['result 2']);
});

test.each([
  ['mimeType=text/markdown', ['result 1', 'result 2']],
  ['mimeType=text/plain', ['mine']],
  ['tag=n2', ['result 2']],
  ['tag=n', []],
  ['author=user', ['mine']],
  ['author=boss', ['result 1', 'result 2']],
  ['author=boss&tag=n1', ['result 1']],
  ['author=director&mimeType=text/plain', []],
])('items are found by %s', async (query, found) => {
  await again();
  const [run] = await runsOf();
  await desk.post(`/api/workspaces/${run?.workspaceId}/items`, {
    label: 'mine',
    mimeType: 'Text/Plain; charset=utf-8',
  });
  expect(labels(await itemsOf(`&${query}`))).toEqual(found);
});

test('filtered items come in pages', async () => {
  await again();
  await again();
  const [run] = await runsOf();
  const path = `/api/workspaces/${run?.workspaceId}/items?limit=2&mimeType=text/markdown`;
  const first = (await desk.get(path)).json;
  expect(labels(first.items)).toEqual(['result 1', 'result 2']);
  const second = (await desk.get(`${path}&cursor=${first.nextCursor}`)).json;
  expect([labels(second.items), second.nextCursor]).toEqual([['result 3'], null]);
});
