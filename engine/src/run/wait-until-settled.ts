import type { Abortable } from '../base/abort.ts';
import type { Dependencies } from './dependencies.ts';

const GOES_ON: ReadonlySet<string> = new Set(['queued', 'running']);
/** A notification of another process may get lost: the run is read again after this time. */
const LOOK_MS = 1000;

/**
 * Resolves when a run is over or waits for something, at the latest after `ms` milliseconds; at once where there is no
 * such run. Abort resolves too.
 */
export async function waitUntilSettled(
  deps: Dependencies,
  runId: string,
  { ms, signal }: Abortable & { ms: number },
): Promise<void> {
  if (ms <= 0) return;
  const { live, clock, store } = deps;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isOver = false;
  let stopLooking = () => {};
  const look = async () => {
    const row = await store.get('run', { id: runId });
    if (row === undefined || !GOES_ON.has(row.status)) resolve();
    else if (!isOver) stopLooking = clock.delay(() => void look().catch(reject), LOOK_MS);
  };
  // Subscribed before the run is read, so that no change is missed in between.
  const stopListening = live.subscribe(({ name, data }) => {
    if (name === 'run' && data['id'] === runId && !GOES_ON.has(String(data['status']))) resolve();
  });
  const stopWaiting = clock.delay(resolve, ms);
  const onAbort = () => resolve();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await look();
    if (signal?.aborted !== true) await promise;
  } finally {
    isOver = true;
    signal?.removeEventListener('abort', onAbort);
    stopListening();
    stopWaiting();
    stopLooking();
  }
}
