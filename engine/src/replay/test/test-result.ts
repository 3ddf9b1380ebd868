/** How a test ended. `unknown`: it could not run, for example since its cassette lacks an answer. */
export type TestStatus = 'passed' | 'failed' | 'unknown';

/** The result of one test. */
export interface TestResult {
  /** `config/tests/desk.yaml`, and the line of the test in it. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly status: TestStatus;
  /** What was expected and found, and why it could not run; one line each. */
  readonly messages: readonly string[];
  /** Where it ran more than once: how often it passed. */
  readonly repeated?: { readonly passed: number; readonly of: number };
  /** Wall-clock time, in milliseconds. */
  readonly durationMs: number;
}

/** How several tests, or several runs of one, ended together: one that failed decides, then one that could not run. */
export function joinStatus(all: readonly TestStatus[]): TestStatus {
  if (all.includes('failed')) return 'failed';
  return all.includes('unknown') ? 'unknown' : 'passed';
}

/** How many tests ended how: `12 tests: 10 passed, 1 failed, 1 could not run`. */
export function countResults(results: readonly TestResult[]): string {
  const count = (wanted: TestStatus) => results.filter(({ status }) => status === wanted).length;
  const parts = [`${count('passed')} passed`, `${count('failed')} failed`];
  if (count('unknown') > 0) parts.push(`${count('unknown')} could not run`);
  return `${results.length} ${results.length === 1 ? 'test' : 'tests'}: ${parts.join(', ')}`;
}
