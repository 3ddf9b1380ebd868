import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EngineError } from '../../base/error.ts';
import type { Sql } from '../sql.ts';
import { asStoreError } from './sqlite-error.ts';

/** The statements of a connection, each prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  prepare(text: string): StatementSync {
    let statement = this.#prepared.get(text);
    if (statement === undefined) this.#prepared.set(text, (statement = this.#db.prepare(text)));
    return statement;
  }

  /**
   * Runs changes in one transaction; if one fails, none is made. `STORE_CONFLICT` where a row exists already, is missing or was
   * changed by another writer; otherwise `STORE_*`.
   */
  commit(changes: readonly Sql[]): void {
    try {
      this.prepare('BEGIN IMMEDIATE').run();
      for (const change of changes) this.#write(change);
      this.prepare('COMMIT').run();
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw asStoreError(cause, 'cannot write to the store');
    }
  }

  clear(): void {
    this.#prepared.clear();
  }

  #write(sql: Sql): void {
    const { changes } = this.prepare(sql.text).run(...sql.values);
    if (sql.mustTouch === 1 && changes !== 1)
      throw new EngineError('STORE_CONFLICT', `the row is missing or was changed by another writer: ${sql.text}`);
  }
}
