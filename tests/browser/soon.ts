import { expect } from 'vitest';

/** Polls an expectation, because a browser on a busy machine is slow. */
export function soon<T>(read: () => T) {
  return expect.poll(read);
}
