import { signal } from '@preact/signals';
import { request } from '../http/request.ts';
import type { MailEntry, Page } from '../http/api-types.ts';
import { attempt } from '../widget/toast.ts';
import { foundMails, isAllLoaded, mailsUrl, merge } from './mails.ts';
import { type MailFilter, viewOf } from './state/filter.ts';

/** The query for the server; undefined without words, as the pages of the list are those of the view. */
function queryOf({ text, view }: MailFilter): Record<string, string> | undefined {
  const q = text.trim();
  return q === '' ? undefined : { q, ...viewOf(view).query };
}

/** The current search: its filter and the start of its next page (null: no more pages). */
export const search = signal<{ readonly filter: MailFilter; readonly cursor: string | null } | undefined>(undefined);

/** Searches on the server when not all pages are loaded. Ends an older search. */
export async function startSearch(filter: MailFilter): Promise<void> {
  const query = queryOf(filter);
  if (query === undefined && search.value === undefined) return;
  search.value = undefined;
  foundMails.value = [];
  if (query === undefined || isAllLoaded(filter.view)) return;
  search.value = { filter, cursor: null };
  await fetchPage(filter, query);
}

/** Loads the next page of the search. */
export async function continueSearch(): Promise<void> {
  const { filter, cursor } = search.value ?? {};
  const query = filter && queryOf(filter);
  if (filter !== undefined && query !== undefined && cursor) await fetchPage(filter, { ...query, cursor });
}

async function fetchPage(filter: MailFilter, query: Record<string, string>): Promise<void> {
  await attempt(async () => {
    const page = await request<Page<MailEntry>>('GET', mailsUrl(query));
    // The filter has changed meanwhile.
    if (search.value?.filter !== filter) return;
    foundMails.value = merge(foundMails.value, page.items);
    search.value = { filter, cursor: page.nextCursor };
  });
}

/** Loads a mail that is not on a loaded page. Does nothing when the server does not find it. */
export async function fetchMail(id: string): Promise<void> {
  await attempt(async () => {
    const page = await request<Page<MailEntry>>('GET', mailsUrl({ ids: id }));
    foundMails.value = merge(foundMails.value, page.items);
  });
}
