import type { Clock } from './clock.ts';

/** What every asynchronous function of the engine takes. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
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

/** `promise`, or a rejection with the signal's reason if that comes first. The work behind `promise` is not stopped. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
