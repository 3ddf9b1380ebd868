import { chmodSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../base/folder.ts';

/** Name of the index in a data folder. It is a cache: it may be deleted while no process uses the folder. */
export const INDEX_FILE = 'memory-index.db';

/** Changes with the tables below and with the way in which texts are split into words: another index is built anew. */
const VERSION = '2';

const TABLES = `
  CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE space (n INTEGER PRIMARY KEY, scope TEXT NOT NULL, director TEXT NOT NULL, agent TEXT NOT NULL,
    UNIQUE (scope, director, agent));
  CREATE TABLE memory (slot INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version TEXT NOT NULL, space INTEGER NOT NULL,
    expires INTEGER NOT NULL, local INTEGER NOT NULL, terms TEXT NOT NULL, vector BLOB);
  CREATE VIRTUAL TABLE words USING fts5(marks, plain, german, tokenize = 'porter unicode61 remove_diacritics 0');
  CREATE TABLE term (n INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL);
  CREATE VIRTUAL TABLE spelling USING fts5(term, tokenize = 'trigram');
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1), ('rank', 'bm25(0.0, 1.0, 1.0)');
  INSERT INTO spelling (spelling, rank) VALUES ('secure-delete', 1);
  INSERT INTO state VALUES ('version', '${VERSION}');
`;

/**
 * Opens the index in a file, or in memory for `''`. A file that is damaged or of another version is replaced. Where the
 * file cannot be written, the index is in memory.
 */
export function openIndexDatabase(file: string): DatabaseSync {
  if (file === '') return create(new DatabaseSync(':memory:'));
  for (const isLast of [false, true])
    try {
      return openFile(file);
    } catch {
      if (!isLast) deleteIndexFile(file);
    }
  return create(new DatabaseSync(':memory:'));
}

/** Deletes an index with its journals. */
export function deleteIndexFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
}

function openFile(file: string): DatabaseSync {
  createPrivateFile(file);
  if (process.platform !== 'win32') chmodSync(file, 0o600);
  const db = new DatabaseSync(file, { timeout: 1000 });
  try {
    // One process has the data folder, and this database, for itself: no shared memory file is needed.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000');
    const isNew = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0;
    if (isNew) return create(db);
    const version = db.prepare(`SELECT value FROM state WHERE name = 'version'`).get()?.['value'];
    if (version !== VERSION) throw new Error(`index of version ${String(version)}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function create(db: DatabaseSync): DatabaseSync {
  db.exec(`BEGIN; ${TABLES} COMMIT`);
  return db;
}
