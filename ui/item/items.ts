import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { ItemHistory, MailEntry, WorkspaceItem, Page } from '../http/api-types.ts';
import { mailsUrl } from '../mail/mails.ts';

/** One key of an item's two ids; ids contain no slash. */
export const itemKey = (workspaceId: string, itemId: string) => `${workspaceId}/${itemId}`;

function itemPath(key: string): string {
  const [workspaceId = '', itemId = ''] = key.split('/');
  return path`/api/workspaces/${workspaceId}/items/${itemId}`;
}

/** Reads an item with its data, also a deleted one. */
export function fetchItem(key: string, signal?: AbortSignal): Promise<WorkspaceItem> {
  return request('GET', `${itemPath(key)}?includeDeleted=true`, signal === undefined ? {} : { signal });
}

/** The item that is shown. */
export const shownItem = createResource(fetchItem);

/** The e-mail of an item, where the page shows it without one. The key is the id of the e-mail; undefined where it was deleted. */
export const itemMail = createResource(
  async (id, signal) => (await request<Page<MailEntry>>('GET', mailsUrl({ ids: id }), { signal })).items[0],
);

/** The revisions of an item. The key ends in `/` and the newest one, so that a change makes another key. */
export const itemHistory = createResource<ItemHistory>((key, signal) =>
  request('GET', `${itemPath(key)}/revisions`, { signal }),
);

/** The first items of several runs, for the cards. The key: workspace and run of each, as `ws/run ws/run`. */
export const runItems = createResource(async (key, signal) => {
  const pages = await Promise.all(key.split(' ').map((pair) => fetchItems(pair, '&limit=20', signal)));
  return pages.flat();
});

/** Items in one request for the page of a run, and most requests. */
const MAX_ITEMS = 100;
const MAX_PAGES = 5;

/** All items of one run, deleted ones too. The key is `workspace/run`. */
export const allItems = createResource((key, signal) =>
  fetchItems(key, `&limit=${MAX_ITEMS}&includeDeleted=true`, signal),
);

/** The items of one run that a filter selects. The key is `workspace/run?` and the filter as a query. */
export const filteredItems = createResource((key, signal) => {
  const [pair = '', query = ''] = key.split('?');
  return fetchItems(pair, `&limit=${MAX_ITEMS}&${query}`, signal);
});

/** The items of a run, `workspace/run`, that a query selects. Takes several answers where they are large. */
export async function fetchItems(pair: string, query: string, signal: AbortSignal): Promise<readonly WorkspaceItem[]> {
  const [workspaceId = '', runId = ''] = pair.split('/');
  const start = path`/api/workspaces/${workspaceId}/items?runId=${runId}`;
  const items: WorkspaceItem[] = [];
  let cursor: string | null = null;
  // A page of large items has fewer than its limit.
  for (let pages = 0; pages < MAX_PAGES && (pages === 0 || cursor !== null); pages++) {
    const more = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<WorkspaceItem> = await request('GET', start + query + more, { signal });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

/** Fetches the shown lists of items again, if one is of this workspace. */
export function refreshItems(workspaceId: string): void {
  for (const list of [runItems, allItems, filteredItems])
    if (list.state.value.key.split(' ').some((pair) => pair.startsWith(`${workspaceId}/`))) list.refresh();
}

/** Saves an item over an expected revision, and shows what was saved. Rejects with `CONFLICT` or `ITEM_REVISION` (409) when it has changed. */
export async function saveItem(
  key: string,
  change: { data: string; label: string; expectedRevision: number },
): Promise<WorkspaceItem> {
  const saved = await request<WorkspaceItem>('PUT', itemPath(key), { body: change });
  if (shownItem.state.value.key === key) shownItem.set(saved);
  return saved;
}

/** Restores a deleted item, unless it changed after this revision. */
export function restoreItem(key: string, expectedRevision: number): Promise<unknown> {
  return request('POST', `${itemPath(key)}/restore`, { body: { expectedRevision } });
}

/** Deletes an item softly: it can be restored. */
export function deleteItem(key: string): Promise<unknown> {
  return request('DELETE', itemPath(key));
}

/** The link that opens a mail in the user's mail program, or the reason why there is none. */
export function mailLink(key: string): Promise<{ readonly link?: string; readonly reason?: string }> {
  return request('GET', `${itemPath(key)}/mailto`);
}

/** Address of an item as sanitised HTML. The revision makes the frame reload after a change. */
export function itemBodyUrl(key: string, revision: number): string {
  return `${itemPath(key)}/body.html?revision=${revision}&includeDeleted=true`;
}

/** Address of the events of an item that is a calendar file, in this revision. */
export function itemEventsUrl(key: string, revision: number): string {
  return `${itemPath(key)}/events?revision=${revision}&includeDeleted=true`;
}

/** Address of the text of an item that is a PDF or DOCX file, in this revision. */
export function itemTextUrl(key: string, revision: number): string {
  return `${itemPath(key)}/text?revision=${revision}&includeDeleted=true`;
}

/** Address of the mail in an item, in this revision. */
export function itemMailUrl(key: string, revision: number): string {
  return `${itemPath(key)}/mail?revision=${revision}&includeDeleted=true`;
}
