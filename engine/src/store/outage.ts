import { sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';

/** Pause before work is repeated after the store refused it, in milliseconds. */
export const STORE_RETRY_MS = 1000;

/**
 * Whether the store refused to work (`STORE_FAILED`: disk full, folder read-only, server away). Nothing was written.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_FAILED';
}

/** Reads from the store, and while it refuses reads again, every second. Any other error rejects, and so does an abort. */
export async function readPatiently<T>(
  read: () => Promise<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<T> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await sleep(STORE_RETRY_MS, { clock, signal });
    }
}
