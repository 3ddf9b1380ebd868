import { setImmediate } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop. */
const SLICE_MS = 8;

/**
 * Keeps the event loop free during long work: `await breathe()` between pieces yields once the time slice is used up,
 * and returns at once before that.
 */
export function createYielder(): () => Promise<void> | undefined {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      sliceStart = performance.now();
    });
  };
}
