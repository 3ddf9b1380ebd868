import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FetcherStatus } from '../http/shapes.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** The state of the mail fetcher. */
export const fetcher = createResource((_key, signal) =>
  request<FetcherStatus>('GET', '/api/fetcher/status', { signal }),
);

/** What the fetcher does, in one word; `''` while that is not known. */
export function fetcherWord(status: FetcherStatus | undefined): string {
  if (status === undefined) return '';
  return status.isFetching ? 'fetching' : status.state;
}

/** What keeps an account from being fetched, one line each: `support: the folder is gone`. */
export function accountTroubles(status: FetcherStatus | undefined): readonly string[] {
  return (status?.accounts ?? []).flatMap(({ accountId, lastError, unreadable }) => [
    ...(lastError === undefined ? [] : [`${accountId}: ${lastError.message}`]),
    ...unreadable.map(({ name, error }) => `${accountId}: ${name} cannot be read: ${error.message}`),
  ]);
}

/** Starts the fetcher where it stands still, else stops it. */
export async function toggleFetcher(): Promise<void> {
  const isStopped = fetcher.state.value.data?.state === 'stopped';
  await attempt(async () => {
    await request('POST', `/api/fetcher/${isStopped ? 'start' : 'stop'}`, { body: {} });
    showToast(isStopped ? 'The fetcher looks for mail again.' : 'The fetcher is stopped.');
  });
  fetcher.refresh();
}

/** Looks for new mail in every account now. */
export async function fetchNow(): Promise<void> {
  await attempt(async () => {
    await request('POST', '/api/fetcher/fetch', { body: {} });
    showToast('Looked for new mail.');
  });
  fetcher.refresh();
}
