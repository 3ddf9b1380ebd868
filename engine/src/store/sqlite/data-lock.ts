import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../base/error.ts';

/** A held data folder; `release` lets the next process in. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the data folder for this process by holding an exclusive transaction on `lock.db`: the operating system frees it
 * however the process ends. `DATA_LOCKED` where another process has it, `STORE_FAILED` where the folder cannot be made or
 * written.
 */
export function lockData(dir: string): DataLock {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (cause) {
    throw new EngineError('STORE_FAILED', `cannot make the data folder ${dir}: ${reason(cause)}`, {
      hint: 'name a folder that you may write to with --data',
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
      throw new EngineError('DATA_LOCKED', `another process works on the data folder ${dir}${ownerOf(dir)}`, {
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
