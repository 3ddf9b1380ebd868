import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { diskIsFull } from '../disk-space.ts';
import { EngineError } from '../../base/error.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import { CipherKey, hashForLookup } from '../cipher.ts';
import { CommitQueue } from '../commit-queue.ts';
import { DATABASE_FILE, openDatabase, openMemoryDatabase } from './database-file.ts';
import { CommitThread, type ThreadRule } from './commit-thread.ts';
import { asStoreError } from './sqlite-error.ts';
import { Statements } from './statements.ts';
import { releaseFreePages } from './free-pages.ts';
import { readKeyring } from '../maintenance/keyring.ts';
import { changeSql, countSql, keyQuery, type Sql, selectSql, sqliteDialect } from '../sql.ts';
import { runSqliteScript, sqliteScriptDialect } from './sqlite-script.ts';
import { checkMark, type GuardOptions, StoreGuard } from './store-guard.ts';
import { markSql, type StoreMark } from './store-mark.ts';
import type { Change, Condition, Key, Query, Row, Store, TableName } from '../store.ts';
import { type StoreKeys, openEncryption } from '../maintenance/open-encryption.ts';
import { loadRows } from '../codec.ts';

/** Options of `openSqlite`. */
export interface SqliteOptions {
  /** The data folder; this process must hold its lock. */
  readonly dir: string;
  /** With FULL a committed change survives a power cut; with NORMAL only a crash of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /**
   * 64 hex digits, as `parseKey` returns them; bodies and names are then encrypted. Without a key everything is in
   * plain text.
   */
  readonly key?: string | undefined;
  readonly log?: Logger;
  /** Guards the store against the loss of its database. Default: no guard. */
  readonly guard?: GuardOptions | undefined;
  /** When commits are left to a thread. Default: under load. */
  readonly threadRule?: ThreadRule | undefined;
}

/**
 * Opens the embedded store, one SQLite file in WAL mode, and migrates it. With a key, it first encrypts a store in
 * plain text, and it finishes an interrupted rotation if the key is the new one. `STORE_KEY_MISSING`, `STORE_KEY_WRONG`
 *  `STORE_TOO_NEW` and `STORE_LOST` (only with a guard) leave the file unchanged; `STORE_FAILED` if it cannot be read or written.
 */
export function openSqlite({
  dir,
  synchronous = 'FULL',
  key,
  log = silentLogger,
  guard,
  threadRule,
}: SqliteOptions): Store {
  const file = join(dir, DATABASE_FILE);
  const cipherKey = key === undefined ? undefined : new CipherKey(key);
  let db: DatabaseSync | undefined;
  try {
    const inspect = (found: DatabaseSync) => {
      runSqliteScript(found, readKeyring(sqliteScriptDialect, cipherKey));
      if (guard !== undefined) checkMark(dir, found, guard);
    };
    if (guard !== undefined && isMissing(file)) checkMark(dir, undefined, guard);
    db = openDatabase(file, { synchronous, isSealed: cipherKey !== undefined, inspect });
    const keys = runSqliteScript(db, openEncryption(sqliteScriptDialect, cipherKey, log));
    // A change of keys leaves the setting at FULL.
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    const thread = new CommitThread({
      file,
      inode: statSync(file).ino,
      synchronous,
      isSealed: cipherKey !== undefined,
      rule: threadRule,
      log,
    });
    return new SqliteStore(db, keys, { thread, guard: guard && new StoreGuard(dir, db, guard) });
  } catch (cause) {
    db?.close();
    throw openingError(cause, dir, file);
  }
}

/** Opens an empty store in memory, in plain text: nothing of it is ever on a disk, and it is gone once it is closed. */
export function openMemorySqlite(): Store {
  const db = openMemoryDatabase();
  return new SqliteStore(db, runSqliteScript(db, openEncryption(sqliteScriptDialect, undefined, silentLogger)));
}

/** Whether there is no database yet: SQLite takes an empty file for a new one. */
function isMissing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function openingError(cause: unknown, dir: string, file: string): EngineError {
  const full = cause instanceof EngineError ? undefined : diskIsFull(dir);
  if (full === undefined) return asStoreError(cause, `cannot open ${file}`);
  return new EngineError('STORE_FAILED', `cannot open ${file}: ${full.problem}`, { hint: full.hint, cause });
}

