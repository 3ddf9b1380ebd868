import type { Abortable } from '../base/abort.ts';
import type { Parts } from './parts.ts';

const GOES_ON: ReadonlySet<string> = new Set(['queued', 'running']);

/**
 * Resolves as soon as a run is over or waits for something, after `ms` milliseconds at the latest; at once where there is
 * no such run. Abort resolves too.
 */
export async function settled(parts: Parts, runId: string, { ms, signal }: Abortable & { ms: number }): Promise<void> {
  if (ms <= 0) return;
  const { live, clock, store } = parts;
  const { promise, resolve } = Promise.withResolvers<void>();
  // Heard before it is looked at, so that nothing falls in between.
  const stopListening = live.subscribe(({ name, data }) => {
    if (name === 'run' && data['id'] === runId && !GOES_ON.has(String(data['status']))) resolve();
  });
  const stopWaiting = clock.delay(resolve, ms);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  try {
    const row = await store.get('run', { id: runId });
    if (row !== undefined && GOES_ON.has(row.status) && signal?.aborted !== true) await promise;
  } finally {
    stopListening();
    stopWaiting();
  }
}
