import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

const SOON = 20;

/** Waits before the next look at something: a turn of the event loop at first, then 2 ms, so that who waits takes no processor. */
export async function nextTry(tries: number): Promise<void> {
  await (tries < SOON ? setImmediate() : sleep(2));
}
