import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Draft } from '../store/draft.ts';
import type { Condition, Reader, Row } from '../store/store.ts';
import type { ItemInput, WorkspaceItem } from './item.ts';
import { bodyOf, isDamage } from '../store/damaged-row.ts';

/** Largest `data` of an item, in characters. */
export const MAX_DATA = 8_000_000;

/**
 * Lists a page of a workspace's items, oldest first. `after` is the id of the last item of the page before. With
 * `newest`, the page has the newest items.
 */
export async function listItems(
  reader: Reader,
  workspaceId: string,
  options: { includeDeleted?: boolean; after?: string; limit?: number; newest?: boolean } = {},
): Promise<WorkspaceItem[]> {
  const { newest = false } = options;
  const where: Condition<'item'>[] = [['workspace', '=', workspaceId]];
  if (options.includeDeleted !== true) where.push(['deleted', '=', 0]);
  if (options.after !== undefined) where.push(['id', '>', options.after]);
  const rows = await reader.list('item', {
    where,
    order: [['id', newest ? 'desc' : 'asc']],
    ...(options.limit !== undefined && { limit: options.limit }),
  });
  const items = rows.map(itemOf);
  return newest ? items.reverse() : items;
}

/** Reads one item; a soft-deleted one only with `includeDeleted`. Throws `ITEM_NOT_FOUND`. */
export async function readItem(
  reader: Reader,
  workspaceId: string,
  id: string,
  options: { includeDeleted?: boolean } = {},
): Promise<WorkspaceItem> {
  const row = await reader.get('item', { workspace: workspaceId, id });
  if (row === undefined || (row.deleted === 1 && options.includeDeleted !== true))
    throw new EngineError('ITEM_NOT_FOUND', `no item "${id}" in this workspace`, {
      hint: 'list the items to see their ids',
    });
  return itemOf(row);
}

/** Adds an item; its default type is text/plain. Throws `TOO_LARGE`, or `BAD_REQUEST` for data that is not base64. */
export async function addItem(
  draft: Draft,
  workspaceId: string,
  input: ItemInput,
  made: { id: string; now: number; context: WorkspaceItem['context'] },
): Promise<WorkspaceItem> {
  checkData(input.data, input.encoding ?? 'utf8');
  const time = isoTime(made.now);
  const item: WorkspaceItem = {
    id: made.id,
    mimeType: 'text/plain',
    encoding: 'utf8',
    ...pick(input),
    created: time,
    updated: time,
    revision: 1,
    deleted: false,
    context: made.context,
  };
  await draft.add({ op: 'insert', table: 'item', row: rowOf(workspaceId, item) });
  return item;
}

/**
 * Changes an item; `runId` is the run that does. Throws `ITEM_REVISION` where `expectedRevision` is not the item's
 * revision; `ITEM_NOT_FOUND`, `TOO_LARGE`, `BAD_REQUEST` as above.
 */
export async function updateItem(
  draft: Draft,
  workspaceId: string,
  id: string,
  patch: ItemInput,
  options: { now: number; expectedRevision?: number | undefined; runId?: string; isTainted?: boolean },
): Promise<WorkspaceItem> {
  const item = await readItem(draft, workspaceId, id);
  expectRevision(item, options.expectedRevision);
  const { runId, isTainted = false } = options;
  const context = {
    ...item.context,
    ...(runId !== undefined && { runId }),
    ...(isTainted && { isTainted: true as const }),
  };
  const changed = { ...item, ...pick(patch), context, updated: isoTime(options.now), revision: item.revision + 1 };
  checkData(changed.data, changed.encoding);
  await replace(draft, workspaceId, item, changed);
  return changed;
}

/**
 * Marks an item as deleted, or deletes its row with `hard`. Returns its last state; undefined where that cannot be read.
 * Throws as `updateItem`.
 */
