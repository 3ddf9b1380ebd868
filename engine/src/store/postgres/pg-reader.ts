import { hashForLookup } from '../cipher.ts';
import type { SqlConnection } from './sql-database.ts';
import { asPgError, isLost } from './pg-errors.ts';
import { pgDialect } from './pg-script.ts';
import { countSql, keyQuery, selectSql } from '../sql.ts';
import type { Condition, Key, Query, Reader, Row, TableName } from '../store.ts';
import type { StoreKeys } from '../maintenance/open-encryption.ts';
import { loadRows } from '../codec.ts';

/** Reads rows of a PostgreSQL store. `STORE_FAILED`, `STORE_TAMPERED`. */
export class PgReader implements Reader {
  readonly #connection: SqlConnection;
  readonly #keys: StoreKeys;

  constructor(connection: SqlConnection, keys: StoreKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    return (await this.list(table, keyQuery(table, key)))[0];
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const { codec } = this.#keys;
    const rows = await this.#read(selectSql(table, query, codec, pgDialect));
    return loadRows(codec, table, rows as unknown as Row<T>[], query);
  }

  async count<T extends TableName>(table: T, where: readonly Condition<T>[] = []): Promise<number> {
    const rows = await this.#read(countSql(table, where, this.#keys.codec, pgDialect));
    return Number(rows[0]?.['n']);
  }

  lookupKey(text: string): string {
    return hashForLookup(this.#keys.secret, text);
  }

  async #read({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
    for (let tries = 1; ; tries++)
      try {
        return (await this.#connection.query(text, values)).rows;
      } catch (cause) {
        // An idle connection may have died unnoticed; the second attempt gets a new one.
        if (!isLost(cause) || tries > 1) throw asPgError(cause, 'cannot read from the database');
      }
  }
}
