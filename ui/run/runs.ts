import { signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { Page, Run, Thread } from '../http/shapes.ts';

const PAGE_SIZE = 50;

/** The runs fetched so far, newest first. */
export const runs = signal<readonly Run[]>([]);
/** Where the next page starts; null where there is none. */
export const runsCursor = signal<string | null>(null);
/** Why the last fetch failed, if it did. */
export const runsError = signal<ErrorBody | undefined>(undefined);

/** The run that is shown. */
export const run = createResource((id, signal) => request<Run>('GET', path`/api/runs/${id}`, { signal }));

/** Nobody has looked at the list yet: nothing is fetched for it. */
let isWanted = false;

/** The first page of runs, or one more at the end. */
export async function loadRuns({ more = false, wanted = false } = {}): Promise<void> {
  isWanted ||= wanted;
  if (!isWanted) return;
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    ...(more && runsCursor.value !== null && { cursor: runsCursor.value }),
  });
  try {
    const page = await request<Page<Run>>('GET', `/api/runs?${query}`);
    runs.value = more ? [...runs.value, ...page.items] : page.items;
    runsCursor.value = page.nextCursor;
    runsError.value = undefined;
  } catch (thrown) {
    runsError.value = errorOfThrown(thrown);
  }
}

/** Cancels a run and all under it. What it has made stays. */
export async function cancelRun(id: string): Promise<void> {
  await request('POST', path`/api/runs/${id}/cancel`, { body: {} });
  run.refresh();
}

/** Raised when shown transcripts are out of date; each shown one fetches itself again. */
export const transcriptTick = signal(0);

/** Has every shown transcript fetched again. */
export function refreshTranscripts(): void {
  transcriptTick.value++;
}

/** The messages of a director's or an agent's thread. */
export function fetchThread(id: string, signal: AbortSignal): Promise<Thread> {
  return request<Thread>('GET', path`/api/conversations/${id}`, { signal });
}