export async function removeItem(
  draft: Draft,
  workspaceId: string,
  id: string,
  options: { now: number; hard?: boolean | undefined; expectedRevision?: number | undefined },
): Promise<WorkspaceItem | undefined> {
  if (options.hard === true && (await isUnreadable(draft, workspaceId, id))) {
    draft.append({ op: 'delete', table: 'item', where: { workspace: workspaceId, id } });
    return undefined;
  }
  const item = await readItem(draft, workspaceId, id, { includeDeleted: options.hard === true });
  expectRevision(item, options.expectedRevision);
  if (options.hard === true) {
    await draft.add({ op: 'delete', table: 'item', where: { workspace: workspaceId, id } });
    return item;
  }
  const removed = { ...item, deleted: true, updated: isoTime(options.now), revision: item.revision + 1 };
  await replace(draft, workspaceId, item, removed);
  return removed;
}

/** Brings back an item that is marked as deleted; another item stays as it is. Throws as `updateItem`. */
export async function restoreItem(
  draft: Draft,
  workspaceId: string,
  id: string,
  options: { now: number; expectedRevision?: number | undefined },
): Promise<WorkspaceItem> {
  const item = await readItem(draft, workspaceId, id, { includeDeleted: true });
  expectRevision(item, options.expectedRevision);
  if (!item.deleted) return item;
  const restored = { ...item, deleted: false, updated: isoTime(options.now), revision: item.revision + 1 };
  await replace(draft, workspaceId, item, restored);
  return restored;
}

/** Whether an item may have words of strangers. Older versions noted only the mail that it is about. */
export function isTaintedItem({ context: { isTainted, email, createdBy } }: WorkspaceItem): boolean {
  return isTainted === true || (email !== undefined && createdBy !== 'user');
}

/** Whether there is an item that cannot be read: it can be deleted, and nothing else. */
async function isUnreadable(draft: Draft, workspace: string, id: string): Promise<boolean> {
  try {
    const row = await draft.get('item', { workspace, id });
    if (row !== undefined) itemOf(row);
    return false;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}

async function replace(draft: Draft, workspaceId: string, before: WorkspaceItem, after: WorkspaceItem): Promise<void> {
  const { workspace, id, ...set } = rowOf(workspaceId, after);
  await draft.add({ op: 'update', table: 'item', key: { workspace, id }, set, expect: { revision: before.revision } });
}

function expectRevision(item: WorkspaceItem, expected: number | undefined): void {
  if (expected === undefined || expected === item.revision) return;
  throw new EngineError('ITEM_REVISION', `item "${item.id}" is at revision ${item.revision}, not ${expected}`, {
    hint: 'read the item again and repeat the change on what it holds now',
  });
}

function checkData(data: string | undefined, encoding: string): void {
  if (data === undefined) return;
  if (data.length > MAX_DATA)
    throw new EngineError('TOO_LARGE', `data has ${data.length} characters, at most ${MAX_DATA} are kept`);
  if (encoding === 'base64' && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data))
    throw new EngineError('BAD_REQUEST', 'data is not base64, though encoding says so', {
      hint: 'send base64, or set encoding to utf8',
    });
}

/** The given values of the keys that callers may set. */
function pick(input: ItemInput): ItemInput {
  const { label, description, mimeType, encoding, data, tags } = input;
  const given = Object.entries({ label, description, mimeType, encoding, data, tags });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function rowOf(workspaceId: string, item: WorkspaceItem): Row<'item'> {
  const { id, revision, deleted, ...body } = item;
  return { workspace: workspaceId, id, revision, deleted: deleted ? 1 : 0, body: JSON.stringify(body) };
}

/** The item of a row. `STORE_DAMAGED` where its body cannot be read. */
export function itemOf(row: Row<'item'>): WorkspaceItem {
  const body = bodyOf<Omit<WorkspaceItem, 'id' | 'revision' | 'deleted'>>('item', row);
  return { id: row.id, ...body, revision: row.revision, deleted: row.deleted === 1 };
}
