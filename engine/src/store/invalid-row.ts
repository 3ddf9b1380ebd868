import { EngineError } from '../base/error.ts';

/**
 * `STORE_INVALID`: the store takes no such row, however often it is tried. Who waits for a store that is full or away
 * (`STORE_FAILED`) must not wait for this.
 */
export function invalidRow(what: string, cause: unknown): EngineError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new EngineError('STORE_INVALID', `${what}: a value does not fit: ${why}`, {
    hint: 'nothing was written; this is a defect of Callsheet: please report it',
    cause,
  });
}
