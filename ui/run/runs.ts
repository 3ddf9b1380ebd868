import { signal } from '@preact/signals';
import { createPagedList } from '../http/list.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { attempt, showToast } from '../widget/toast.ts';
import type { Run, ConversationThread } from '../http/api-types.ts';

/** The filter of the list as a query: `status=failed&directorId=boss&q=invoice`. It is in the address. */
export const runFilter = signal('');
/** Runs, newest first. */
export const runs = createPagedList<Run>('/api/runs', () => ({
  limit: '50',
  ...Object.fromEntries(new URLSearchParams(runFilter.value)),
}));

/** The shown run. */
export const shownRun = createResource((id, signal) => request<Run>('GET', path`/api/runs/${id}`, { signal }));

/** False until the list is shown for the first time. */
let isOpened = false;

/** Fetches the first page of runs, or with `more` the next one. Fetches nothing before a call with `open`. */
export async function loadRuns({ more = false, open = false } = {}): Promise<void> {
  isOpened ||= open;
  if (isOpened) await runs.load({ more });
}

/** Shows the runs that a filter selects. */
export async function showRuns(filter: string): Promise<void> {
  runFilter.value = filter;
  await loadRuns({ open: true });
}

/** Starts a director on a mail. */
export async function startRun(directorId: string, emailId: string): Promise<void> {
  await attempt(async () => {
    await request('POST', '/api/runs', { body: { directorId, emailId } });
    showToast(`${directorId} was started.`);
  });
}

/** Cancels a run and its agents. Its results stay. */
export async function cancelRun(id: string): Promise<void> {
  await request('POST', path`/api/runs/${id}/cancel`, { body: {} });
  shownRun.refresh();
}

/** Counts up when transcripts are out of date; each shown transcript then fetches itself again. */
export const transcriptTick = signal(0);

/** Makes every shown transcript fetch itself again. */
export function refreshTranscripts(): void {
  transcriptTick.value++;
}

/** A director's or an agent's thread with all its messages, which may take several answers. */
export async function fetchThread(id: string, signal: AbortSignal): Promise<ConversationThread> {
  const from = path`/api/conversations/${id}`;
  const { moreAfter, ...thread } = await request<ConversationThread>('GET', from, { signal });
  const messages = [...(thread.messages ?? [])];
  for (let after = moreAfter; after !== undefined;) {
    const next: ConversationThread = await request('GET', `${from}?after=${after}`, { signal });
    messages.push(...(next.messages ?? []));
    after = next.moreAfter;
  }
  return { ...thread, messages };
}
