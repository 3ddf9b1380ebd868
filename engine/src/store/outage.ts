import { EngineError } from '../base/error.ts';

/** Pause before work is repeated after the store refused it, in milliseconds. */
export const STORE_RETRY_MS = 1000;

/**
 * Whether the store refused to work (`STORE_FAILED`: disk full, folder read-only, server away). Nothing was written.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_FAILED';
}
