import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

const file = (name: string) => join(root, 'tests', name);
const failure = (name: string, test: string, message = 'expected 1 to be 2') => ({ file: file(name), test, message });
const report = (passed: number, ...failures: object[]) => ({ passed, skipped: 1, failures, files: [] });

/** Runs a script on reports, and answers its exit code and its lines. */
function run(script: string, ...reports: object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-tally-'));
  const files = [0, 1].map((n) => join(folder, `${n}.json`));
  reports.forEach((content, n) => writeFileSync(files[n]!, JSON.stringify(content)));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts', script), ...files], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('counts a report and ends with the plain line', () => {
  expect(run('tally.ts', report(3))).toEqual({ status: 0, lines: ['3 passed, 0 failed, 1 skipped'] });
});

test('names the slowest files', () => {
  const files = [{ file: join(root, 'tests/a.test.ts'), durationMs: 61_400 }];
  const { lines } = run('tally.ts', { ...report(1), files });
  expect(lines).toEqual(['slow: 61 s tests/a.test.ts', '1 passed, 0 failed, 1 skipped']);
});

test('names what failed, and fails', () => {
  expect(run('tally.ts', report(1, failure('a', 'one'), failure('b', '', 'no such module')))).toEqual({
    status: 1,
    lines: ['failed: one', `failed: ${file('b')}: no such module`, '1 passed, 2 failed, 1 skipped'],
  });
});

test('fails for an error outside all tests', () => {
  const { status, lines } = run('tally.ts', report(1, { file: '', test: '', message: 'unhandled' }));
  expect({ status, lines }).toEqual({
    status: 1,
    lines: ['failed: outside all tests: unhandled', '1 passed, 1 failed, 1 skipped'],
  });
});

test('names what passed only on the second try, and counts it once', () => {
  const first = report(5, failure('a', 'one'), failure('b', 'two'));
  expect(run('tally.ts', first, report(7, failure('b', 'two')))).toEqual({
    status: 1,
    lines: ['passed only on the second try: one: expected 1 to be 2', 'failed: two', '6 passed, 1 failed, 1 skipped'],
  });
  expect(run('tally.ts', first, report(7, failure('b', ''))).status).toBe(1);
  expect(run('tally.ts', first, report(8)).status).toBe(0);
});

test('fails where nothing ran', () => {
  expect(run('tally.ts', report(0)).status).toBe(1);
  expect(run('tally.ts').status).toBe(1);
});

test.each([
  ['a wrong result', report(1, failure('store/a.test.ts', 'one')), 'not tried again, a wrong result:'],
  ['a file that does not load', report(1, failure('store/a.test.ts', '', 'no such module')), 'a wrong result:'],
  ['an error outside all tests', report(1, { file: '', test: '', message: 'unhandled' }), 'a wrong result:'],
  [
    'seven failures',
    report(1, ...Array.from({ length: 7 }, (_, n) => failure('browser/a.test.ts', `${n}`))),
    ': 7 fail',
  ],
  ['a run that failed without a failed test', report(1), 'the run failed, but no test of it'],
])('%s is not tried again', (_, first, line) => {
  const { status, lines } = run('second-try.ts', first);
  expect(status).toBe(1);
  expect(lines.at(-1)).toContain(line);
});

test.each([
  'Test timed out in 60000ms.',
  'click: Timeout 30000ms exceeded.',
  'not 1\nMatcher did not succeed in time.',
])('a test that says %j runs again, and its report is written', (message) => {
  const { status, lines } = run('second-try.ts', report(1, failure('base/semver.test.ts', 'one', message)));
  expect(lines.join('\n')).toContain('base/semver.test.ts');
  expect(status).toBe(0);
});

test('the reporter writes the messages of an error and of its causes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-report-'));
  const late = join(folder, 'late.test.ts');
  writeFileSync(
    late,
    `import { expect, test } from 'vitest';
     test('waits', () => expect.poll(() => 1, { timeout: 20 }).toBe(2));
     test('passes', () => expect(1).toBe(1));`,
  );
  const options = ['--root', folder, '--reporter', join(root, 'scripts', 'test-report.ts')];
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options], {
    cwd: root,
    env: { ...process.env, TEST_REPORT: join(folder, 'report.json') },
  });
  const written: unknown = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(written).toMatchObject({
    passed: 1,
    files: [{ file: late, durationMs: expect.any(Number) }],
    failures: [{ file: late, test: 'waits', message: expect.stringMatching(/expected 1 to be 2.*\nMatcher did not/s) }],
  });
});
