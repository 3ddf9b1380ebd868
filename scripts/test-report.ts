import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What `.ci/run` reads of a run of tests. Paths are absolute. */
export interface Report {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** How long the tests of each file took, in milliseconds, longest first. Files run beside each other. */
  readonly files: readonly { readonly file: string; readonly durationMs: number }[];
}

/** A test that failed, a file that failed before its first test, or an error outside all tests. */
export interface Failure {
  /** Empty for an error outside all tests. */
  readonly file: string;
  /** The title of the test with its suites; empty for a file. */
  readonly test: string;
  /** The messages of its first error and of that error's causes. */
  readonly message: string;
}

/** Reads a report. Throws where there is none, as after a run that was killed. */
export function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A reporter of vitest (`--reporter=./scripts/test-report.ts`): writes a report to the file that `TEST_REPORT` names. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env['TEST_REPORT'];
    if (file === undefined) throw new Error('TEST_REPORT names no file for the report');
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const countOf = (state: string) => tests.filter((test) => test.result().state === state).length;
    const failures = [
      ...modules
        .filter((module) => module.errors().length > 0)
        .map((module) => ({ file: module.moduleId, test: '', message: messagesOf(module.errors()[0]) })),
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => ({
          file: test.module.moduleId,
          test: test.fullName,
          message: messagesOf(test.result().errors?.[0]),
        })),
      ...unhandled.map((error) => ({ file: '', test: '', message: messagesOf(error) })),
    ];
    const files = modules
      .map((module) => ({ file: module.moduleId, durationMs: Math.round(module.diagnostic().duration) }))
      .toSorted((a, b) => b.durationMs - a.durationMs);
    const report: Report = { passed: countOf('passed'), skipped: countOf('skipped'), failures, files };
    writeFileSync(file, JSON.stringify(report));
  }
}

/** The message of an error and those of its causes, a line each. */
function messagesOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const message = 'message' in error ? String(error.message) : '';
  return 'cause' in error && error.cause !== undefined ? `${message}\n${messagesOf(error.cause)}` : message;
}
