import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Variable in the environment of a tool and of all that it starts. Its value is unique for each turn. */
export const TURN_VARIABLE = 'CALLSHEET_TURN';

/** A program that was started as the head of its own process group, on systems that have groups. */
export interface TreeHead {
  readonly pid: number;
  /** Value of `TURN_VARIABLE` in its environment. */
  readonly mark: string;
}

/**
 * Sends a signal to a program and to all processes that it started. On Linux this includes processes that left the group or
 * lost their parent: their environment has the mark. On Windows every signal ends them by force (`taskkill /T /F`).
 */
export async function signalTree(head: TreeHead, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (process.platform === 'win32') return taskkill(head.pid);
  signalOne(-head.pid, signal);
  if (process.platform !== 'linux') return;
  for (const pid of await markedProcesses(head.mark)) signalOne(pid, signal);
}

/** A new mark of a turn. On Linux it names this process, so that another one can tell whether it is gone. */
export async function newMark(): Promise<string> {
  const own = await readlink('/proc/self/ns/pid').catch(() => '');
  return [own.replace(/\D/g, ''), process.pid, await startOf(process.pid), randomUUID()].join('.');
}

/**
 * Kills the tools, with all that they started, whose Callsheet was killed and could not end them (Linux; does nothing elsewhere). Tools
 * of processes that run, or that this one cannot see since they are in another container, are left alone. Returns how many processes it
 * has killed.
 */
export async function killOrphans(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const namespace = (await readlink('/proc/self/ns/pid').catch(() => '')).replace(/\D/g, '');
  if (namespace === '') return 0;
  const orphans: number[] = [];
  for (const { pid, mark } of await turnProcesses()) {
    const [where, owner = '', start] = mark.split('.');
    if (where === namespace && /^\d+$/.test(owner) && start !== (await startOf(Number(owner)))) orphans.push(pid);
  }
  for (const pid of orphans) signalOne(pid, 'SIGKILL');
  return orphans.length;
}

/** When a process started, in ticks since the start of the system; empty where there is none. The number of a process is used again. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may have spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // One that nobody has collected yet is gone, too.
  return state === 'Z' || state === 'X' ? '' : (fields[18] ?? '');
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function markedProcesses(mark: string): Promise<number[]> {
  return (await turnProcesses()).flatMap((one) => (one.mark === mark ? [one.pid] : []));
}

/** All processes of turns that this user may see, with the marks of their turns. */
async function turnProcesses(): Promise<{ readonly pid: number; readonly mark: string }[]> {
  const start = `${TURN_VARIABLE}=`;
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Processes of other users cannot be read, nor those that have just ended.
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      const entry = environment.split('\0').find((one) => one.startsWith(start));
      return entry === undefined ? [] : [{ pid, mark: entry.slice(start.length) }];
    }),
  );
  return found.flat();
}

/** Resolves when taskkill has ended, also where the processes were gone already. */
function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
