import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow between two full collections, in percent. V8 lets a small one grow to four times what is in use: most of the memory
 * of a server with hundreds of runs was garbage.
 */
const GROWTH = 80;

/** When a server does so: most of what it ever loads is loaded by then. */
const AFTER_MS = 60_000;

/**
 * Keeps the memory of this process near to what it uses, from now on. While the heap is small that only makes more collections, and V8
 * takes the stored code of the bundle only under the flags that it was compiled with: so a server does it some time after its start.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

/** Limits the growth of the heap a minute from now. */
export function limitHeapGrowthSoon(): void {
  setTimeout(limitHeapGrowth, AFTER_MS).unref();
}
