import { type Clock, systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import { CipherKey } from '../cipher.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { type BatchStatement, batch } from './batch.ts';
import { PgCommitQueue } from './pg-commit-queue.ts';
import { type UncertainCommit, UncertainCommits } from './uncertain-commits.ts';
import { asPgError, isCollision, isLost } from './pg-errors.ts';
import { PRESENCE_LOCK } from './advisory-locks.ts';
import { PgReader } from './pg-reader.ts';
import { migratePostgres } from './pg-schema.ts';
import { type OpenPgStore, openPgEncryption, readEpoch } from './pg-encryption.ts';
import type { Change, Condition, Key, Query, Row, Store, TableName, Wake } from '../store.ts';

/** Gives wakes to the queue, in the transaction that commits the lists they stand in; where it rejects, nothing is written. */
export type OnWakes = (connection: SqlConnection, wakes: readonly Wake[]) => Promise<void>;

export interface PostgresOptions {
  /** It stays open when the store is closed. */
  readonly database: SqlDatabase;
  /** 64 hex digits, as `parseKey` gives them: everything is encrypted. Without it everything is in plain text. */
  readonly key?: string | undefined;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly onWakes?: OnWakes | undefined;
}

/** How often a list is tried when it collides with those of other processes, or when its connection turns out to be dead. */
const MAX_TRIES = 5;

/** The number of the transaction, for doubts, and the right to write, which nobody has while all is changed. */
const ENTER_SQL = `SELECT pg_current_xact_id()::text AS xid, pg_backend_pid() AS pid, pg_advisory_xact_lock_shared($1)`;

/**
 * Opens the store that several processes share, a PostgreSQL database, and migrates it. With a key a store of plain text is
 * encrypted first, and a rotation that was cut short is finished where the key is the new one. `STORE_KEY_MISSING`,
 * `STORE_KEY_WRONG`; `STORE_TOO_NEW` where this version cannot work with it; `DATA_LOCKED` where it must be changed as a whole
 * while other processes work on it; `STORE_FAILED` where it cannot be reached or changed.
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
  readonly #queue: PgCommitQueue;
  #isOutdated = false;

  constructor(deps: PostgresStoreDependencies) {
    this.#deps = deps;
    this.#reader = new PgReader(deps.database, deps.keys);
    this.#queue = new PgCommitQueue((lists) => this.#commit(lists));
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
    await this.#queue.drain();
    await this.#deps.keys.releasePresence();
  }

  /** After a time without the connection that keeps others from changing all: has somebody? */
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

  /** Writes all lists in one transaction, or rejects and has written none. */
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

  /** All statements without waiting for one before the next is sent; the answers come in order, the first failure first. */
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
        throw new EngineError('STORE_CONFLICT', `somebody was faster: ${text}`);
    return transaction.rows[0] as unknown as UncertainCommit;
  }
}

function storeOutdated(): EngineError {
  return new EngineError(
    'STORE_OUTDATED',
    'the keys or the schema of the database were changed while it was out of reach',
    {
      hint: 'start this process again',
    },
  );
}
