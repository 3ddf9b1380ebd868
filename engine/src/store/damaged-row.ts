import { EngineError } from '../base/error.ts';

/**
 * `STORE_DAMAGED`: a row exists but cannot be parsed. The engine leaves it unchanged, because a repair could lose data.
 */
export function damagedRow(what: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError('STORE_DAMAGED', `${what} cannot be read, its row is damaged: ${reason}`, {
    hint: 'cancel or delete it, or put back a copy of the data folder',
    cause,
  });
}
