import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../base/error.ts';
import { createPrivateFile } from '../../base/folder.ts';
import { configureConnection, type Durability } from './connection.ts';
import { rewriteIfMuchIsFree } from './free-pages.ts';
import { MIGRATIONS } from '../migrations.ts';

/**
 * Bytes of a page, chosen by measurement (`docs/decisions/sqlite-and-lists-of-changes.md`). Set before the first
 * migration.
 */
const PAGE_SIZE = 1024;

/** Name of the database file in the data folder. */
export const DATABASE_FILE = 'callsheet.db';

/** KB of pages that the connection keeps in memory. */
const CACHE_KB = 16_000;

/** Options of `openDatabase`. */
export interface DatabaseOptions extends Durability {
  /**
   * Checks an existing file through a read-only connection; if it throws an `EngineError`, the file is not opened for
   * writing.
   */
  readonly inspect: (db: DatabaseSync) => void;
}

/**
 * Opens and migrates the database file. A refused file is left unchanged, byte for byte: with the error of `inspect`,
 * or with `STORE_TOO_NEW` if a newer Callsheet wrote it.
 */
export function openDatabase(file: string, { synchronous, isSealed, inspect }: DatabaseOptions): DatabaseSync {
  inspectFile(file, inspect);
  // SQLite gives the log of a database the mode of its file.
  createPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // Both before the first table: deleted rows can then give their space back in steps (`free-pages.ts`). In an existing
    // file, SQLite would write the mode again at every start.
    if (isEmpty(db)) db.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL`);
    db.exec('PRAGMA journal_mode = WAL');
    configureConnection(db, { synchronous, isSealed, cacheKb: CACHE_KB });
    migrate(db, file);
    rewriteIfMuchIsFree(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens an empty database in memory, which is gone once it is closed. */
export function openMemoryDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  try {
    // Sorting must not write data into temporary files.
    db.exec('PRAGMA temp_store = MEMORY');
    migrate(db, 'the store in memory');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('PRAGMA page_count').get()?.['page_count'] === 0;
}

/** Opens a database file read-only. Errors of SQLite are thrown unchanged. */
export function openReadOnly(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: 5000 });
}

/** Schema version of a database file; it may be newer than this version of Callsheet knows. */
export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/**
 * Runs `inspect` on an existing file. Ignores errors of SQLite here: they occur again when the file is opened for
 * writing.
 */
function inspectFile(file: string, inspect: (db: DatabaseSync) => void): void {
  if (!existsSync(file)) return;
  let db: DatabaseSync | undefined;
  try {
    db = openReadOnly(file);
    readVersion(db, file);
    inspect(db);
  } catch (error) {
    if (error instanceof EngineError) throw error;
  } finally {
    db?.close();
  }
}

function readVersion(db: DatabaseSync, file: string): number {
  const version = schemaVersion(db);
  if (version <= MIGRATIONS.length) return version;
  throw new EngineError(
    'STORE_TOO_NEW',
    `${file} was written by a newer version (schema ${version}, this one knows ${MIGRATIONS.length})`,
    { hint: 'update Callsheet, or name another folder with --data' },
  );
}

/** All steps in one commit: a new store needs one sync of the disk instead of one a step. */
function migrate(db: DatabaseSync, file: string): void {
  const version = readVersion(db, file);
  if (version === MIGRATIONS.length) return;
  inTransaction(db, () => {
    for (const statement of MIGRATIONS.slice(version).flat()) db.exec(statement);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** Runs `work` in one transaction; if `work` throws, the transaction is rolled back. */
export function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
