import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** The end of one request: the caller's abort or the time limit, whichever comes first. */
export interface Deadline {
  /** Aborted by either. */
  readonly signal: AbortSignal;
  /** True if the time limit was reached. */
  readonly isOver: boolean;
  /** Removes timer and listener. Call it when the request has settled. */
  end(): void;
}

/** Starts a time limit of `timeoutMs`. With an already aborted `signal`, the deadline is aborted at once. */
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
