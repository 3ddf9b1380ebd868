import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../base/error.ts';

/** The lock of a data folder; `release` frees it for the next process. */
export interface DataLock {
  release(): void;
}

/**
 * Locks the data folder for this process, with an exclusive transaction on `lock.db`. The operating system frees the
 * lock however the process ends. `DATA_LOCKED` if another process has the lock, `STORE_FAILED` if the folder cannot be
 * created or written.
 */
export function lockData(dir: string): DataLock {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (cause) {
    throw new EngineError('STORE_FAILED', `cannot create the data folder ${dir}: ${reason(cause)}`, {
      hint: 'name a folder with --data that you may write to',
      cause,
    });
  }
  let db: DatabaseSync | undefined;
  try {
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
    throw new EngineError('STORE_FAILED', `cannot write to the data folder ${dir}: ${reason(cause)}`, {
      hint: 'check its permissions and the free space',
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
