import { EngineError } from '../base/error.ts';

/**
 * An error of a step before sending as `MAIL_NOT_SENT`. Errors that already imply that nothing was sent pass unchanged.
 */
export function asNotSent(error: unknown): unknown {
  if (!(error instanceof EngineError) || (!error.retryable && error.code !== 'NOT_FOUND')) return error;
  return new EngineError('MAIL_NOT_SENT', error.message, { hint: error.hint, retryable: true, cause: error });
}

/** Whether an error code of Node means that no connection was established. */
export function isUnreachable(code: string): boolean {
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(code);
}
