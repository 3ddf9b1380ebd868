import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CipherKey, hashForLookup } from '../cipher.ts';
import { type Codec, loadRows, plainCodec } from '../codec.ts';
import { DATABASE_FILE, openReadOnly, schemaVersion } from './database-file.ts';
import { asStoreError } from './sqlite-error.ts';
import { type InspectedStore, type InspectionResult, findDamaged, refuseChange } from '../maintenance/inspection.ts';
import { readKeyring } from '../maintenance/keyring.ts';
import { MIGRATIONS } from '../migrations.ts';
import { countSql, keyQuery, type Sql, selectSql, sqliteDialect } from '../sql.ts';
import { runSqliteScript, sqliteScriptDialect } from './sqlite-script.ts';
import type { Condition, Key, Query, Row, TableName } from '../store.ts';
import { storeKeysFor } from '../maintenance/open-encryption.ts';

/**
 * A read-only view of a SQLite store. Errors as `openSqlite`, except `STORE_TOO_NEW`: the property `schema` shows the
 * version.
 */
export class InspectedSqlite implements InspectedStore {
  readonly storage: InspectedStore['storage'];
  readonly schema: InspectedStore['schema'];
  readonly #db: DatabaseSync;
  readonly #codec: Codec;
  readonly #secret: string;

  constructor({ dir, key }: { readonly dir: string; readonly key: string | undefined }) {
    const file = join(dir, DATABASE_FILE);
    try {
      this.#db = openReadOnly(file);
      this.schema = { found: schemaVersion(this.#db), known: MIGRATIONS.length };
      const cipherKey = key === undefined ? undefined : new CipherKey(key);
      const ring = runSqliteScript(this.#db, readKeyring(sqliteScriptDialect, cipherKey));
      const keys = ring === undefined ? undefined : storeKeysFor(sqliteScriptDialect, ring);
      this.storage = keys?.storage ?? 'plaintext';
      this.#secret = keys?.secret ?? '';
      this.#codec = keys?.codec ?? plainCodec;
    } catch (cause) {
      throw asStoreError(cause, `cannot open ${file}`);
    }
  }

  async faults(): Promise<string[]> {
    const rows = this.#db.prepare('PRAGMA quick_check(20)').all();
    return rows.map((row) => String(Object.values(row)[0])).filter((fault) => fault !== 'ok');
  }

  async damagedRows(timeMs: number): Promise<InspectionResult> {
    return runSqliteScript(this.#db, findDamaged(sqliteScriptDialect, this.#codec, timeMs));
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    return (await this.list(table, keyQuery(table, key)))[0];
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    if (!this.#has(table)) return [];
    const rows = this.#all(selectSql(table, query, this.#codec, sqliteDialect)) as unknown as Row<T>[];
    return loadRows(this.#codec, table, rows, query);
  }

  async count<T extends TableName>(table: T, where: readonly Condition<T>[] = []): Promise<number> {
    return this.#has(table) ? Number(this.#all(countSql(table, where, this.#codec, sqliteDialect))[0]?.['n']) : 0;
  }

  async apply(): Promise<void> {
    throw refuseChange();
  }

  lookupKey(text: string): string {
    return hashForLookup(this.#secret, text);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #all({ text, values }: Sql) {
    return this.#db.prepare(text).all(...values);
  }

  /** A store with an older schema lacks some tables; the next start adds them. */
  #has(table: TableName): boolean {
    return this.#db.prepare('SELECT name FROM sqlite_master WHERE name = ?').get(table) !== undefined;
  }
}
