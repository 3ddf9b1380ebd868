import { signal } from '@preact/signals';
import { request } from '../http/request.ts';
import type { MailEntry, Page } from '../http/api-types.ts';
import { attempt } from '../widget/toast.ts';
import { foundMails, mailsUrl, merge, nextCursor } from './mails.ts';
import type { TreeFilter } from './tree-rows.ts';

/** What the server is asked for, as a query; undefined where it cannot judge the filter, or there is none. */
function queryOf({ text, status }: TreeFilter): Record<string, string> | undefined {
  const q = text.trim();
  if (q === '' && status !== 'unrouted') return undefined;
  return { ...(q !== '' && { q }), ...(status === 'unrouted' && { routed: 'false' }) };
}

/** How far the search has come: the filter it is for, and where its next page starts (null: at the end). */
export const search = signal<{ readonly filter: TreeFilter; readonly cursor: string | null } | undefined>(undefined);

/** Looks beyond the pages that are there already; an older search is forgotten. */
export async function startSearch(filter: TreeFilter): Promise<void> {
  const query = queryOf(filter);
  if (query === undefined && search.value === undefined) return;
  search.value = undefined;
  foundMails.value = [];
  if (query === undefined || nextCursor.value === null) return;
  search.value = { filter, cursor: null };
  await fetchPage(filter, query);
}

/** One more page of what the search finds. */
export async function continueSearch(): Promise<void> {
  const { filter, cursor } = search.value ?? {};
  const query = filter && queryOf(filter);
  if (filter !== undefined && query !== undefined && cursor) await fetchPage(filter, { ...query, cursor });
}

async function fetchPage(filter: TreeFilter, query: Record<string, string>): Promise<void> {
  await attempt(async () => {
    const page = await request<Page<MailEntry>>('GET', mailsUrl(query));
    // Somebody has typed on meanwhile.
    if (search.value?.filter !== filter) return;
    foundMails.value = merge(foundMails.value, page.items);
    search.value = { filter, cursor: page.nextCursor };
  });
}

/** Fetches a mail that an address names and that no loaded page holds. One that is gone stays unknown. */
export async function fetchMail(id: string): Promise<void> {
  await attempt(async () => {
    const page = await request<Page<MailEntry>>('GET', mailsUrl({ ids: id }));
    foundMails.value = merge(foundMails.value, page.items);
  });
}
