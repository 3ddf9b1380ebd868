import type { ErrorBody } from '../../engine/src/base/error.ts';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { FetcherStatus, FetchResult } from '../http/api-types.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** The state of the mail fetcher. */
export const fetcher = createResource((_key, signal) =>
  request<FetcherStatus>('GET', '/api/fetcher/status', { signal }),
);

/** State of the fetcher for the top bar; `''` while it is unknown. */
export function fetcherLabel(status: FetcherStatus | undefined): string {
  if (status === undefined) return '';
  return status.isFetching ? 'fetching' : status.state;
}

/** Smallest number of mails for which a progress bar is shown. */
const SHOWN_FROM = 50;

/** Fetched mails and total over all accounts; undefined when there are too few for a progress bar. */
export function fetchProgress(status: FetcherStatus | undefined): { done: number; total: number } | undefined {
  const all = (status?.accounts ?? []).flatMap(({ progress }) => progress ?? []);
  const sum = (pick: (one: (typeof all)[number]) => number) => all.reduce((count, one) => count + pick(one), 0);
  const total = sum((one) => one.total);
  return total < SHOWN_FROM ? undefined : { done: sum((one) => one.done), total };
}

/** Problems of accounts with their hints, one line each: `support: the folder is gone`. */
export function accountProblems(status: FetcherStatus | undefined): readonly string[] {
  return (status?.accounts ?? []).flatMap(({ accountId, lastError, unreadable }) => [
    ...(lastError === undefined ? [] : [problemText(accountId, lastError)]),
    ...unreadable.map(({ name, error }) => `${accountId}: ${name} cannot be read: ${error.message}`),
  ]);
}

/** Puts the account first, unless the message begins with it. */
function problemText(accountId: string, { message, hint }: ErrorBody): string {
  const about = message.startsWith(`account ${accountId}: `) ? message : `${accountId}: ${message}`;
  return hint === undefined ? about : `${about}. ${hint}`;
}

/** Starts the fetcher if it is stopped, else stops it. */
export async function toggleFetcher(): Promise<void> {
  const isStopped = fetcher.state.value.data?.state === 'stopped';
  await attempt(async () => {
    await request('POST', `/api/fetcher/${isStopped ? 'start' : 'stop'}`, { body: {} });
    showToast(isStopped ? 'Fetcher started.' : 'Fetcher stopped.');
  });
  fetcher.refresh();
}

/** The message after a fetch. Other processes fetch their own accounts; this one only notifies them. */
export function fetchResultText({ elsewhere = [] }: Pick<FetchResult, 'elsewhere'>): string {
  const notified = [...new Set(elsewhere.flatMap(({ fetchedBy }) => fetchedBy ?? []))];
  const unfetched = elsewhere.filter(({ fetchedBy }) => fetchedBy === undefined).map(({ accountId }) => accountId);
  return [
    notified.length === 0 ? 'Fetched new mail.' : `Fetched new mail; also notified ${notified.join(', ')}.`,
    ...(unfetched.length === 0 ? [] : [`No process fetches ${unfetched.join(', ')} at the moment.`]),
  ].join(' ');
}

/** Fetches new mail of every account now. */
export async function fetchNow(): Promise<void> {
  await attempt(async () => {
    showToast(fetchResultText(await request<FetchResult>('POST', '/api/fetcher/fetch', { body: {} })));
  });
  fetcher.refresh();
}
