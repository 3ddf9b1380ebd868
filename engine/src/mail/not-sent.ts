import { EngineError } from '../base/error.ts';

/** What goes wrong on the way to sending, where it is certain that nothing was sent. Errors that say so themselves pass. */
export function asNotSent(error: unknown): unknown {
  if (!(error instanceof EngineError) || (!error.retryable && error.code !== 'NOT_FOUND')) return error;
  return new EngineError('MAIL_NOT_SENT', error.message, { hint: error.hint, retryable: true, cause: error });
}

/** Whether a code of Node says that nobody was there to be asked. */
export function isUnreachable(code: string): boolean {
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(code);
}
