import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { WorkspaceItem, Page } from '../http/api-types.ts';

/** An item's two ids as one key; ids hold no slash. */
export const itemKey = (workspaceId: string, itemId: string) => `${workspaceId}/${itemId}`;

function itemPath(key: string): string {
  const [workspaceId = '', itemId = ''] = key.split('/');
  return path`/api/workspaces/${workspaceId}/items/${itemId}`;
}

/** The item that is shown, with its data. */
export const shownItem = createResource((key, signal) => request<WorkspaceItem>('GET', itemPath(key), { signal }));

/** First page of each workspace of a mail, for the cards; the key is their ids, parted by spaces. */
export const workspaceItems = createResource(async (key, signal) => {
  const ids = key.split(' ');
  const pages = await Promise.all(
    ids.map((id) => request<Page<WorkspaceItem>>('GET', path`/api/workspaces/${id}/items?limit=20`, { signal })),
  );
  return pages.flatMap((page) => page.items);
});

/** Writes an item over the revision that the writer saw; `CONFLICT`/`ITEM_REVISION` (409) where it has moved on. */
export function saveItem(
  key: string,
  change: { data: string; label: string; expectedRevision: number },
): Promise<unknown> {
  return request('PUT', itemPath(key), { body: change });
}

/** Takes an item away softly: the API can still show it with `?includeDeleted`. */
export function deleteItem(key: string): Promise<unknown> {
  return request('DELETE', itemPath(key));
}

/** Where the server shows an item as safe HTML. The revision makes the frame load again after a change. */
export function itemBodyUrl(key: string, revision: number): string {
  return `${itemPath(key)}/body.html?revision=${revision}`;
}

/** Where the server reads the events of an item that is a calendar file, as it is in this revision. */
export function itemEventsUrl(key: string, revision: number): string {
  return `${itemPath(key)}/events?revision=${revision}`;
}
