import { defineConfig } from 'vitest/config';

// Files run in processes of their own, two at a time: the tests use real stores, workers and loopback servers.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