/** What a store in a file has beside its connection. */
interface FileParts {
  readonly thread?: CommitThread | undefined;
  readonly guard?: StoreGuard | undefined;
}

class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #queue: CommitQueue;
  readonly #keys: StoreKeys;
  readonly #guard: StoreGuard | undefined;
  readonly #thread: CommitThread | undefined;
  #isClosing = false;

  constructor(db: DatabaseSync, keys: StoreKeys, { thread, guard }: FileParts = {}) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.#guard = guard;
    this.#thread = thread;
    this.#keys = keys;
    this.#queue = new CommitQueue((lists) => this.#commit(lists));
  }

  get storage(): Store['storage'] {
    return this.#keys.storage;
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    return this.#read(table, keyQuery(table, key))[0];
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    return this.#read<T>(table, query);
  }

  async count<T extends TableName>(table: T, where: readonly Condition<T>[] = []): Promise<number> {
    try {
      const sql = countSql(table, where, this.#keys.codec, sqliteDialect);
      return (this.#statements.prepare(sql.text).get(...sql.values) as { n: number }).n;
    } catch (cause) {
      throw asStoreError(cause, 'cannot read from the store');
    }
  }

  apply(changes: readonly Change[]): Promise<void> {
    return changes.length === 0 ? Promise.resolve() : this.#queue.add(changes);
  }

  lookupKey(text: string): string {
    return hashForLookup(this.#keys.secret, text);
  }

  async shrink(): Promise<void> {
    try {
      await releaseFreePages(this.#db, () => this.#isClosing);
    } catch (cause) {
      throw asStoreError(cause, 'cannot shrink the store');
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#queue.drain();
    await this.#thread?.close();
    // What came meanwhile is written by the process.
    await this.#queue.end();
    await this.#closeGuard();
    this.#statements.clear();
    this.#db.close();
  }

  /** The last mark says that everything was stored. */
  async #closeGuard(): Promise<void> {
    try {
      if (this.#guard !== undefined) this.#commitHere([], true);
    } catch {
      // The mark stays older, which is never wrong.
    }
    await this.#guard?.close();
  }

  #commit(lists: readonly (readonly Change[])[]): void | Promise<void> {
    const thread = this.#thread?.takes(lists.length) === true ? this.#thread : undefined;
    return thread === undefined ? this.#commitHere(lists) : this.#commitIn(thread, lists);
  }

  #commitHere(lists: readonly (readonly Change[])[], isLast = false): void {
    const { mark, changes } = this.#statementsOf(lists, isLast);
    this.#statements.commit(changes);
    this.#committed(mark);
  }

  async #commitIn(thread: CommitThread, lists: readonly (readonly Change[])[]): Promise<void> {
    const { mark, changes } = this.#statementsOf(lists);
    const version = this.#version();
    const isDone = await thread.commit(changes);
    // No other connection writes: the version tells whether a thread that ended had made the commit.
    if (isDone || this.#version() !== version) this.#committed(mark);
    else this.#commitHere(lists);
  }

  #statementsOf(lists: readonly (readonly Change[])[], isLast = false) {
    try {
      const mark = this.#guard?.beforeCommit(isLast);
      const changes: Sql[] = mark === undefined ? [] : [markSql(mark)];
      for (const list of lists)
        for (const change of list) if (change.op !== 'wake') changes.push(changeSql(change, this.#keys.codec));
      return { mark, changes };
    } catch (cause) {
      throw asStoreError(cause, 'cannot write to the store');
    }
  }

  #committed(mark: StoreMark | undefined): void {
    this.#guard?.committed(mark, () => void this.#queue.add([]).catch(() => {}));
  }

  /** A number that changes when another connection has written. */
  #version(): unknown {
    return this.#statements.prepare('PRAGMA data_version').get()?.['data_version'];
  }

  #read<T extends TableName>(table: T, query: Query<T>): Row<T>[] {
    const { codec } = this.#keys;
    try {
      const sql = selectSql(table, query, codec, sqliteDialect);
      const rows = this.#statements.prepare(sql.text).all(...sql.values) as unknown as Row<T>[];
      return loadRows(codec, table, rows, query);
    } catch (cause) {
      throw asStoreError(cause, 'cannot read from the store');
    }
  }
}
