import { stat } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { cliEnvironment } from './environment.ts';
import { findProgram } from './find-program.ts';
import { startCli } from './process.ts';

const TIMEOUT_MS = 15_000;

interface Asking {
  readonly env: (name: string) => string | undefined;
  readonly clock: Clock;
}

/** Versions of programs by file and time of change: a tool that was updated is asked again. */
export type VersionCache = Map<string, Promise<string | undefined>>;

/**
 * The version of a program by `--version`: the first number with dots that it writes. Undefined if it tells none within 15
 * seconds. Never rejects.
 */
export async function versionOf(
  { env, clock }: Asking,
  [program = '', ...args]: readonly string[],
  cache: VersionCache,
): Promise<string | undefined> {
  const file = await findProgram(program, env('PATH') ?? '');
  if (file === undefined) return undefined;
  const changed = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const key = JSON.stringify([file, changed, args]);
  let version = cache.get(key);
  if (version === undefined) {
    version = askVersion({ env, clock }, [file, ...args, '--version']);
    cache.set(key, version);
  }
  return version;
}

async function askVersion({ env, clock }: Asking, argv: readonly string[]): Promise<string | undefined> {
  try {
    const tool = await startCli({ argv, env: cliEnvironment(env, []) }, { clock, timeoutMs: TIMEOUT_MS });
    tool.stdin.end();
    const { stdout, exitCode } = await tool.ended;
    return exitCode === 0 ? /\d+(?:\.\d+)+(?:-[\w.]+)?/.exec(stdout.text)?.[0] : undefined;
  } catch {
    // The turn itself says why the program cannot be started.
    return undefined;
  }
}
