import { expect } from 'vitest';

/** A browser on a busy machine takes its time; what is expected comes within ten seconds or not at all. */
export function soon<T>(read: () => T) {
  return expect.poll(read, { timeout: 10_000 });
}
