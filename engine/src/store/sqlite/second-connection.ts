import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { EngineError } from '../../base/error.ts';
import type { PackedCommit } from './packed-commit.ts';
import { configureConnection } from './connection.ts';
import { asStoreError } from './sqlite-error.ts';

/** KB of pages that this connection keeps in memory. */
const CACHE_KB = 8_000;

/** Opens the database that the process has open, for the thread that writes. `STORE_LOST` if its path names another file by now. */
export function openBeside({
  file,
  inode,
  synchronous,
  isSealed,
}: Omit<PackedCommit, 'texts' | 'changes'>): DatabaseSync {
  try {
    const url = pathToFileURL(file);
    // Without this SQLite makes a file that is missing.
    url.searchParams.set('mode', 'rw');
    const db = new DatabaseSync(url, { timeout: 5000 });
    configureConnection(db, { synchronous, isSealed, cacheKb: CACHE_KB });
    // Nothing of a commit is in the log before the commit itself: what is written there earlier may begin the log anew, and then
    // `PRAGMA data_version` changes even where the thread ends before it has made the commit.
    db.exec('PRAGMA cache_spill = OFF');
    if (statSync(file).ino === inode) return db;
    db.close();
  } catch (cause) {
    throw asStoreError(cause, `cannot open ${file} once more`);
  }
  throw new EngineError('STORE_LOST', `${file} was replaced while this process uses it`, {
    hint: 'put the whole data folder back from a copy and start again',
  });
}
