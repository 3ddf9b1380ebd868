import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { startWatched } from '../../base/watch/process-watch.ts';
import { collectOutput, type ProgramOutput } from './program-output.ts';

/** A program that is ready to be started. */
export interface Program {
  /** The program and its arguments. No shell reads them. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The end of a program. */
export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
}

/** How long the outputs of an ended program may stay open: a process that left its group may hold them. */
const CLOSE_MS = 1000;

/**
 * Runs a program in a process group of its own, without input, and waits for its end. On abort the whole group is killed, and the call
 * rejects with the signal's reason. Processes that it leaves behind are killed, too, also where this process is killed meanwhile. `TOOL_FAILED` if it cannot be started.
 */
export async function runProgram(
  { argv: [file = '', ...args], cwd, env }: Program,
  { signal, clock, maxBytes }: { readonly signal: AbortSignal; readonly clock: Clock; readonly maxBytes: number },
): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const { child, watch } = started(() =>
    spawn(file, args, { cwd, env, detached: true, shell: false, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const stdout = collectOutput(child.stdout, maxBytes);
  const stderr = collectOutput(child.stderr, maxBytes);
  const onAbort = () => killGroup(child);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const end = await endOf(child, clock);
    signal.throwIfAborted();
    return { ...end, stdout: stdout(), stderr: stderr() };
  } finally {
    watch.over();
    signal.removeEventListener('abort', onAbort);
  }
}

function started<Child extends ChildProcess>(start: () => Child) {
  try {
    return startWatched(start);
  } catch (cause) {
    throw notStarted(errorBody(cause).message, cause);
  }
}

function notStarted(why: string, cause: unknown): EngineError {
  return new EngineError('TOOL_FAILED', `the program could not be started: ${why}`, { cause });
}

function endOf(child: ChildProcess, clock: Clock): Promise<Pick<ProgramEnd, 'exitCode' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const isMissing = 'code' in cause && cause.code === 'ENOENT';
      reject(notStarted(isMissing ? 'there is no such program or folder' : cause.message, cause));
    });
    child.once('exit', () => {
      killGroup(child);
      const stop = clock.delay(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()), CLOSE_MS);
      child.once('close', stop);
    });
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Kills a program and all processes of its group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process any more.
  }
}
