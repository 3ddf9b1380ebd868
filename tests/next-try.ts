import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

const SOON = 20;

/**
 * Milliseconds for which a test waits for what comes soon on a machine that does nothing else. A little less than a test may take,
 * so that the message says what has not come.
 */
export const PATIENCE_MS = 45_000;

/** Waits before the next look at something: a turn of the event loop at first, then 2 ms, so that who waits takes no processor. */
export async function nextTry(tries: number): Promise<void> {
  await (tries < SOON ? setImmediate() : sleep(2));
}
