import { itemRuns } from '../../../run/item-runs.ts';
import { listBounded } from '../../../store/bounded-list.ts';
import type { Condition, Reader, Row } from '../../../store/store.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { itemOf, readItem } from '../../../workspace/items.ts';
import type { AddRoutes } from '../../api.ts';
import { createDiffer } from '../../http/differ.ts';
import { reading } from '../../http/reading.ts';
import { redacted } from '../../http/redacted.ts';
import { readRevisionRecords, type RevisionRecord } from './revision-records.ts';

/** Revisions in one answer, the newest. */
const MAX_REVISIONS = 100;
/** Items of a workspace among which those of other runs are searched, the newest. */
const MAX_ITEMS = 500;

/** One revision of an item, as far as the records of its runs tell. */
export interface ItemRevision extends Omit<RevisionRecord, 'text'> {
  readonly revision: number;
  /** How its text differs from that of revision `since`, as a unified diff; absent where one of both is not kept. */
  readonly diff?: string;
  /** The newest revision before it whose text is kept. */
  readonly since?: number;
}

/** An item of another run in the same workspace, with the same label and type. */
export interface ItemLink {
  readonly id: string;
  readonly runId: string;
  /** ISO 8601. */
  readonly created: string;
}

/** `GET /api/workspaces/:id/items/:itemId/revisions`. */
export interface ItemHistory {
  /** Newest first. */
  readonly revisions: readonly ItemRevision[];
  /** The results of earlier runs that it replaces, newest first, and those of later runs that replace it, oldest first. */
  readonly replaces: readonly ItemLink[];
  readonly replacedBy: readonly ItemLink[];
}

/** `GET /api/workspaces/:id/items/:itemId/revisions`: the revisions of an item, also of a deleted one, and how each differs. */
export const itemRevisionRoutes: AddRoutes = (router, services) => {
  router.get(
    '/workspaces/:id/items/:itemId/revisions',
    reading(services, async ({ deps: { store, redactor } }, ctx) => {
      const workspaceId = String(ctx.params['id']);
      const item = await readItem(store, workspaceId, String(ctx.params['itemId']), { includeDeleted: true });
      const history: ItemHistory = {
        revisions: await revisionsOf(await readRevisionRecords(store, workspaceId, item), item.revision),
        ...(await othersOf(store, workspaceId, item)),
      };
      ctx.body = redacted(redactor, history);
    }),
  );
};

async function revisionsOf(records: ReadonlyMap<number, RevisionRecord>, newest: number): Promise<ItemRevision[]> {
  const diff = createDiffer();
  const revisions: ItemRevision[] = [];
  for (let revision = newest; revision > Math.max(0, newest - MAX_REVISIONS); revision--) {
    const { text, ...record } = records.get(revision) ?? {};
    let since = revision - 1;
    while (since > 0 && records.get(since)?.text === undefined) since--;
    const before = records.get(since)?.text;
    const isKnown = text !== undefined && before !== undefined;
    const names = [`revision ${since}`, `revision ${revision}`] as const;
    const change = isKnown && {
      since,
      diff: ended(text) === ended(before) ? '' : await diff(names, ended(before), ended(text)),
    };
    revisions.push({ revision, ...record, ...change });
  }
  return revisions;
}

/** A text with a last line end, so that no diff has a line about it. */
const ended = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);

/** The items of other runs with the same label and type. A deleted one, and one without a label, replaces nothing. */
async function othersOf(
  reader: Reader,
  workspaceId: string,
  item: WorkspaceItem,
): Promise<Pick<ItemHistory, 'replaces' | 'replacedBy'>> {
  if (item.label === undefined || item.deleted) return { replaces: [], replacedBy: [] };
  const load = (last: Row<'item'> | undefined, limit: number) => {
    const where: Condition<'item'>[] = [
      ['workspace', '=', workspaceId],
      ['deleted', '=', 0],
    ];
    if (last !== undefined) where.push(['id', '<', last.id]);
    return reader.list('item', { where, order: [['id', 'desc']], limit });
  };
  const { rows } = await listBounded(load, { limit: MAX_ITEMS, sizeOf: ({ body }) => body.length });
  const same = rows.map(itemOf).filter(({ label, mimeType }) => label === item.label && mimeType === item.mimeType);
  const runOf = await itemRuns(reader, [...same, item]);
  const own = runOf(item) ?? workspaceId;
  const links = same.flatMap((one): ItemLink[] => {
    const runId = runOf(one) ?? workspaceId;
    return runId === own ? [] : [{ id: one.id, runId, created: one.created }];
  });
  return {
    replaces: links.filter(({ id }) => id < item.id),
    replacedBy: links.filter(({ id }) => id > item.id).toReversed(),
  };
}
