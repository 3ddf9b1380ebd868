import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

/** A report as vitest writes it: each file with its tests' outcomes. */
function report(files: Record<string, readonly ('passed' | 'failed' | 'skipped')[]>, broken: readonly string[] = []) {
  const all = Object.values(files).flat();
  const results = Object.entries(files).map(([name, tests]) => ({
    name,
    status: tests.includes('failed') ? 'failed' : 'passed',
    message: '',
    assertionResults: tests.map((status, n) => ({ fullName: `${name} ${n}`, status })),
  }));
  return {
    numPassedTests: all.filter((status) => status === 'passed').length,
    numFailedTests: all.filter((status) => status === 'failed').length,
    numPendingTests: all.filter((status) => status === 'skipped').length,
    testResults: [
      ...results,
      ...broken.map((name) => ({ name, status: 'failed', message: 'no such module', assertionResults: [] })),
    ],
  };
}

function tally(...reports: object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-tally-'));
  reports.forEach((content, n) => writeFileSync(join(folder, `${n}.json`), JSON.stringify(content)));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'tally.ts'), folder], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('adds up reports and ends with the plain line', () => {
  const { status, lines } = tally(report({ a: ['passed', 'passed', 'skipped'] }), report({ b: ['passed'] }));
  expect({ status, lines }).toEqual({ status: 0, lines: ['3 passed, 0 failed, 1 skipped'] });
});

test('names what failed, and fails', () => {
  const { status, lines } = tally(report({ a: ['passed', 'failed'] }));
  expect({ status, lines }).toEqual({ status: 1, lines: ['failed: a 1', '1 passed, 1 failed, 0 skipped'] });
});

test('counts a file that failed before its first test', () => {
  const { status, lines } = tally(report({ a: ['passed'] }, ['b']));
  expect({ status, lines }).toEqual({
    status: 1,
    lines: ['failed: b: no such module', '1 passed, 1 failed, 0 skipped'],
  });
});

test('fails where nothing ran', () => {
  expect(tally().status).toBe(1);
});
