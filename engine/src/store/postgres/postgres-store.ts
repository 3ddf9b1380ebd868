import { type Clock, systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import { CipherKey } from '../cipher.ts';
import { CommitQueue } from '../commit-queue.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { type BatchStatement, batch } from './batch.ts';
import { CRASHED_AT, type UncertainCommit, UncertainCommits } from './uncertain-commits.ts';
import { asPgError, isCollision, isLost } from './pg-errors.ts';
import { PRESENCE_LOCK } from './advisory-locks.ts';
import { PgReader } from './pg-reader.ts';
import { migratePostgres } from './pg-schema.ts';
import { type OpenPgStore, openPgEncryption, readEpoch } from './pg-encryption.ts';
import type { Change, Condition, Key, Query, Row, Store, TableName, Wake } from '../store.ts';

/**
 * Adds wakes to the queue, in the transaction that commits their lists; if it rejects, nothing of the lists is written.
 */
export type OnWakes = (connection: SqlConnection, wakes: readonly Wake[]) => Promise<void>;

/** Options of `openPostgres`. */
export interface PostgresOptions {
  /** The caller owns it: closing the store leaves it open. */
  readonly database: SqlDatabase;
  /**
   * 64 hex digits, as `parseKey` returns them; bodies and names are then encrypted. Without a key everything is in
   * plain text.
   */
  readonly key?: string | undefined;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly onWakes?: OnWakes | undefined;
}

/** How often a commit is tried if it collides with those of other processes, or if its connection is dead. */
const MAX_TRIES = 5;

/** Reads what is needed to look the commit up later if necessary, and takes the presence lock in shared mode. */
const ENTER_SQL = `SELECT pg_current_xact_id()::text AS xid, pg_backend_pid() AS pid, ${CRASHED_AT} AS "crashedAt",
  pg_advisory_xact_lock_shared($1)`;

/**
 * Opens the store that several processes share, a PostgreSQL database, and migrates it. With a key, it first encrypts a
 * store in plain text, and it finishes an interrupted rotation if the key is the new one. `STORE_KEY_MISSING`,
 * `STORE_KEY_WRONG`; `STORE_TOO_NEW` if this version cannot use the schema; `DATA_LOCKED` if the whole store must be
 * changed while other processes use it; `STORE_FAILED` if the database cannot be reached or changed.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { database, key, log = silentLogger, clock = systemClock, onWakes } = options;
  try {
    await migratePostgres(database);
    const uncertainCommits = await UncertainCommits.open(database, log, clock);
    let store: PostgresStore | undefined;
    const cipherKey = key === undefined ? undefined : new CipherKey(key);
    const keys = await openPgEncryption(database, cipherKey, log, () => void store?.checkEpoch());
    return (store = new PostgresStore({ database, keys, uncertainCommits, onWakes, log }));
  } catch (cause) {
    throw asPgError(cause, 'cannot open the database');
  }
}

interface PostgresStoreDependencies {
  readonly database: SqlDatabase;
  readonly keys: OpenPgStore;
  readonly uncertainCommits: UncertainCommits;
  readonly onWakes: OnWakes | undefined;
  readonly log: Logger;
}

class PostgresStore implements Store {
  readonly #deps: PostgresStoreDependencies;
  readonly #reader: PgReader;
  readonly #queue: CommitQueue;
  #isOutdated = false;

  constructor(deps: PostgresStoreDependencies) {
    this.#deps = deps;
    this.#reader = new PgReader(deps.database, deps.keys);
    this.#queue = new CommitQueue((lists) => this.#commit(lists), isListAtFault);
  }

  get storage(): Store['storage'] {
    return this.#deps.keys.storage;
  }

  get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    return this.#read((reader) => reader.get(table, key));
  }

  list<T extends TableName>(table: T, query?: Query<T>): Promise<Row<T>[]> {
    return this.#read((reader) => reader.list(table, query));
  }

  count<T extends TableName>(table: T, where?: readonly Condition<T>[]): Promise<number> {
    return this.#read((reader) => reader.count(table, where));
  }

  apply(changes: readonly Change[]): Promise<void> {
    return changes.length === 0 ? Promise.resolve() : this.#queue.add(changes);
  }

  lookupKey(text: string): string {
    return this.#reader.lookupKey(text);
  }

  async close(): Promise<void> {
    await this.#queue.end();
    await this.#deps.keys.releasePresence();
  }

  /**
   * Checks after a lost presence lock whether another process has changed the whole store; then this store is outdated.
   */
  async checkEpoch(): Promise<void> {
    const epoch = await readEpoch(this.#deps.database).catch(() => undefined);
    if (epoch === undefined || epoch === this.#deps.keys.epoch || this.#isOutdated) return;
    this.#isOutdated = true;
    const { message, hint } = storeOutdated();
    this.#deps.log.error(message, { hint });
  }

  async #read<T>(read: (reader: PgReader) => Promise<T>): Promise<T> {
    if (this.#isOutdated) throw storeOutdated();
    return read(this.#reader);
  }

  /**
   * Writes all lists in one transaction; if it rejects, it has written none. Exception: after a lost connection nobody
   * may be able to find out (see `UncertainCommits.wasCommitted`).
   */
  async #commit(lists: readonly (readonly Change[])[]): Promise<void> {
    const wakes = lists.flatMap((changes) => changes.filter((change) => change.op === 'wake'));
    const statements = batch(lists, this.#deps.keys.codec);
    for (let tries = 1; ; tries++) {
      let uncertain: UncertainCommit | undefined;
      try {
        await this.#deps.database.transaction(async (connection) => {
          const transaction = await this.#write(connection, statements);
          if (wakes.length > 0) await this.#deps.onWakes?.(connection, wakes);
          uncertain = transaction;
        });
        return;
      } catch (cause) {
        if (uncertain !== undefined && (await this.#deps.uncertainCommits.wasCommitted(uncertain, cause))) return;
        if (tries >= MAX_TRIES || !(isCollision(cause) || (isLost(cause) && tries === 1)))
          throw asPgError(cause, 'cannot write to the database');
      }
    }
  }

  /**
   * Sends all statements without waiting in between (pipelining); answers arrive in order, so the first failure is
   * reported.
   */
  async #write(connection: SqlConnection, statements: readonly BatchStatement[]): Promise<UncertainCommit> {
    const [transaction, epoch, ...results] = await Promise.all([
      connection.query(ENTER_SQL, [PRESENCE_LOCK]),
      readEpoch(connection),
      ...statements.map(({ text, values }) => connection.query(text, values)),
    ]);
    if (epoch !== this.#deps.keys.epoch) {
      void this.checkEpoch();
      throw storeOutdated();
    }
    for (const [at, { mustTouch, text }] of statements.entries())
      if (mustTouch !== undefined && results[at]?.touched !== mustTouch)
        throw new EngineError('STORE_CONFLICT', `the row is missing or was changed by another writer: ${text}`);
    return transaction.rows[0] as unknown as UncertainCommit;
  }
}

/** False for retryable errors, and for lost connections, after which a second attempt could write the list twice. */
function isListAtFault(error: unknown): boolean {
  return !(error instanceof EngineError && (error.retryable || isLost(error.cause)));
}

function storeOutdated(): EngineError {
  return new EngineError(
    'STORE_OUTDATED',
    'the keys or the schema of the database were changed while this process was disconnected',
    {
      hint: 'restart this process',
    },
  );
}
