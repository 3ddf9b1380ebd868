import { createHash, randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { lstat, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { EngineError } from '../../base/error.ts';
import { removeTurn } from './working-copy.ts';

/** The folders of the turns of this process. They lie outside the data folder, which a sandbox hides. */
export interface TurnFolders {
  /** A path for the folder of a new turn, in a folder for this user alone. `FILE_DENIED` where that belongs to somebody else. */
  next(): Promise<string>;
  /** The folder of a session, empty: always the same for a name. `FILE_DENIED` as `next`. */
  session(name: string): Promise<string>;
  /** Removes what ended processes have left, with their worktrees. Rejects with `FILE_DENIED` as `next` does. */
  sweep(): Promise<number>;
}

/** Holds the folders of sessions. */
const SESSIONS = 'sessions';

/** Opens the folders of turns below the folder for temporary files. Makes nothing. */
export function openTurnFolders(dataDir: string, temp: string = realpathSync(tmpdir())): TurnFolders {
  const root = join(temp, `callsheet-turns-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
  const own = `${process.pid}-${randomBytes(6).toString('hex')}`;
  return {
    async next() {
      await openRoot(root);
      const folder = join(root, own);
      await makeFolder(folder, 0o700);
      return join(folder, randomBytes(8).toString('hex'));
    },
    async session(name) {
      await openRoot(root);
      const folder = join(root, SESSIONS, createHash('sha256').update(name).digest('hex').slice(0, 16));
      // What a killed turn has left.
      await removeTurn(folder);
      // What removes it reads a file beside this folder: the tool must not be able to write that.
      const work = join(folder, 'work');
      await makeFolder(work, 0o700);
      return work;
    },
    async sweep() {
      if ((await lstat(root).catch(() => undefined)) === undefined) return 0;
      await openRoot(root);
      let removed = 0;
      for (const owner of await readdir(root)) {
        if (owner === own || owner === SESSIONS || isAlive(Number(owner.split('-')[0]))) continue;
        for (const turn of await readdir(join(root, owner))) {
          await removeTurn(join(root, owner, turn));
          removed++;
        }
        await rmdir(join(root, owner));
      }
      return removed;
    },
  };
}

/** Makes the folder where it is not there; another user may have made one of this name. */
async function openRoot(root: string): Promise<void> {
  await makeFolder(root, 0o700);
  const info = await lstat(root);
  const uid = process.getuid?.();
  const isPrivate = uid === undefined || (info.uid === uid && (info.mode & 0o077) === 0);
  if (info.isDirectory() && isPrivate) return;
  throw new EngineError('FILE_DENIED', `the folder ${root} belongs to another user, or is open to others`, {
    hint: 'remove it',
  });
}

/** Whether another process of this id runs. After a restart in a container we may have the id of the process that has ended. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
