import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node scripts/tally.ts FOLDER`: adds up vitest's JSON reports in a folder and ends with the plain line
 * `N passed, N failed, N skipped`. A file that failed before its first test counts as one failure. Exits with 1 when
 * something failed or nothing ran.
 */

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    name: string;
    status: string;
    message: string;
    assertionResults: readonly Assertion[];
  }[];
}

interface Assertion {
  readonly fullName: string;
  readonly status: string;
}

const folder = process.argv[2] ?? '.';
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const report: Report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests + broken.length;
  total.skipped += report.numPendingTests;
  for (const file of broken) console.log(`failed: ${file.name}: ${file.message.split('\n')[0]}`);
  for (const { assertionResults } of report.testResults) {
    for (const test of assertionResults) if (test.status === 'failed') console.log(`failed: ${test.fullName}`);
  }
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
