import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { EngineError } from '../base/error.ts';
import { CommitQueue } from './commit-queue.ts';
import { MIGRATIONS } from './migrations.ts';
import { changeSql, countSql, type Sql, selectSql } from './sql.ts';
import type { Change, Condition, Key, Query, Row, Store, TableName } from './store.ts';
import { TABLES } from './tables.ts';

/** Bytes of a page, chosen by measurement (`docs/decisions/store.md`) before the first migration. */
const PAGE_SIZE = 2048;
const FILE = 'callsheet.db';

export interface SqliteOptions {
  /** The data folder; it must be locked by this process. */
  readonly dir: string;
  /** FULL survives a power cut, NORMAL only a crash of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL';
}

/**
 * Opens the embedded store, one SQLite file in WAL mode, and migrates it. `STORE_TOO_NEW` where a newer Callsheet wrote
 * it, `STORE_FAILED` where it cannot be read or written.
 */
export function openSqlite({ dir, synchronous = 'FULL' }: SqliteOptions): Store {
  const file = join(dir, FILE);
  try {
    const db = new DatabaseSync(file, { timeout: 5000 });
    db.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
    db.exec(
      'PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32000; PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = OFF',
    );
    migrate(db, file);
    return new SqliteStore(db);
  } catch (cause) {
    throw asStoreError(cause, `cannot open ${file}`);
  }
}

function migrate(db: DatabaseSync, file: string): void {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version > MIGRATIONS.length)
    throw new EngineError(
      'STORE_TOO_NEW',
      `${file} was written by a newer version (schema ${row.user_version}, this one knows ${MIGRATIONS.length})`,
      {
        hint: 'update Callsheet, or name another folder with --data',
      },
    );
  for (let version = row.user_version; version < MIGRATIONS.length; version++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const statement of MIGRATIONS[version]!) db.exec(statement);
      db.exec(`PRAGMA user_version = ${version + 1}`);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #queue: CommitQueue;
  readonly #lookupSecret: string;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#queue = new CommitQueue((lists) => this.#commit(lists));
    this.#lookupSecret = this.#loadLookupSecret();
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    const columns = TABLES[table].key as readonly string[];
    const where = columns.map((column) => [column, '=', key[column as keyof Key<T>]]);
    return this.#read<T>(selectSql(table, { where } as unknown as Query<T>))[0];
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    return this.#read<T>(selectSql(table, query));
  }

  async count<T extends TableName>(table: T, where: readonly Condition<T>[] = []): Promise<number> {
    const sql = countSql(table, where);
    return (this.#prepare(sql.text).get(...sql.values) as { n: number }).n;
  }

  apply(changes: readonly Change[]): Promise<void> {
    return changes.length === 0 ? Promise.resolve() : this.#queue.add(changes);
  }

  lookupKey(text: string): string {
    return createHmac('sha256', this.#lookupSecret).update(text).digest('hex').slice(0, 32);
  }

  async close(): Promise<void> {
    await this.#queue.drain();
    this.#statements.clear();
    this.#db.close();
  }

  #commit(lists: readonly (readonly Change[])[]): void {
    try {
      this.#prepare('BEGIN IMMEDIATE').run();
      for (const changes of lists) for (const change of changes) this.#write(changeSql(change));
      this.#prepare('COMMIT').run();
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw asStoreError(cause, 'cannot write to the store');
    }
  }

  #write(sql: Sql): void {
    const { changes } = this.#prepare(sql.text).run(...sql.values);
    if (sql.mustTouch === 1 && changes !== 1)
      throw new EngineError('STORE_CONFLICT', `somebody was faster: ${sql.text}`);
  }

  #read<T extends TableName>(sql: Sql): Row<T>[] {
    try {
      return this.#prepare(sql.text).all(...sql.values) as unknown as Row<T>[];
    } catch (cause) {
      throw asStoreError(cause, 'cannot read from the store');
    }
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = this.#db.prepare(text)));
    return statement;
  }

  #loadLookupSecret(): string {
    const fresh = JSON.stringify(randomBytes(32).toString('hex'));
    this.#db
      .prepare('INSERT INTO meta (name, body) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
      .run('lookupSecret', fresh);
    const row = this.#db.prepare('SELECT body FROM meta WHERE name = ?').get('lookupSecret') as { body: string };
    return JSON.parse(row.body) as string;
  }
}

/** SQLite's errors in our words. A taken key is a conflict; what the disk refuses can be tried again. */
function asStoreError(cause: unknown, what: string): EngineError {
  if (cause instanceof EngineError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/UNIQUE constraint/i.test(message))
    return new EngineError('STORE_CONFLICT', `exists already: ${message}`, { cause });
  const full = /full|disk I\/O|readonly|unable to open/i.test(message);
  return new EngineError('STORE_FAILED', `${what}: ${message}`, {
    hint: full ? 'check the free space and the permissions of the data folder' : 'run callsheet doctor',
    retryable: full,
    cause,
  });
}
