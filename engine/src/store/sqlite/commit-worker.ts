import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { EngineError } from '../../base/error.ts';
import { serveJobs } from '../../base/worker-pool.ts';
import { type PackedCommit, unpackChanges } from './packed-commit.ts';
import { configureConnection } from './connection.ts';
import { asStoreError } from './sqlite-error.ts';
import { Statements } from './statements.ts';

/** KB of pages that this connection keeps in memory. */
const CACHE_KB = 8_000;

let statements: Statements | undefined;

serveJobs(parentPort, (job: PackedCommit) => {
  statements ??= new Statements(open(job));
  statements.commit(unpackChanges(job));
});

/** Opens the database that the process has open. `STORE_LOST` if its path names another file by now. */
function open({ file, inode, synchronous, isSealed }: PackedCommit): DatabaseSync {
  try {
    const url = pathToFileURL(file);
    // Without this SQLite makes a file that is missing.
    url.searchParams.set('mode', 'rw');
    const db = new DatabaseSync(url, { timeout: 5000 });
    configureConnection(db, { synchronous, isSealed, cacheKb: CACHE_KB });
    if (statSync(file).ino === inode) return db;
    db.close();
  } catch (cause) {
    throw asStoreError(cause, `cannot open ${file} once more`);
  }
  throw new EngineError('STORE_LOST', `${file} was replaced while this process uses it`, {
    hint: 'put the whole data folder back from a copy and start again',
  });
}
