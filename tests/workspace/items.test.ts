import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Draft } from '../../engine/src/store/draft.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import type { ItemInput, WorkspaceItem } from '../../engine/src/workspace/item.ts';
import { addItem, listItems, readItem, removeItem, updateItem } from '../../engine/src/workspace/items.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const CONTEXT: WorkspaceItem['context'] = { director: { id: 'boss', name: 'Boss' }, createdBy: 'director' };

let dir: string;
let store: Store;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-items-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

/** Commits one change of the workspace `w1`. */
async function change<T>(work: (draft: Draft) => Promise<T>): Promise<T> {
  const draft = new Draft(store);
  const result = await work(draft);
  await store.apply(draft.changes);
  return result;
}

const add = (id: string, input: ItemInput) =>
  change((draft) => addItem(draft, 'w1', input, { id, now: NOW, context: CONTEXT }));

test('an item that is added is plain text of revision 1, and is read back in its own workspace only', async () => {
  const added = await add('item_1', { label: 'Notes', data: 'two lines\nof text', tags: ['draft'] });
  expect(added).toEqual({
    ...{ id: 'item_1', label: 'Notes', data: 'two lines\nof text', tags: ['draft'] },
    ...{ mimeType: 'text/plain', encoding: 'utf8', revision: 1, deleted: false, context: CONTEXT },
    ...{ created: '2026-11-22T12:00:00.000Z', updated: '2026-11-22T12:00:00.000Z' },
  });
  expect(await readItem(store, 'w1', 'item_1')).toEqual(added);
  await expect(readItem(store, 'w2', 'item_1')).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' });
});

test('an update changes what it names, and counts the revision', async () => {
  const before = await add('item_1', { label: 'Notes', data: 'first' });
  const set = { data: 'second' };
  await change((draft) => updateItem(draft, 'w1', 'item_1', set, { now: NOW + 1000, expectedRevision: 1 }));
  const after = { ...before, data: 'second', revision: 2, updated: '2026-11-22T12:00:01.000Z' };
  expect(await readItem(store, 'w1', 'item_1')).toEqual(after);
});

test('an update or removal of another revision than the item has is refused, and changes nothing', async () => {
  await add('item_1', { data: 'first' });
  await change((draft) => updateItem(draft, 'w1', 'item_1', { data: 'second' }, { now: NOW }));
  const late = { now: NOW, expectedRevision: 1 };
  const refused = { code: 'ITEM_REVISION', message: 'item "item_1" is at revision 2, not 1' };
  await expect(change((draft) => updateItem(draft, 'w1', 'item_1', { data: 'x' }, late))).rejects.toMatchObject(
    refused,
  );
  await expect(change((draft) => removeItem(draft, 'w1', 'item_1', late))).rejects.toMatchObject(refused);
  expect(await readItem(store, 'w1', 'item_1')).toMatchObject({ data: 'second', revision: 2, deleted: false });
});

test('of two changes that have read the same revision, the store takes the first', async () => {
  await add('item_1', { data: 'first' });
  const [one, other] = [new Draft(store), new Draft(store)];
  await updateItem(one, 'w1', 'item_1', { data: 'one' }, { now: NOW });
  await updateItem(other, 'w1', 'item_1', { data: 'other' }, { now: NOW });
  await store.apply(one.changes);
  await expect(store.apply(other.changes)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  expect((await readItem(store, 'w1', 'item_1')).data).toBe('one');
});

test('a removed item is listed only where deleted ones are asked for, until it is removed for good', async () => {
  for (const id of ['item_1', 'item_2']) await add(id, { data: id });
  await change((draft) => removeItem(draft, 'w1', 'item_1', { now: NOW }));
  expect((await listItems(store, 'w1')).map(({ id }) => id)).toEqual(['item_2']);
  const all = await listItems(store, 'w1', { includeDeleted: true });
  expect(all.map(({ id, deleted, revision }) => [id, deleted, revision])).toEqual([
    ['item_1', true, 2],
    ['item_2', false, 1],
  ]);
  await change((draft) => removeItem(draft, 'w1', 'item_1', { now: NOW, hard: true }));
  expect(await listItems(store, 'w1', { includeDeleted: true })).toHaveLength(1);
});

test.each([
  { name: 'is no base64', input: { data: 'a*b', encoding: 'base64' as const }, code: 'BAD_REQUEST' },
  { name: 'is longer than 8,000,000 characters', input: { data: 'x'.repeat(8_000_001) }, code: 'TOO_LARGE' },
])('data that $name is refused', async ({ input, code }) => {
  await expect(add('item_1', input)).rejects.toMatchObject({ code });
  expect(await listItems(store, 'w1')).toEqual([]);
});
