import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Failure, readReport } from './test-report.ts';

/**
 * `node scripts/second-try.ts REPORT SECOND`: runs the tests again that failed in a run because a busy machine was late,
 * one file at a time, and writes their report to SECOND. `scripts/tally.ts` names each of them. See
 * docs/decisions/second-tries-in-ci.md. Exits with 1 when a failure may not be tried again, or fails again.
 */

/** More failures than this are no accident. */
const MOST = 6;
/** What a test says that has waited for too long. All else that fails outside the browser is a wrong result. */
const OUT_OF_TIME = /timed out in \d+ms|Timeout \d+ms exceeded|Matcher did not succeed in time/;

const root = fileURLToPath(new URL('..', import.meta.url));
const [first = '', second = ''] = process.argv.slice(2);

const isOutOfTime = ({ file, message }: Failure) =>
  file !== '' && (OUT_OF_TIME.test(message) || file.startsWith(join(root, 'tests', 'browser', '/')));

const { failures } = readReport(first);
const wrong = failures.filter((failure) => !isOutOfTime(failure));
for (const { file, test } of wrong) console.log(`not tried again, a wrong result: ${relative(root, file)} ${test}`);
if (failures.length === 0) console.log('the run failed, but no test of it: see its output');
if (failures.length > MOST) console.log(`not tried again: ${failures.length} failures, more than ${MOST}`);
if (failures.length === 0 || failures.length > MOST || wrong.length > 0) process.exit(1);

const files = [...new Set(failures.map(({ file }) => relative(root, file)))];
const options = ['--maxWorkers=1', '--reporter=default', '--reporter=./scripts/test-report.ts'];
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...options], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_REPORT: second },
});
process.exitCode = status ?? 1;
