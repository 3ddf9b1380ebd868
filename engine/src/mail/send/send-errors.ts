import { EngineError } from '../../base/error.ts';

/** Errors after which the mail was certainly not sent; `ACCOUNT_FAILED` only where it is not retryable. */
const NOT_SENT_CODES = new Set([
  'MAIL_REFUSED',
  'MAIL_NOT_SENT',
  'ACCOUNT_NOT_CONNECTED',
  'ACCOUNT_GRANT_LOST',
  'ACCOUNT_SCOPE_MISSING',
]);

/** Whether the mail was certainly not sent. */
export function isCertain(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return NOT_SENT_CODES.has(error.code) || (error.code === 'ACCOUNT_FAILED' && !error.retryable);
}

/** The error where only a person can find out whether the mail was sent: `TOOL_OUTCOME_UNKNOWN`. */
export function outcomeUnknown(message: string, cause: unknown): EngineError {
  return new EngineError('TOOL_OUTCOME_UNKNOWN', `it may have been sent: ${message}`, {
    hint: 'Check the sent mail of the account before you try again.',
    cause,
  });
}

/** Whether another writer of the store was faster. */
export function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}

/** The error while another process sends the same mail: `BUSY`. */
export function busy(cause?: unknown): EngineError {
  return new EngineError('BUSY', 'another process is sending this mail right now', { cause });
}
