import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** One request's end: the caller's abort or the time limit, whichever comes first. */
export interface Deadline {
  /** Aborted by either. */
  readonly signal: AbortSignal;
  /** True when it was the time limit. */
  readonly isOver: boolean;
  /** Lets go of timer and listener; call it when the request has settled. */
  end(): void;
}

/** Starts the limit of `timeoutMs`. An already aborted `signal` gives an aborted deadline. */
export function startDeadline({ signal, clock, timeoutMs }: Abortable & { clock: Clock; timeoutMs: number }): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const onAbort = () => controller.abort(signal?.reason);
  const stop = clock.delay(() => {
    isOver = true;
    controller.abort(new Error(`no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    end() {
      stop();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
