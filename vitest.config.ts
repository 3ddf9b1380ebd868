import { defineConfig } from 'vitest/config';

// Each file runs in a process of its own, two at a time: the tests use real stores, workers and loopback servers, and
// some of them measure time.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/announce.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
