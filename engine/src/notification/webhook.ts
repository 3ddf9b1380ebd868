import { EngineError } from '../base/error.ts';
import type { Notification } from './notification.ts';

/** Time for one request. */
const TIMEOUT_MS = 10_000;

/**
 * Posts a notification as JSON. `Idempotency-Key` is the same for every attempt, so that the receiver can drop a second one.
 * `NOTIFY_FAILED`, retryable for 408, 429, 5xx and lost connections. Redirects are refused: they would carry the text elsewhere.
 * Abort rejects with the signal's reason.
 */
export async function postWebhook(
  url: string,
  { id, status: _status, ...notification }: Notification,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': id, 'User-Agent': 'Callsheet' };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id, ...notification }),
      redirect: 'manual',
      signal: limit,
    });
  } catch (cause) {
    signal.throwIfAborted();
    const message = limit.aborted
      ? `the webhook did not answer within ${TIMEOUT_MS / 1000} s`
      : 'the webhook cannot be reached';
    throw new EngineError('NOTIFY_FAILED', message, { retryable: true, cause });
  }
  await answer.body?.cancel();
  if (answer.ok) return;
  const retryable = answer.status >= 500 || answer.status === 408 || answer.status === 429;
  throw new EngineError('NOTIFY_FAILED', `the webhook answered ${answer.status}`, { retryable });
}
