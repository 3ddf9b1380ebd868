import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../base/error.ts';
import { freeBytes } from '../disk-space.ts';
import { DATABASE_FILE } from './database-file.ts';
import { asStoreError } from './sqlite-error.ts';

/** Room for rewriting a database: SQLite writes a whole copy to its log, and rows grow a little when they are sealed. */
const COPIES = 2.5;
/** Room that must stay in any case, in bytes. */
const RESERVE_BYTES = 32 * 1024 * 1024;

/**
 * Checks that the database of a data folder can be rewritten now; changes nothing. This process must hold the lock of the folder
 * and have the store closed. `DATA_LOCKED` if another program has the database file open (such as `sqlite3`, which asks for no
 * lock), `STORE_FAILED` if the disk has too little room for the rewritten copy.
 */
export function expectRewritable(dir: string): void {
  const file = join(dir, DATABASE_FILE);
  const needed = Math.ceil(statSync(file).size * COPIES) + RESERVE_BYTES;
  const free = freeBytes(dir);
  if (free < needed)
    throw new EngineError(
      'STORE_FAILED',
      `the disk of ${dir} has ${megabytes(free)} free, and ${megabytes(needed)} are needed`,
      {
        hint: 'free some space; the database is written once more beside itself',
      },
    );
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: 0 });
    // Set before the first access: SQLite then needs the file for itself, and every other open connection makes it fail.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    db.exec('ROLLBACK');
  } catch (cause) {
    if (cause instanceof Error && /locked|busy/i.test(cause.message))
      throw new EngineError('DATA_LOCKED', `another program has ${file} open`, {
        hint: 'close it there: a shell of sqlite3, a browser for databases, or a backup that is being made',
        cause,
      });
    throw asStoreError(cause, `cannot open ${file}`);
  } finally {
    db?.close();
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / (1024 * 1024))} MB`;
}
