import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { type ProcessWatch, watchProcess } from '../../base/watch/process-watch.ts';
import { ModelError } from '../model-error.ts';
import { keepEnd, keepStart, type KeptOutput } from './output.ts';
import { newMark, signalTree, TURN_VARIABLE } from './process-tree.ts';
import { startTimeLimit } from './time-limit.ts';

/** A tool that is ready to be started. */
export interface CliProgram {
  /** The program and its arguments. No shell reads them. */
  readonly argv: readonly string[];
  /** Absolute. Missing: a fresh empty folder, which is removed when the tool has ended. */
  readonly cwd?: string | undefined;
  /** Its whole environment (`cliEnvironment`); only a mark of the turn is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Puts the program into a sandbox that has this folder as its working directory. */
  readonly wrap?: ((argv: readonly string[], cwd: string) => Promise<readonly string[]>) | undefined;
}

/** Limits of one process. Times are in milliseconds. */
export interface CliProcessOptions extends Abortable {
  readonly clock: Clock;
  /** Time limit from the start to the end. */
  readonly timeoutMs: number;
  /** What is kept of standard output: its first bytes. 0: nothing is read here, and the caller reads `stdout`. Default: 1 MB. */
  readonly maxStdoutBytes?: number;
  /** What is kept of standard error: its last bytes. Default: 16 KB. */
  readonly maxStderrBytes?: number;
  /** From SIGTERM to SIGKILL. Default: 2 s. */
  readonly graceMs?: number;
}

/** The end of a tool, after all its processes are gone. */
export interface CliEnd {
  /** `exit`: by itself. `timeout`, `abort`, `stopped`: ended by the time limit, the signal or `stop`. */
  readonly why: 'exit' | 'timeout' | 'abort' | 'stopped';
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
}

/** A tool that runs. */
export interface CliProcess {
  readonly cwd: string;
  /** Write errors are ignored: a tool need not read its input. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the tool has ended and its processes and its fresh folder are gone. Never rejects. */
  readonly ended: Promise<CliEnd>;
  /** Stops the time limit until the returned function is called. */
  pause(): () => void;
  /** Ends the tool: SIGTERM, then SIGKILL, to all its processes. Resolves as `ended` does. */
  stop(): Promise<CliEnd>;
}

const MAX_STDOUT_BYTES = 1024 * 1024;
const MAX_STDERR_BYTES = 16 * 1024;
const GRACE_MS = 2000;
/** How long the outputs of an ended tool may stay open: a process that was not found may hold them. */
const CLOSE_MS = 1000;

/**
 * Starts a tool without a shell, as the head of a process group of its own. The abort of the signal and the time limit end all
 * its processes: SIGTERM, then SIGKILL. Processes that it leaves behind are killed, too. `MODEL_TOOL_MISSING` if there is no such
 * program, `MODEL_TOO_LONG` if the system takes no arguments of that length, `MODEL_UNAVAILABLE` if it cannot be started for
 * another reason. An already aborted signal rejects with its reason.
 */
export async function startCli(program: CliProgram, options: CliProcessOptions): Promise<CliProcess> {
  options.signal?.throwIfAborted();
  const fresh = program.cwd === undefined ? await mkdtemp(join(tmpdir(), 'callsheet-turn-')) : undefined;
  try {
    const cwd = program.cwd ?? fresh ?? tmpdir();
    const argv = (await program.wrap?.(program.argv, cwd)) ?? program.argv;
    options.signal?.throwIfAborted();
    const mark = await newMark();
    const child = await spawned(argv, cwd, { ...program.env, [TURN_VARIABLE]: mark });
    return follow(child, { cwd, fresh, mark }, options);
  } catch (error) {
    await removeFolder(fresh);
    throw error;
  }
}

/** A started program, and the watch that kills it where this process is killed. */
interface Watched {
  readonly child: ReturnType<typeof spawnPiped>;
  readonly watch: ProcessWatch;
}

type Turn = Readonly<Record<string, string>> & { readonly [TURN_VARIABLE]: string };

interface Started {
  readonly cwd: string;
  readonly fresh: string | undefined;
  readonly mark: string;
}

function spawnPiped([file = '', ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const isGrouped = process.platform !== 'win32';
  return spawn(file, args, { cwd, env, shell: false, detached: isGrouped, windowsHide: true, stdio: 'pipe' });
}

async function spawned(argv: readonly string[], cwd: string, env: Turn): Promise<Watched> {
  const watch = watchProcess(`${TURN_VARIABLE}=${env[TURN_VARIABLE]}`);
  try {
    const child = spawnPiped(argv, cwd, env);
    watch.follow(child.pid);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return { child, watch };
  } catch (cause) {
    watch.over();
    throw notStarted(argv[0] ?? '', cause);
  }
}

function notStarted(program: string, cause: unknown): ModelError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT')
    return new ModelError('MODEL_TOOL_MISSING', `there is no program "${program}"`, {
      hint: 'install it, or name its path in the api document',
      cause,
    });
  if (code === 'E2BIG' || code === 'ENAMETOOLONG')
    return new ModelError('MODEL_TOO_LONG', `the prompt is too long for an argument of "${program}"`, {
      hint: 'let the tool read the prompt from its standard input: set input: stdin',
      cause,
    });
  return new ModelError('MODEL_UNAVAILABLE', `"${program}" cannot be started: ${String(code ?? cause)}`, {
    hint: 'check that the file can be executed',
    cause,
  });
}

function follow({ child, watch }: Watched, { cwd, fresh, mark }: Started, options: CliProcessOptions): CliProcess {
  const { clock, signal, timeoutMs, maxStdoutBytes = MAX_STDOUT_BYTES, graceMs = GRACE_MS } = options;
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  const stdout = maxStdoutBytes > 0 ? keepStart(child.stdout, maxStdoutBytes) : () => ({ text: '', dropped: 0 });
  const stderr = keepEnd(child.stderr, options.maxStderrBytes ?? MAX_STDERR_BYTES);
  const head = { pid: child.pid ?? 0, mark };

  let why: CliEnd['why'] = 'exit';
  let stopGrace = () => {};
  const end = (reason: CliEnd['why']) => {
    if (why !== 'exit' || child.exitCode !== null || child.signalCode !== null) return;
    why = reason;
    void signalTree(head, 'SIGTERM');
    stopGrace = clock.delay(() => void signalTree(head, 'SIGKILL'), graceMs);
  };
  const onAbort = () => end('abort');
  const limit = startTimeLimit(timeoutMs, clock, () => end('timeout'));
  const ended = closed(child, clock, () => signalTree(head, 'SIGKILL')).then(async (status) => {
    watch.over();
    limit.end();
    stopGrace();
    signal?.removeEventListener('abort', onAbort);
    await removeFolder(fresh);
    return { why, ...status, stdout: stdout(), stderr: stderr() };
  });
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    ...{ cwd, stdin: child.stdin, stdout: child.stdout, ended, pause: limit.pause },
    stop() {
      end('stopped');
      return ended;
    },
  };
}

/** Resolves when the process has ended, what it left behind is killed, and its outputs are closed. */
async function closed(
  child: ChildProcess,
  clock: Clock,
  killRest: () => Promise<void>,
): Promise<Pick<CliEnd, 'exitCode' | 'signal'>> {
  const isClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const status = await new Promise<Pick<CliEnd, 'exitCode' | 'signal'>>((resolve) =>
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
  );
  await killRest();
  const stop = clock.delay(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()), CLOSE_MS);
  await isClosed;
  stop();
  return status;
}

/** A folder that cannot be removed is left to the system's own cleaning of temporary files. */
async function removeFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
