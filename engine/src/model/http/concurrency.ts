import type { Abortable } from '../../base/abort.ts';

/** Limits how many requests of one api run at the same time. */
export interface Concurrency {
  /**
   * Waits for a free slot, first come first served, and returns a function that releases it. Calling that function again
   * does nothing. Abort while waiting leaves the queue and rejects with the signal's reason.
   */
  acquire(options: Abortable): Promise<() => void>;
}

/** `count` slots with an unbounded queue. */
export function createConcurrency(count: number): Concurrency {
  let free = count;
  // A Set keeps the order of arrival and deletes an aborted request in constant time.
  const waiting = new Set<() => void>();

  const release = () => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (next === undefined) free++;
      else next();
    };
  };

  return {
    async acquire({ signal }) {
      signal?.throwIfAborted();
      if (free > 0) {
        free--;
        return release();
      }
      return await new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(enter);
          reject(signal?.reason);
        };
        const enter = () => {
          waiting.delete(enter);
          signal?.removeEventListener('abort', leave);
          resolve(release());
        };
        waiting.add(enter);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
