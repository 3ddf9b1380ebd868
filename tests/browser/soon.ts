import { expect } from 'vitest';

/** Polls an expectation for up to ten seconds, because a browser on a busy machine is slow. */
export function soon<T>(read: () => T) {
  return expect.poll(read, { timeout: 10_000 });
}
