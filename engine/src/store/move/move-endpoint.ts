import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Bound } from '../codec.ts';
import type { CopyForm } from '../maintenance/copy-script.ts';
import { DATABASE_FILE, openDatabase, openReadOnly } from '../sqlite/database-file.ts';
import { asStoreError } from '../sqlite/sqlite-error.ts';
import type { SqlDatabase } from '../postgres/sql-database.ts';
import { lockData } from '../sqlite/data-lock.ts';
import { MARK_FILE } from '../sqlite/store-mark.ts';
import { escapeText, unescapeText } from '../postgres/pg-codec.ts';
import { asPgError } from '../postgres/pg-errors.ts';
import { migratePostgres } from '../postgres/pg-schema.ts';
import { pgScriptDialect, runPgScript } from '../postgres/pg-script.ts';
import { withKeysLock } from '../postgres/pg-encryption.ts';
import type { Script } from '../maintenance/script.ts';
import { runSqliteScript, sqliteScriptDialect } from '../sqlite/sqlite-script.ts';
import { TABLE_NAMES } from '../tables.ts';

/** The source or the target of a move, opened exclusively for this process. */
export interface MoveEndpoint {
  /** Address for messages, without a password. */
  readonly address: string;
  readonly form: CopyForm;
  /** Runs a script on the database. */
  run<T>(script: Script<T>): Promise<T>;
  /** Called after the last copied row: makes sure that all rows are on the disk, and updates statistics. */
  flush(): Promise<void>;
}

const ALL_TABLES = ['keyring', ...TABLE_NAMES];

const asIs = (value: string) => value;

const sqliteForm: CopyForm = {
  dialect: sqliteScriptDialect,
  readText: asIs,
  writeText: asIs,
  readBody: bytesOf,
  writeBody: (value, isText): Bound => (isText ? Buffer.from(value).toString('utf8') : value),
  deleteAll: ALL_TABLES.map((table) => `DELETE FROM ${table}`),
};

const pgForm: CopyForm = {
  dialect: pgScriptDialect,
  readText: unescapeText,
  writeText: escapeText,
  readBody: bytesOf,
  writeBody: (value) => value,
  deleteAll: [`TRUNCATE ${ALL_TABLES.join(', ')}`],
};

function bytesOf(value: unknown): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : (value as Uint8Array);
}

/** How to open the source or the target of a move. */
export interface MoveEndpointOptions {
  /** True if nothing may be written. */
  readonly isDry: boolean;
  /** True if a missing store may be created. */
  readonly isNew: boolean;
}

/**
 * Locks and opens a data folder, and runs `work` with it; `work` receives undefined if there is no store and none may
 * be created. Migrates the schema first, unless `isDry`. `DATA_LOCKED`, `STORE_TOO_NEW`, `STORE_FAILED`.
 */
export async function withFolder<T>(
  dir: string,
  { isDry, isNew }: MoveEndpointOptions,
  work: (endpoint: MoveEndpoint | undefined) => Promise<T>,
): Promise<T> {
  const file = join(dir, DATABASE_FILE);
  if (!existsSync(file) && (isDry || !isNew)) return work(undefined);
  const lock = lockData(dir);
  let db: DatabaseSync | undefined;
  /** Converts errors of SQLite to error codes. */
  const withStoreErrors = <V>(ask: () => V): V => {
    try {
      return ask();
    } catch (cause) {
      throw asStoreError(cause, `cannot work with ${file}`);
    }
  };
  try {
    const opened = (db = withStoreErrors(() => openFile(file, isDry)));
    return await work({
      address: dir,
      form: sqliteForm,
      run: async (script) => withStoreErrors(() => runSqliteScript(opened, script)),
      flush: async () => {
        withStoreErrors(() => opened.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)'));
        // A mark in the folder is that of a database that was there before.
        rmSync(join(dir, MARK_FILE), { force: true });
      },
    });
  } finally {
    db?.close();
    lock.release();
  }
}

/**
 * With NORMAL, a power cut loses a batch and its progress together or neither, so only the last commit must wait for
 * the disk.
 */
function openFile(file: string, isDry: boolean): DatabaseSync {
  if (isDry) return openReadOnly(file);
  return openDatabase(file, { synchronous: 'NORMAL', isSealed: false, inspect: () => {} });
}

/** As `withFolder`, for a PostgreSQL database. `DATA_LOCKED` if another process moves it or changes its keys. */
export async function withPostgres<T>(
  database: SqlDatabase,
  address: string,
  { isDry }: MoveEndpointOptions,
  work: (endpoint: MoveEndpoint) => Promise<T>,
): Promise<T> {
  /** Converts errors of PostgreSQL to error codes. */
  const withStoreErrors = <V>(answer: Promise<V>): Promise<V> =>
    answer.catch((cause: unknown) => {
      throw asPgError(cause, `cannot work with ${address}`);
    });
  const endpoint: MoveEndpoint = {
    address,
    form: pgForm,
    run: (script) => withStoreErrors(runPgScript(database, script)),
    flush: async () => void (await withStoreErrors(database.query(`ANALYZE ${ALL_TABLES.join(', ')}`))),
  };
  if (isDry) return work(endpoint);
  await withStoreErrors(migratePostgres(database));
  return withKeysLock(database, () => work(endpoint));
}
