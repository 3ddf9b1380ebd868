import { resolve } from 'node:path';
import { watch } from 'chokidar';
import { systemClock } from '../../../base/clock.ts';
import { errorBody } from '../../../base/error.ts';
import type { Tests } from '../../../app/test/open-tests.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { touchedTests } from './touched-tests.ts';

/** What one run of tests used and found. */
export interface RunOnce {
  readonly code: number;
  readonly tests: Pick<Tests, 'files' | 'config'>;
}

/** Milliseconds without a further save after which tests run: editors save in several steps. */
const DEBOUNCE_MS = 100;

/** Runs tests, and again those that a saved file touches, until a signal. Exit code of the last run. */
export async function watchTests(
  context: CommandContext,
  runOnce: (paths: readonly string[]) => Promise<RunOnce>,
  paths: readonly string[],
): Promise<number> {
  const { terminal, configDir } = context;
  const saved = new Set<string>();
  let last = await runOnce(paths);
  let working = Promise.resolve();
  let cancel = () => {};
  const again = async () => {
    const place = { configDir, ...last.tests };
    const wanted = new Set([...saved].flatMap((path) => touchedTests(path, place)));
    saved.clear();
    const chosen = paths.length === 0 ? [...wanted] : paths.filter((path) => wanted.has(nameOf(context, last, path)));
    if (chosen.length === 0) return;
    try {
      last = await runOnce(chosen);
    } catch (error) {
      terminal.err(`${errorBody(error).message}\n`);
    }
  };
  const baseDir = resolve(configDir, '..');
  const mails = () => last.tests.files.flatMap(({ tests }) => tests?.tests ?? []);
  const named = mails().flatMap((test) => ('mail' in test ? [test.mail] : 'case' in test ? [test.case] : []));
  const watched = [configDir, resolve(baseDir, 'cassettes'), ...named.map((path) => resolve(baseDir, path))];
  const watcher = watch(watched, { ignoreInitial: true });
  watcher.on('all', (_event, path) => {
    saved.add(path);
    cancel();
    cancel = systemClock.delay(() => (working = working.then(again)), DEBOUNCE_MS);
  });
  await new Promise<void>((ready) => watcher.once('ready', () => ready()));
  context.say('watching; Ctrl-C ends');
  await new Promise<void>((stop) => {
    const off = terminal.onSignal(() => {
      off();
      stop();
    });
  });
  cancel();
  await watcher.close();
  await working;
  return last.code === EXIT.fine ? EXIT.interrupted : last.code;
}

function nameOf({ terminal, configDir }: CommandContext, { tests }: RunOnce, path: string): string {
  const absolute = resolve(terminal.cwd, path);
  return tests.files.find((one) => resolve(configDir, '..', one.file) === absolute)?.name ?? path;
}
