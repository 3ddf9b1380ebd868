import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
let runId = '';
let path = '';
let release = () => {};
beforeEach(async () => {
  desk = await openDesk({
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
    play: ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('c', 'workspace_add_item', { label: 'draft', data: 'x' })] }
        : new Promise((resolve) => (release = () => resolve({ content: 'done' }))),
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  runId = json.id;
  path = `/api/workspaces/${runId}/items`;
  await expect.poll(async () => (await desk.get(path)).json.items?.length).toBe(1);
});
afterEach(async () => {
  release();
  await desk.close();
});

const finish = async () => {
  release();
  await desk.stage.ended(runId);
};
/** Entries of a person's changes, as the diagnostics show them. */
const entries = async () => {
  const { json } = await desk.get(`/api/diagnostics?runId=${runId}&limit=200`);
  return json.items.filter(({ phase }) => phase === 'result').map(({ detail }) => detail as Record<string, unknown>);
};
const firstItem = async () => (await desk.get(path)).json.items[0];

describe("a person's change of an item", () => {
  test('leaves an entry that says what was changed, not the data', async () => {
    await finish();
    const { id } = (await desk.post(path, { label: 'mine', data: 'hello', tags: ['a'] })).json;
    await desk.ask('PUT', `${path}/${id}`, { body: { data: 'hello again', description: 'better' } });
    await desk.ask('DELETE', `${path}/${id}`);
    await desk.post(`${path}/${id}/restore`);
    await desk.ask('DELETE', `${path}/${id}?hard=true`);
    expect(await entries()).toEqual([
      { action: 'item_added', by: 'user', itemId: id, label: 'mine', revision: 1, changed: ['label', 'data', 'tags'] },
      {
        ...{ action: 'item_changed', by: 'user', itemId: id, label: 'mine', revision: 2 },
        changed: ['description', 'data'],
      },
      { action: 'item_removed', by: 'user', itemId: id, label: 'mine', revision: 3 },
      { action: 'item_restored', by: 'user', itemId: id, label: 'mine', revision: 4 },
      { action: 'item_deleted', by: 'user', itemId: id, label: 'mine', revision: 4 },
    ]);
    const [first] = (await desk.get(`/api/diagnostics?runId=${runId}&limit=200`)).json.items.filter(
      ({ phase }) => phase === 'result',
    );
    expect(first).toMatchObject({ runId, director: 'boss', agent: '' });
  });

  test('leaves none where it is refused, or where nothing is changed', async () => {
    await finish();
    const item = await firstItem();
    const refused = await desk.ask('PUT', `${path}/${item?.id}`, { body: { data: 'y', expectedRevision: 7 } });
    expect(refused.json.error.code).toBe('ITEM_REVISION');
    await desk.post(`${path}/${item?.id}/restore`);
    expect(await entries()).toEqual([]);
  });

  test('is an entry of a run that still works, and the run goes on', async () => {
    const item = await firstItem();
    await desk.ask('PUT', `${path}/${item?.id}`, { body: { data: 'y' } });
    await finish();
    expect(await desk.stage.run(runId)).toMatchObject({ status: 'completed' });
    expect(await entries()).toMatchObject([{ action: 'item_changed', itemId: item?.id }]);
    const { items } = (await desk.get(`/api/diagnostics?runId=${runId}&limit=200`)).json;
    expect(items.map(({ detail }) => (detail as { action?: string }).action).at(-1)).toBe('director_complete');
  });

  test('of many at once leaves an entry each', async () => {
    await finish();
    await Promise.all(Array.from({ length: 4 }, (_, i) => desk.post(path, { label: `n${i}` })));
    expect((await entries()).map(({ label }) => label).sort()).toEqual(['n0', 'n1', 'n2', 'n3']);
  });
});

describe('a deleted item', () => {
  test('is restored with its content, from the revision that the person saw', async () => {
    await finish();
    const item = await firstItem();
    const restore = (body?: object) => desk.post(`${path}/${item?.id}/restore`, body);
    await desk.ask('DELETE', `${path}/${item?.id}`);
    const late = await restore({ expectedRevision: 1 });
    expect([late.status, late.json.error.code]).toEqual([409, 'ITEM_REVISION']);
    const answer = await restore({ expectedRevision: 2 });
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { label: 'draft', data: 'x', deleted: false, revision: 3 },
    ]);
    expect((await desk.get(path)).json.items).toHaveLength(1);
    expect((await restore()).json).toMatchObject({ revision: 3 });
  });

  test('cannot be restored where it was deleted for good', async () => {
    await finish();
    const item = await firstItem();
    await desk.ask('DELETE', `${path}/${item?.id}?hard=true`);
    const { status, json } = await desk.post(`${path}/${item?.id}/restore`);
    expect([status, json.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
  });
});
