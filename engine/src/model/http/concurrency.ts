import type { Abortable } from '../../base/abort.ts';

/** A number of places that requests of one api take turns in. */
export interface Concurrency {
  /**
   * Waits for a place, first come first served. Call the returned function once when done; calling it again does
   * nothing. Abort while waiting rejects with the signal's reason and gives up the turn.
   */
  acquire(options: Abortable): Promise<() => void>;
}

/** `count` places; an unbounded queue in front of them. */
export function createConcurrency(count: number): Concurrency {
  let free = count;
  // A Set keeps the order of arrival and forgets an aborted one in constant time.
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
