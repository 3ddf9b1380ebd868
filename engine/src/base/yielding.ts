import { setImmediate } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop. */
const SLICE_MS = 8;

/** Lets long work share the loop: `await breathe()` between pieces returns at once until the slice is used up. */
export function createBreather(): () => Promise<void> | undefined {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      sliceStart = performance.now();
    });
  };
}
