import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// As the command line does: processes and workers of the tests take compiled code from where others have left it.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

// Each file runs in a process of its own, three at a time, also on two processors: the tests use real stores, workers and
// loopback servers, and much of their time is waiting. Some of them measure time, so more would be too many. A shared process
// would be faster, but some measure its memory and others take its network away.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/announce.ts'],
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes soon on a machine that does nothing else.
    expect: { poll: { timeout: 15_000 } },
  },
});
