import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FetcherState } from '../http/shapes.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** The state of the mail fetcher. */
export const fetcher = createResource((_key, signal) =>
  request<FetcherState>('GET', '/api/fetcher/status', { signal }),
);

/** `state` where the server names it, else from the older yes-or-no. */
export function fetcherWord(state: FetcherState | undefined): string {
  if (state === undefined) return '';
  return state.state ?? (state.running === true ? 'running' : 'stopped');
}

/** Starts the fetcher where it stands still, else stops it. */
export async function toggleFetcher(): Promise<void> {
  const isStopped = fetcherWord(fetcher.state.value.data) === 'stopped';
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
