import type { Clock } from './clock.ts';

/** Options of every asynchronous function of the engine. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** Resolves after `ms`. On abort it rejects at once with the signal's reason. */
export function sleep(ms: number, { signal, clock }: Abortable & { clock: Clock }): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = clock.delay(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      stop();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Settles as `promise` does; on abort it rejects at once with the signal's reason. The work behind `promise` goes on.
 */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
