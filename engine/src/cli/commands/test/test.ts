import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { openTests } from '../../../app/test/open-tests.ts';
import { systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { formatProblems } from '../../../config/report.ts';
import type { ReadTestFile } from '../../../config/test/read-tests.ts';
import { nameOfTest } from '../../../config/test/test-file.ts';
import type { RecordMode } from '../../../replay/cassette.ts';
import { toJunit } from '../../../replay/test/junit.ts';
import { joinStatus, type TestResult } from '../../../replay/test/test-result.ts';
import { writeNamed } from '../../../file/write-named.ts';
import type { CommandContext } from '../../context.ts';
import { untilInterrupted } from '../run/follow.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { writeTestFrom } from './from-run.ts';
import { formatCount, formatResult } from './format-results.ts';
import { type RunOnce, watchTests } from './watch-tests.ts';

/** Options of `test`. */
export interface TestOptions {
  readonly record: RecordMode;
  readonly repeat: number;
  readonly filter?: string;
  readonly junit?: string;
  readonly watch?: boolean;
  /** A run from which a test is written. */
  readonly from?: string;
}

/**
 * `test [files]`: runs tests of directors and agents. Exit 0 if all passed, 1 if one failed, 2 if one could not run or a file has
 * errors, 130 on Ctrl-C, with the results so far. No model is asked unless `--record` says so. With `--from` it first writes a test for a past run, and runs that one.
 */
export async function test(context: CommandContext, options: TestOptions, paths: readonly string[]): Promise<number> {
  const { from, filter: _filter, ...rest } = options;
  if (from !== undefined) {
    if (paths.length > 0)
      throw new EngineError('USAGE', '--from writes a file of its own, so it takes no files', {
        hint: 'callsheet test --from last',
      });
    return (await runOnce(context, { ...rest, record: 'none' }, [await writeTestFrom(context, from)])).code;
  }
  if (options.watch === true && options.record !== 'none')
    throw new EngineError('USAGE', '--watch takes no --record: each save would ask models, which costs money', {
      hint: `callsheet test --record ${options.record}, then callsheet test --watch`,
    });
  if (options.watch === true) return watchTests(context, (wanted) => runOnce(context, options, wanted), paths);
  return untilInterrupted(context, async (signal) => (await runOnce(context, options, paths, signal)).code);
}

/** Runs the tests of these files once; of all where there are none. Abort ends them with the results so far. */
async function runOnce(
  context: CommandContext,
  options: TestOptions,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<RunOnce> {
  const { record, repeat } = options;
  const tests = await openTests({
    ...context,
    ...{ record, repeat, nowMs: () => systemClock.now(), signal },
  });
  try {
    const files = chosenFiles(context, tests.files, paths);
    const problems = files.flatMap((file) => file.problems);
    const color = context.hasColor.out;
    if (problems.length > 0)
      context.terminal.err(formatProblems({ revision: '', problems }, 'pretty', { color: context.hasColor.err }));
    const chosen = chosenTests(files, options.filter ?? '');
    const results: TestResult[] = [];
    for (const { file, n } of chosen) {
      const result = await tests.run(file, n).catch((error: unknown) => unlessAborted(signal, error));
      if (result === undefined) break;
      results.push(result);
      if (!context.isJson) context.terminal.out(formatResult(result, { color }));
    }
    if (signal?.aborted === true) context.terminal.err(interrupted(results.length, chosen.length, record));
    if (context.isJson) context.print({ results });
    else context.terminal.out(formatCount(results));
    if (options.junit !== undefined) {
      const path = resolve(context.terminal.cwd, options.junit);
      await writeNamed(path, writeFile(path, toJunit(results)));
    }
    const isBroken = problems.some(({ severity }) => severity === 'error');
    if (signal?.aborted === true) return { code: EXIT.interrupted, tests };
    return { code: exitOf(results, isBroken || results.length === 0), tests };
  } finally {
    await tests.close();
  }
}

/** The tests of these files whose file or name has a text. */
function chosenTests(files: readonly ReadTestFile[], filter: string) {
  return files.flatMap((file) =>
    (file.tests?.tests ?? []).flatMap((one, n) => {
      const { tests } = file;
      const isChosen = tests !== undefined && `${file.file} ${nameOfTest(one, n + 1)}`.includes(filter);
      return isChosen ? [{ file: { ...file, tests }, n }] : [];
    }),
  );
}

function unlessAborted(signal: AbortSignal | undefined, error: unknown): undefined {
  if (signal?.aborted !== true) throw error;
}

/** What is kept of tests that Ctrl-C has ended. */
function interrupted(done: number, all: number, record: RecordMode): string {
  const what = `interrupted: ${done} of ${all} ${all === 1 ? 'test' : 'tests'} ran`;
  if (record === 'none') return `${what}\n`;
  const part =
    record === 'new_episodes'
      ? 'and the answers so far of the test that ran then'
      : 'but nothing of the test that ran then';
  return `${what}; their recordings are kept, ${part}\n`;
}

function exitOf(results: readonly TestResult[], isBroken: boolean): number {
  const status = joinStatus(results.map((one) => one.status));
  if (status === 'failed') return EXIT.warning;
  return isBroken || status === 'unknown' ? EXIT.usage : EXIT.fine;
}

/** The files of these paths or names. `USAGE` where there is none. */
function chosenFiles(
  { configDir, terminal }: CommandContext,
  files: readonly ReadTestFile[],
  paths: readonly string[],
): readonly ReadTestFile[] {
  const hint = `tests: ${files.map(({ name }) => name).join(', ') || `none; add a file to ${basename(configDir)}/tests`}`;
  if (files.length === 0) throw new EngineError('USAGE', `${configDir} has no tests`, { hint });
  return paths.length === 0
    ? files
    : paths.map((path) => {
        const absolute = resolve(terminal.cwd, path);
        const found = files.find((one) => resolve(configDir, '..', one.file) === absolute || one.name === path);
        if (found !== undefined) return found;
        throw new EngineError('USAGE', `there is no test ${path}`, { hint });
      });
}
