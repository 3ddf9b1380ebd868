import type { Clock } from '../../base/clock.ts';

/** A time limit that can stand still. */
export interface TimeLimit {
  /** Stops the time until the returned function is called. Pauses may overlap: time passes when none is open. */
  pause(): () => void;
  /** Removes the timer. */
  end(): void;
}

/** Calls `onOver` once, after `timeoutMs` in which no pause was open. */
export function startTimeLimit(timeoutMs: number, clock: Clock, onOver: () => void): TimeLimit {
  const now = () => clock.steady?.() ?? clock.now();
  let leftMs = timeoutMs;
  let since = now();
  let pauses = 0;
  let isEnded = false;
  let stop = clock.delay(onOver, leftMs);
  return {
    pause() {
      if (pauses++ === 0) {
        stop();
        leftMs -= now() - since;
      }
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        if (--pauses > 0 || isEnded) return;
        since = now();
        stop = clock.delay(onOver, leftMs);
      };
    },
    end() {
      isEnded = true;
      stop();
    },
  };
}
