import { batch, computed, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { MailEntry, Page } from '../http/api-types.ts';
import { filter, viewOf } from './state/filter.ts';

const PAGE_SIZE = 50;
/** Most mails of one request. */
const MAX_IDS = 200;

/** The id of the view that `mails` are pages of. */
let loadedView = '';
/** Number of the newest load of the first page. */
let newest = 0;

/** The mails fetched so far, newest first: pages of the view, and what came since. */
export const mails = signal<readonly MailEntry[]>([]);
/** Start of the next page; null when there is none. */
export const nextCursor = signal<string | null>(null);
/** True while a page is loading, and before the first one. */
export const mailsLoading = signal(true);
/** Why the last fetch failed, if it did. */
export const mailsError = signal<ErrorBody | undefined>(undefined);

/** Mails that the server found for a search; they may lie below the loaded pages. */
export const foundMails = signal<readonly MailEntry[]>([]);
/** Ids of mails that are about to be deleted. */
export const hiddenMails = signal<ReadonlySet<string>>(new Set());
/** All mails that are loaded, but for the hidden ones. */
export const allMails = computed(() => {
  const all = foundMails.value.length === 0 ? mails.value : merge(mails.value, foundMails.value);
  return hiddenMails.value.size === 0 ? all : all.filter(({ id }) => !hiddenMails.value.has(id));
});
/** The id of the loaded mail that has this run. */
export function mailIdOfRun(runId: string): string | undefined {
  return allMails.value.find(({ runs }) => runs.some(({ id }) => id === runId))?.id;
}

/** Address of a page of mails. */
export const mailsUrl = (query: Record<string, string>) =>
  `/api/emails?${new URLSearchParams({ limit: String(PAGE_SIZE), expand: 'runs', ...query })}`;

/** Query of a page of the view. */
const viewQuery = (view: string) => viewOf(view).query ?? {};

/** Whether all mails of a view are loaded. */
export const isAllLoaded = (view: string) => view === loadedView && nextCursor.value === null;

/** Loads the first page of the view again and keeps the pages below it, as long as it reaches them. */
export async function loadMails(): Promise<void> {
  const { view } = filter.value;
  const own = ++newest;
  const known = new Set(mails.value.map(({ id }) => id));
  mailsLoading.value = true;
  try {
    const page = await request<Page<MailEntry>>('GET', mailsUrl(viewQuery(view)));
    // Another load has begun meanwhile, or another view was chosen.
    if (own !== newest || view !== filter.value.view) return;
    const oldest = page.items.at(-1);
    // A known mail that is newer than the end of the page but not in it was deleted, or left the view.
    // Without any that was known, more have come than a page has: between it and the known ones mails would be missing.
    const below =
      view !== loadedView ||
      page.nextCursor === null ||
      oldest === undefined ||
      !page.items.some(({ id }) => known.has(id))
        ? []
        : mails.value.filter((mail) => compare(mail, oldest) > 0);
    if (below.length === 0) nextCursor.value = page.nextCursor;
    loadedView = view;
    mails.value = [...page.items, ...below];
    mailsError.value = undefined;
  } catch (thrown) {
    if (own !== newest) return;
    mailsError.value = errorOfThrown(thrown);
  }
  mailsLoading.value = false;
}

/** Loads the next page. */
export async function loadMoreMails(): Promise<void> {
  const cursor = nextCursor.value;
  const { view } = filter.value;
  if (cursor === null || mailsLoading.value || view !== loadedView) return;
  mailsLoading.value = true;
  try {
    const page = await request<Page<MailEntry>>('GET', mailsUrl({ ...viewQuery(view), cursor }));
    if (view !== filter.value.view) return;
    mails.value = merge(mails.value, page.items);
    nextCursor.value = page.nextCursor;
    mailsError.value = undefined;
  } catch (thrown) {
    mailsError.value = errorOfThrown(thrown);
  }
  mailsLoading.value = false;
}

/** Loads only these mails again. New ones are inserted in order, deleted ones removed. */
export async function refreshMails(ids: readonly string[]): Promise<void> {
  if (ids.length > PAGE_SIZE) return loadMails();
  try {
    const page = await request<Page<MailEntry>>('GET', mailsUrl({ ids: ids.join(',') }));
    const fresh = new Map(page.items.map((mail) => [mail.id, mail]));
    const gone = new Set(ids.filter((id) => !fresh.has(id)));
    const isLeft = (mail: MailEntry) => !gone.has(mail.id);
    batch(() => {
      mails.value = merge(mails.value.filter(isLeft), page.items.filter(isInRange));
      foundMails.value = foundMails.value.filter(isLeft).map((mail) => fresh.get(mail.id) ?? mail);
    });
  } catch (thrown) {
    mailsError.value = errorOfThrown(thrown);
  }
}

/** Changes loaded mails in place, until the server says more. */
export function changeLoaded(ids: readonly string[], change: (mail: MailEntry) => MailEntry): void {
  const changed = new Set(ids);
  const apply = (mail: MailEntry) => (changed.has(mail.id) ? change(mail) : mail);
  batch(() => {
    mails.value = mails.value.map(apply);
    foundMails.value = foundMails.value.map(apply);
  });
}

/** Whether a mail lies within the loaded pages. Older ones come with their page. */
function isInRange(mail: MailEntry): boolean {
  const last = mails.value.at(-1);
  return nextCursor.value === null || last === undefined || compare(mail, last) <= 0;
}

/** Ids in parts that the server takes in one request. */
export function inParts(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / MAX_IDS);
  return Array.from({ length: count }, (_part, i) => ids.slice(i * MAX_IDS, (i + 1) * MAX_IDS));
}

/**
 * Deletes mails with their runs and results. The engine does not fetch them again. `isClosing`: sends all requests now, since a page that
 * is closed sends none later.
 */
export async function deleteMails(ids: readonly string[], { isClosing = false } = {}): Promise<void> {
  const parts = inParts(ids);
  if (isClosing) await Promise.all(parts.map(deletePart));
  else for (const part of parts) await deletePart(part);
}

async function deletePart(part: readonly string[]): Promise<void> {
  const [only = ''] = part;
  const place =
    part.length === 1 ? path`/api/emails/${only}` : `/api/emails?${new URLSearchParams({ ids: part.join(',') })}`;
  // The page may be closed meanwhile.
  await request('DELETE', place, { outlivesPage: true });
  const isLeft = ({ id }: MailEntry) => !part.includes(id);
  mails.value = mails.value.filter(isLeft);
  foundMails.value = foundMails.value.filter(isLeft);
}

/** Newest first. Mails received at the same moment are in the order of their ids, which also grow with time. */
function compare(a: MailEntry, b: MailEntry): number {
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Merges mails into a list that is newest first; a fresh mail replaces the known one. */
export function merge(known: readonly MailEntry[], fresh: readonly MailEntry[]): readonly MailEntry[] {
  const ids = new Set(fresh.map(({ id }) => id));
  const added = fresh.toSorted(compare);
  const merged: MailEntry[] = [];
  let next = 0;
  for (const mail of known) {
    if (ids.has(mail.id)) continue;
    for (let other = added[next]; other !== undefined && compare(other, mail) < 0; other = added[++next])
      merged.push(other);
    merged.push(mail);
  }
  return [...merged, ...added.slice(next)];
}
