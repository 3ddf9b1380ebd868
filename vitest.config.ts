import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.ts';
import { memoryFolder } from './tests/memory-folder.ts';
import { PATIENCE_MS } from './tests/next-try.ts';

// As the command line does: processes and workers of the tests take compiled code from where others have left it.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
// Nobody waits for a disk. What a sandboxed program has to see may not lie below /dev.
process.env['TEST_DISK'] ??= tmpdir();
const memory = process.env['TMPDIR'] === undefined ? memoryFolder() : undefined;
if (memory !== undefined) process.env['TMPDIR'] = memory;

/** Tests that measure the memory of their process, change its time zone or take its network away. */
const ALONE = [
  'tests/agenda/**/*.test.ts',
  'tests/architecture/**/*.test.ts',
  'tests/mail/parse/**/*.test.ts',
  'tests/model/cassettes.test.ts',
  'tests/model/openai/openai.test.ts',
  'tests/model/protocol/tool-calling.test.ts',
  'tests/account/oauth/real-addresses.test.ts',
  'tests/regex/**/*.test.ts',
];

/** Tests that load modules anew, or spy on what a module exports. */
const SPIED = ['tests/cli/terminal/graphemes.test.ts', 'tests/config/live/large-document.test.ts'];

const among = (patterns: readonly string[]) => new Set(globSync([...patterns], { cwd: import.meta.dirname }));
const isAlone = among([...ALONE, ...SPIED]);
/**
 * Tests on PGlite, which leaves 400 MB to its process. From there each start of a program takes 25 ms of processor time, and 2 ms
 * from a small process.
 */
const PGLITE = [...among(['tests/**/*.test.ts'])]
  .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('startPglite'))
  .filter((file) => !isAlone.has(file))
  .map((file) => file.replaceAll('\\', '/'));

/**
 * Node loads the sources, as it does for the program. Vite makes others of them, and files that share a process load each module
 * anew, which takes a third of all processor time.
 */
const NATIVE = { experimental: { viteModuleRunner: false, nodeLoader: false }, runner: './tests/test-runner.ts' };

// Three processes at a time, also on two processors: the tests use real stores, workers and loopback servers, and much of
// their time is waiting. Some of them measure time, so no more than there are processors. Files share a process, which takes
// 40 % less time than a process for each.
export default defineConfig({
  test: {
    globalSetup: ['tests/announce.ts'],
    pool: 'forks',
    maxWorkers: Math.min(8, Math.max(3, availableParallelism())),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    projects: [
      { extends: true, test: { ...NATIVE, name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          ...{ ...NATIVE, name: 'together', isolate: false },
          ...{ include: ['tests/**/*.test.ts'], exclude: [...ALONE, ...SPIED, ...PGLITE] },
        },
      },
      { extends: true, test: { ...NATIVE, name: 'pglite', isolate: false, include: PGLITE } },
      { extends: true, test: { name: 'spied', include: SPIED } },
    ],
  },
});
