import { EngineError } from '../../base/error.ts';
import { invalidRow } from '../invalid-row.ts';

/** Messages of SQLite and of Node for a value that a column cannot hold. SQLite takes NaN for NULL. */
const INVALID = /NOT NULL constraint|datatype mismatch|string or blob too big|cannot be bound/i;

/**
 * Converts an error of SQLite: `STORE_CONFLICT` for a key that exists already, `STORE_INVALID` for a value that a column cannot
 * hold, otherwise `STORE_FAILED`. Errors of the disk are retryable.
 */
export function asStoreError(cause: unknown, what: string): EngineError {
  if (cause instanceof EngineError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/UNIQUE constraint/i.test(message))
    return new EngineError('STORE_CONFLICT', `exists already: ${message}`, { cause });
  if (INVALID.test(message)) return invalidRow(what, cause);
  if (/malformed|not a database/i.test(message))
    return new EngineError('STORE_DAMAGED', `${what}: ${message}`, {
      hint: 'run callsheet doctor, and put back a copy of the data folder',
      cause,
    });
  const full = /full|disk I\/O|readonly|unable to open/i.test(message);
  return new EngineError('STORE_FAILED', `${what}: ${message}`, {
    hint: full ? 'check the free space and the permissions of the data folder' : 'run callsheet doctor',
    retryable: full,
    cause,
  });
}
