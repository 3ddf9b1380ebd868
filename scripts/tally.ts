import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { type Failure, readReport } from './test-report.ts';

/**
 * `node scripts/tally.ts REPORT [SECOND]`: counts a run of all tests, and the second try of those that were out of time
 * (`scripts/second-try.ts`), names the slowest files and what failed, and ends with the plain line `N passed, N failed, N skipped`. A file that
 * failed before its first test counts as one failure. Exits with 1 when something failed or nothing ran.
 */

/** How many of the slowest files are named. */
const SLOWEST = 25;

const [first = '', second = ''] = process.argv.slice(2);
if (!existsSync(first)) {
  console.log('no report: the run was ended before its last test\n0 passed, 1 failed');
  process.exit(1);
}
const { passed, skipped, failures, files } = readReport(first);
/** What failed again; undefined where nothing was tried again. */
const again = existsSync(second) ? readReport(second).failures : undefined;
const failsAgain = ({ file, test }: Failure) =>
  again === undefined || again.some((each) => each.file === file && ['', test].includes(each.test));

const failed = failures.filter(failsAgain);
const late = failures.filter((failure) => !failsAgain(failure));
const nameOf = ({ file, test, message }: Failure) =>
  test || `${file || 'outside all tests'}: ${message.split('\n')[0]}`;
for (const { file, durationMs } of files.slice(0, SLOWEST)) {
  console.log(`slow: ${Math.round(durationMs / 1000)} s ${relative(process.cwd(), file)}`);
}
for (const each of late) console.log(`passed only on the second try: ${nameOf(each)}: ${each.message.split('\n')[0]}`);
for (const each of failed) console.log(`failed: ${nameOf(each)}`);
console.log(`${passed + late.length} passed, ${failed.length} failed, ${skipped} skipped`);
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;
