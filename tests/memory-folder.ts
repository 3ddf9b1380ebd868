import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** What all tests together leave in temporary folders at a time, with much to spare. */
const NEEDED_BYTES = 6 * 1024 ** 3;

/**
 * Makes a folder for temporary files in memory, which goes with this process; undefined where the machine has none that is large
 * enough and that programs may be started from. Tests kill processes, not machines: what they wait for on a disk proves nothing.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || process.availableMemory() < NEEDED_BYTES || !isRoomy()) return undefined;
  removeOld();
  // Short, since the path of a socket may have about a hundred characters.
  const folder = mkdtempSync(join(MEMORY, `cs${process.pid}-`));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Removes the folders of processes that were killed. */
function removeOld(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^cs(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // There is one, of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isRoomy(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place, type]) => place === MEMORY && type === 'tmpfs');
    const { bavail, bsize } = statfsSync(MEMORY);
    return mount !== undefined && mount[3]?.split(',').includes('noexec') === false && bavail * bsize > NEEDED_BYTES;
  } catch {
    return false;
  }
}
