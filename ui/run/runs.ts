import { signal } from '@preact/signals';
import { createPagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { Run, ConversationThread } from '../http/api-types.ts';

/** All runs, newest first. */
export const runs = createPagedList<Run>('/api/runs', { limit: '50' });

/** The run that is shown. */
export const shownRun = createResource((id, signal) => request<Run>('GET', path`/api/runs/${id}`, { signal }));

/** Nobody has looked at the list yet: nothing is fetched for it. */
let isOpened = false;

/** Fetches the first page of runs, or the next one. Before the list was shown once (`open`) it fetches nothing. */
export async function loadRuns({ more = false, open = false } = {}): Promise<void> {
  isOpened ||= open;
  if (isOpened) await runs.load({ more });
}

/** Cancels a run and all under it. What it has made stays. */
export async function cancelRun(id: string): Promise<void> {
  await request('POST', path`/api/runs/${id}/cancel`, { body: {} });
  shownRun.refresh();
}

/** Raised when shown transcripts are out of date; each shown one fetches itself again. */
export const transcriptTick = signal(0);

/** Has every shown transcript fetched again. */
export function refreshTranscripts(): void {
  transcriptTick.value++;
}

/** The messages of a director's or an agent's thread. */
export function fetchThread(id: string, signal: AbortSignal): Promise<ConversationThread> {
  return request<ConversationThread>('GET', path`/api/conversations/${id}`, { signal });
}
