import { type ChildProcess, spawn } from 'node:child_process';

/** Kills a program that this process has started, with its whole process group, where this process is killed before it. */
export interface ProcessWatch {
  /** Sets the program: `pid` is the head of its own process group. */
  follow(pid: number | undefined): void;
  /** Ends the watch without killing anything: the program has ended, or was not started. */
  over(): void;
}

/** Reads the number of the group, then waits: a second line ends the watch, the end of the input kills. */
const SCRIPT = `
read -r group
read -r _ && exit 0
[ -n "$group" ] && kill -s KILL -- "-$group"
[ -n "$1" ] || exit 0
for round in 1 2 3; do
  for file in /proc/[0-9]*/environ; do
    if tr '\\0' '\\n' <"$file" | grep -qxF -- "$1"; then
      pid=\${file#/proc/}
      kill -s KILL "\${pid%/environ}"
    fi
  done
done`;

const NO_WATCH: ProcessWatch = { follow: () => {}, over: () => {} };

/**
 * Starts a watch: a small shell at the other end of a pipe, which the system closes when this process dies in whatever way. `variable`
 * (`NAME=value`): processes with it in their environment are killed as well, also those that have left the group (Linux). Without a
 * shell there is no watch, and on Windows none is started. Start it before the program, so that no moment is left open.
 */
export function watchProcess(variable = ''): ProcessWatch {
  if (process.platform === 'win32') return NO_WATCH;
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'callsheet-watch', variable], {
    ...{ cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdio: ['pipe', 'ignore', 'ignore'] },
    // Signals of the terminal are not for it.
    detached: true,
  });
  shell.on('error', () => {});
  shell.stdin?.on('error', () => {});
  shell.unref();
  return {
    follow: (pid) => void shell.stdin?.write(`${pid ?? ''}\n`),
    over: () => void shell.stdin?.end('\nover\n'),
  };
}

/**
 * Starts a program by `start`, with a watch that begins before it. Where `start` throws, as it does for arguments that are too long,
 * the watch ends, and the error goes on. Throws where the system opens no more files: the child then has no streams.
 */
export function startWatched<Child extends ChildProcess>(
  start: () => Child,
  variable = '',
): { readonly child: Child; readonly watch: ProcessWatch } {
  const watch = watchProcess(variable);
  try {
    const child = start();
    if (child.pid === undefined && hasNoStreams(child)) {
      // Its own error comes later, and nobody else could listen for it.
      child.on('error', () => {});
      throw new Error('the system opens no more files (EMFILE)');
    }
    watch.follow(child.pid);
    return { child, watch };
  } catch (error) {
    watch.over();
    throw error;
  }
}

/** Whether Node gave up before it made the streams of a program, which its types do not know. */
function hasNoStreams(child: { readonly stdio?: unknown }): boolean {
  return child.stdio === undefined;
}
