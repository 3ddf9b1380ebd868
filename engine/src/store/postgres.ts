import { createHmac } from 'node:crypto';
import { EngineError } from '../base/error.ts';
import { type Logger, silentLogger } from '../base/log.ts';
import { type Bound, type Codec, plainCodec } from './codec.ts';
import type { SqlDatabase, SqlLink } from './link.ts';
import { type BatchStatement, batch } from './pg-batch.ts';
import { createPgCodec } from './pg-codec.ts';
import { PgCommitQueue } from './pg-commit-queue.ts';
import { type Doubt, Doubts, DOUBT_SQL } from './pg-doubt.ts';
import { asPgError, isCollision, isLost } from './pg-errors.ts';
import { migratePostgres } from './pg-schema.ts';
import { countSql, type Dialect, selectSql } from './sql.ts';
import type { Change, Condition, Key, Query, Row, Store, TableName, Wake } from './store.ts';
import { TABLES } from './tables.ts';

/** Gives wakes to the queue, in the transaction that commits the lists they stand in; where it rejects, nothing is written. */
export type OnWakes = (link: SqlLink, wakes: readonly Wake[]) => Promise<void>;

export interface PostgresOptions {
  /** It stays open when the store is closed. */
  readonly database: SqlDatabase;
  /** 64 hex digits, as `parseKey` gives them: everything is encrypted. Without it everything is in plain text. */
  readonly key?: string | undefined;
  readonly log?: Logger;
  readonly onWakes?: OnWakes | undefined;
}

/** How often a list is tried when it collides with those of other processes, or when its connection turns out to be dead. */
const MAX_TRIES = 5;

/**
 * Opens the store that several processes share, a PostgreSQL database, and migrates it. `STORE_TOO_NEW` where this version
 * cannot work with it, `STORE_FAILED` where it cannot be reached or changed.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { database, log = silentLogger, onWakes } = options;
  try {
    if (options.key !== undefined) throw new EngineError('STORE_FAILED', 'a database cannot be encrypted');
    await migratePostgres(database);
    const codec = createPgCodec(plainCodec);
    const secret = await plainSecret(database);
    return new PostgresStore({ database, codec, secret, doubts: await Doubts.open(database, log), onWakes });
  } catch (cause) {
    throw asPgError(cause, 'cannot open the database');
  }
}

async function plainSecret(link: SqlLink): Promise<string> {
  const { makeKey } = await import('./cipher.ts');
  const body = Buffer.from(JSON.stringify(makeKey()));
  await link.query(`INSERT INTO meta (name, body) VALUES ('lookupSecret', $1) ON CONFLICT (name) DO NOTHING`, [body]);
  const { rows } = await link.query(`SELECT body FROM meta WHERE name = 'lookupSecret'`);
  return JSON.parse(Buffer.from(rows[0]?.['body'] as Uint8Array).toString()) as string;
}

interface Parts {
  readonly database: SqlDatabase;
  readonly codec: Codec;
  readonly secret: string;
  readonly doubts: Doubts;
  readonly onWakes: OnWakes | undefined;
}

/** The language of PostgreSQL. Unquoted names are folded to lower case there, hence the names of columns that are read. */
const pgDialect: Dialect<Bound | readonly Bound[]> = {
  placeholder: (number) => `$${number}`,
  isOneOf: (column, values, add) => `${column} = ANY(${add(values)})`,
  read: (column) => (column === column.toLowerCase() ? column : `${column} AS "${column}"`),
};

class PostgresStore implements Store {
  readonly storage: Store['storage'] = 'plaintext';
  readonly #parts: Parts;
  readonly #queue: PgCommitQueue;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#queue = new PgCommitQueue((lists) => this.#commit(lists));
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    const columns = TABLES[table].key as readonly string[];
    const where = columns.map((column) => [column, '=', key[column as keyof Key<T>]]);
    return (await this.list<T>(table, { where } as unknown as Query<T>))[0];
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const { codec } = this.#parts;
    const rows = await this.#read(selectSql(table, query, codec, pgDialect));
    return rows.map((row) => codec.load(table, row as unknown as Row<T>, query.bodies !== false));
  }

  async count<T extends TableName>(table: T, where: readonly Condition<T>[] = []): Promise<number> {
    const rows = await this.#read(countSql(table, where, this.#parts.codec, pgDialect));
    return Number(rows[0]?.['n']);
  }

  apply(changes: readonly Change[]): Promise<void> {
    return changes.length === 0 ? Promise.resolve() : this.#queue.add(changes);
  }

  lookupKey(text: string): string {
    return createHmac('sha256', this.#parts.secret).update(text).digest('hex').slice(0, 32);
  }

  async close(): Promise<void> {
    await this.#queue.drain();
  }

  async #read({ text, values }: { text: string; values: readonly unknown[] }) {
    for (let tries = 1; ; tries++)
      try {
        return (await this.#parts.database.query(text, values)).rows;
      } catch (cause) {
        // A connection that was idle may be dead without anybody having noticed; the next one is new.
        if (!isLost(cause) || tries > 1) throw asPgError(cause, 'cannot read from the database');
      }
  }

  /** Writes all lists in one transaction, or rejects and has written none. */
  async #commit(lists: readonly (readonly Change[])[]): Promise<void> {
    const wakes = lists.flatMap((changes) => changes.filter((change) => change.op === 'wake'));
    const statements = batch(lists, this.#parts.codec);
    for (let tries = 1; ; tries++) {
      let doubt: Doubt | undefined;
      try {
        await this.#parts.database.transaction(async (link) => {
          const asked = await this.#write(link, statements);
          if (wakes.length > 0) await this.#parts.onWakes?.(link, wakes);
          doubt = asked;
        });
        return;
      } catch (cause) {
        if (doubt !== undefined && (await this.#parts.doubts.wasCommitted(doubt, cause))) return;
        if (tries >= MAX_TRIES || !(isCollision(cause) || (isLost(cause) && tries === 1)))
          throw asPgError(cause, 'cannot write to the database');
      }
    }
  }

  /** All statements without waiting for one before the next is sent; the answers come in order, the first failure first. */
  async #write(link: SqlLink, statements: readonly BatchStatement[]): Promise<Doubt> {
    const [asked, ...results] = await Promise.all([
      link.query(DOUBT_SQL),
      ...statements.map(({ text, values }) => link.query(text, values)),
    ]);
    for (const [at, { mustTouch, text }] of statements.entries())
      if (mustTouch !== undefined && results[at]?.touched !== mustTouch)
        throw new EngineError('STORE_CONFLICT', `somebody was faster: ${text}`);
    return asked!.rows[0] as unknown as Doubt;
  }
}
