import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTests, type Tests } from '../../../engine/src/app/test/open-tests.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { root } from '../../available.ts';

let tests: Tests;
beforeAll(async () => {
  tests = await openTests({
    ...{
      configDir: join(root, 'config'),
      dataDir: join(root, 'none'),
      env: () => undefined,
      redactor: createRedactor(),
    },
    ...{ record: 'none', repeat: 1, nowMs: () => 0 },
  });
});
afterAll(() => tests.close());

test('the tests of the shipped config pass without a key', async () => {
  expect(tests.files.map(({ name, problems }) => [name, problems])).toEqual([
    ['client-manager', []],
    ['routing', []],
  ]);
  const failed: string[] = [];
  for (const { tests: read, ...file } of tests.files)
    for (const n of read?.tests.keys() ?? []) {
      if (read === undefined) continue;
      const { name, status, messages } = await tests.run({ ...file, tests: read }, n);
      if (status !== 'passed') failed.push(`${name}: ${messages.join('; ')}`);
    }
  expect(failed).toEqual([]);
});
