import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskIsFull } from '../disk-space.ts';
import { EngineError } from '../../base/error.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import { closeToOthers, createPrivateFile, makeFolderSync } from '../../base/folder.ts';

/** The lock of a data folder; `release` frees it for the next process. */
export interface DataLock {
  release(): void;
}

/**
 * Creates the data folder if it is missing, closes it to other users of the machine (0700, files 0600), and locks it as
 * `acquireLock` does. Logs what was closed, and warns of what could not be. `STORE_FAILED` if the folder cannot be created.
 */
export function lockData(dir: string, log: Logger = silentLogger): DataLock {
  try {
    makeFolderSync(dir, 0o700);
  } catch (cause) {
    throw new EngineError('STORE_FAILED', `cannot create the data folder ${dir}: ${reason(cause)}`, {
      hint: diskIsFull(dirname(dir))?.hint ?? 'name a folder with --data that you may write to',
      cause,
    });
  }
  closeFolder(dir, log);
  return acquireLock(dir);
}

function closeFolder(dir: string, log: Logger): void {
  const { changed, left } = closeToOthers(dir);
  if (changed) log.info('only this user can read the data folder now', { data: dir });
  const { folder, files = [] } = left ?? {};
  if (folder !== undefined)
    log.warn(`others can open the data folder ${dir} (mode ${folder.mode}): ${folder.reason}`, {
      hint: 'chown it to the user that runs Callsheet, and chmod 700 it; or name another folder with --data',
    });
  else if (files.length > 0)
    log.warn(`others can open files in the data folder ${dir}: ${files.join(', ')}`, { hint: 'chmod 600 them' });
}

/**
 * Locks an existing data folder for this process, with an exclusive transaction on `lock.db`. The operating system frees
 * the lock however the process ends. `DATA_LOCKED` if another process has the lock, `STORE_FAILED` if the folder cannot
 * be written.
 */
export function acquireLock(dir: string): DataLock {
  let db: DatabaseSync | undefined;
  try {
    // SQLite would create it with the user's mask, and whoever may read it may keep it locked.
    createPrivateFile(join(dir, 'lock.db'));
    db = new DatabaseSync(join(dir, 'lock.db'), { timeout: 0 });
    db.exec('PRAGMA journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db?.close();
    if (/locked|busy/i.test(reason(cause)))
      throw new EngineError('DATA_LOCKED', `another process uses the data folder ${dir}${ownerOf(dir)}`, {
        hint: 'stop it, or name another folder with --data',
        cause,
      });
    if (/not a database|malformed/i.test(reason(cause)))
      throw new EngineError('STORE_FAILED', `${join(dir, 'lock.db')} is damaged: ${reason(cause)}`, {
        hint: 'delete this file while no Callsheet uses the folder: it only locks the folder and holds no data',
        cause,
      });
    const full = diskIsFull(dir);
    throw new EngineError('STORE_FAILED', `cannot write to the data folder ${dir}: ${full?.problem ?? reason(cause)}`, {
      hint: full?.hint ?? 'check its permissions and the free space',
      cause,
    });
  }
  const held = db;
  return {
    release() {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

function ownerOf(dir: string): string {
  const file = join(dir, 'server.json');
  if (!existsSync(file)) return '';
  try {
    const { pid, url } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: number; url?: string };
    return ` (process ${pid}, ${url})`;
  } catch {
    return '';
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
