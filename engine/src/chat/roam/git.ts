import { execFile } from 'node:child_process';
import { EngineError } from '../../base/error.ts';

/** Where git works, and with what. */
export interface GitOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Value of `PATH`. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Repository to use in place of the one that git finds from `cwd`. */
  readonly gitDir?: string | undefined;
  /** Folder of the files; with `gitDir` alone. */
  readonly workTree?: string | undefined;
  /** Index file in place of the repository's own. */
  readonly indexFile?: string | undefined;
  /** Folder for new objects in place of the repository's own. */
  readonly objectDirectory?: string | undefined;
  /** Folder with more objects to read. */
  readonly alternate?: string | undefined;
  readonly input?: string | Buffer | undefined;
  /** Longest output, in bytes. Default: 256 MB. */
  readonly maxBytes?: number | undefined;
}

/** How git ended. */
export interface GitEnd {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** True where the output was longer than `maxBytes`: git was killed, and `stdout` is its beginning. */
  readonly isCut: boolean;
}

/** Settings that keep a repository from running programs: hooks, the file system monitor, and tools for differences. */
const HARMLESS = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false', 'core.sshCommand=false'],
  ...['core.alternateRefsCommand=', 'core.attributesFile=/dev/null', 'core.excludesFile=/dev/null'],
  ...['core.protectHFS=true', 'core.protectNTFS=true', 'core.quotePath=true', 'core.pager=cat'],
  ...['diff.external=', 'diff.ignoreSubmodules=all', 'diff.noprefix=false', 'diff.mnemonicPrefix=false'],
  ...['submodule.recurse=false', 'protocol.allow=never', 'gc.auto=0', 'maintenance.auto=false'],
  ...['commit.gpgSign=false', 'log.showSignature=false', 'init.templateDir=', 'advice.detachedHead=false'],
].flatMap((setting) => ['-c', setting]);

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Runs git without a shell, without the settings of the machine and of the user, and so that no hook, filter, monitor or
 * difference tool of the repository runs (callers use no command that applies filters of a repository which is not ours). Paths
 * in `args` must stand after `--`. Rejects with the signal's reason on abort, `FILE_UNREADABLE` where git cannot be started.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitEnd> {
  const { cwd, signal, input, maxBytes = MAX_BYTES } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...HARMLESS, ...args],
      { cwd, env: environmentOf(options), encoding: 'buffer', maxBuffer: maxBytes, signal, windowsHide: true },
      (error, stdout, stderr) => {
        const end = { stdout, stderr: stderr.toString('utf8') };
        if (signal?.aborted === true) return reject(signal.reason as Error);
        if (error === null) return resolve({ ...end, exitCode: 0, isCut: false });
        if (error.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown))
          return resolve({ ...end, exitCode: -1, isCut: true });
        if (typeof error.code === 'number') return resolve({ ...end, exitCode: error.code, isCut: false });
        reject(
          new EngineError('FILE_UNREADABLE', `git could not be run: ${error.message.slice(0, 200)}`, {
            hint: 'install git, and put it on the PATH of Callsheet',
            cause: error,
          }),
        );
      },
    );
    // Git may end before it has read everything.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** As `runGit`; `FILE_UNREADABLE` with git's words where it ends with another code than 0. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { exitCode, stdout, stderr, isCut } = await runGit(args, options);
  if (exitCode === 0) return stdout;
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  const why = isCut ? 'its output is too long' : lastLine(stderr);
  throw new EngineError(isCut ? 'TOO_LARGE' : 'FILE_UNREADABLE', `git ${command} failed: ${why}`);
}

/** The last line of git's errors, at most 300 characters. */
export function lastLine(stderr: string): string {
  return (stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
}

/** The names of an output of git with `-z`. */
export function namesIn(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
}

function environmentOf({ path, gitDir, workTree, indexFile, objectDirectory, alternate }: GitOptions) {
  return {
    PATH: path,
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_AUTHOR_NAME: 'Callsheet',
    GIT_AUTHOR_EMAIL: 'callsheet@localhost',
    GIT_COMMITTER_NAME: 'Callsheet',
    GIT_COMMITTER_EMAIL: 'callsheet@localhost',
    ...(gitDir !== undefined && { GIT_DIR: gitDir }),
    ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
    ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    ...(objectDirectory !== undefined && { GIT_OBJECT_DIRECTORY: objectDirectory }),
    ...(alternate !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate }),
  };
}
