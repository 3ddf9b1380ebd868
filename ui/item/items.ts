import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { WorkspaceItem, Page } from '../http/api-types.ts';

/** One key of an item's two ids; ids contain no slash. */
export const itemKey = (workspaceId: string, itemId: string) => `${workspaceId}/${itemId}`;

function itemPath(key: string): string {
  const [workspaceId = '', itemId = ''] = key.split('/');
  return path`/api/workspaces/${workspaceId}/items/${itemId}`;
}

/** The item that is shown, with its data. */
export const shownItem = createResource((key, signal) => request<WorkspaceItem>('GET', itemPath(key), { signal }));

/** The first items of each workspace of a mail, for the cards. The key is the workspace ids, separated by spaces. */
export const workspaceItems = createResource(async (key, signal) => {
  const ids = key.split(' ');
  const pages = await Promise.all(
    ids.map((id) => request<Page<WorkspaceItem>>('GET', path`/api/workspaces/${id}/items?limit=20`, { signal })),
  );
  return pages.flatMap((page) => page.items);
});

/** Saves an item over an expected revision. Rejects with `CONFLICT` or `ITEM_REVISION` (409) when it has changed. */
export function saveItem(
  key: string,
  change: { data: string; label: string; expectedRevision: number },
): Promise<unknown> {
  return request('PUT', itemPath(key), { body: change });
}

/** Deletes an item softly: the API still returns it with `?includeDeleted`. */
export function deleteItem(key: string): Promise<unknown> {
  return request('DELETE', itemPath(key));
}

/** Address of an item as sanitised HTML. The revision makes the frame reload after a change. */
export function itemBodyUrl(key: string, revision: number): string {
  return `${itemPath(key)}/body.html?revision=${revision}`;
}

/** Address of the events of an item that is a calendar file, in this revision. */
export function itemEventsUrl(key: string, revision: number): string {
  return `${itemPath(key)}/events?revision=${revision}`;
}
