import { EngineError } from '../../../base/error.ts';
import { itemRuns } from '../../../run/item-runs.ts';
import { recordOf } from '../../../run/run.ts';
import { readableRows } from '../../../store/readable-rows.ts';
import type { Store } from '../../../store/store.ts';
import type { Origin, WorkspaceItem } from '../../../workspace/item.ts';
import { listItems } from '../../../workspace/items.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryFlag, queryText, type WithQuery } from '../../http/query.ts';
import type { Rows, WithPath } from '../../http/rows.ts';

const LIST = 'items';

/** The answer of `GET /api/workspaces/:id/items`: oldest first. `?runId=`, `?mimeType=`, `?tag=` and `?author=` select items; all given ones must match. */
export async function itemsPage({ store }: Pick<Rows, 'store'>, ctx: WithPath): Promise<Page<WorkspaceItem>> {
  const page = readPage(ctx, LIST);
  const { workspaceId } = await workspaceOf(store, ctx);
  const includeDeleted = queryFlag(ctx, 'includeDeleted') ?? false;
  const load = async (after: string | undefined, limit: number): Promise<ListedItem[]> => {
    const items = await listItems(store, workspaceId, {
      includeDeleted,
      limit,
      ...(after !== undefined && { after }),
    });
    const runOf = await itemRuns(store, items);
    return items.map((item) => ({ id: item.id, item, runId: runOf(item) ?? workspaceId }));
  };
  const accept = itemFilter(ctx);
  const { items, nextCursor } = await pageOfRows(LIST, {
    ...{ ...page, load, sizeOf: ({ item }: ListedItem) => item.data?.length ?? 0 },
    ...(accept !== undefined && { accept }),
  });
  return { items: items.map(({ item }) => item), nextCursor };
}

/** An item and the run that wrote it. */
interface ListedItem {
  readonly id: string;
  readonly item: WorkspaceItem;
  readonly runId: string;
}

/** The condition of the query; undefined where there is none. */
function itemFilter(ctx: WithQuery): ((listed: ListedItem) => boolean) | undefined {
  const runId = queryText(ctx, 'runId');
  const mimeType = queryText(ctx, 'mimeType')?.trim().toLowerCase();
  const tag = queryText(ctx, 'tag');
  const author = queryText(ctx, 'author');
  if ([runId, mimeType, tag, author].every((wanted) => wanted === undefined)) return undefined;
  return (listed) =>
    (runId === undefined || listed.runId === runId) &&
    (mimeType === undefined || typeOf(listed.item) === mimeType) &&
    (tag === undefined || listed.item.tags?.includes(tag) === true) &&
    (author === undefined || authorsOf(listed.item).includes(author));
}

/** Words that name who created an item: the kind of creator, and the id of the agent or director. */
function authorsOf({ context }: WorkspaceItem): readonly string[] {
  const { createdBy, agentId, director } = context;
  if (createdBy === 'user') return [createdBy];
  return [createdBy, agentId ?? director.id];
}

/** The workspace of the path; its id is that of its first run. `NOT_FOUND`. */
export async function workspaceOf(store: Store, ctx: WithPath): Promise<{ workspaceId: string; origin: Origin }> {
  const workspaceId = String(ctx.params['id']);
  const run = await readableRows(store, () => {}).get('run', { id: workspaceId });
  if (run !== undefined) return { workspaceId, origin: recordOf(run).origin };
  // The first run may be deleted while another run still uses the workspace.
  const runId = queryText(ctx, 'runId');
  const other = runId === undefined ? undefined : await readableRows(store, () => {}).get('run', { id: runId });
  const record = other && recordOf(other);
  if (record?.run.workspaceId === workspaceId) return { workspaceId, origin: record.origin };
  const [item] = await listItems(store, workspaceId, { includeDeleted: true, limit: 1 });
  if (item === undefined) throw new EngineError('NOT_FOUND', `no workspace "${workspaceId}"`);
  const { email, director } = item.context;
  return { workspaceId, origin: { ...(email !== undefined && { email }), director } };
}

/** The type of an item without its parameters, in small letters. */
export function typeOf({ mimeType }: WorkspaceItem): string {
  return mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
}
