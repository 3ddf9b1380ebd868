import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError, errorBody } from '../base/error.ts';
import { CipherKey } from './cipher.ts';
import { type Codec, plainCodec } from './codec.ts';
import { asStoreError, DATABASE_FILE } from './database.ts';
import { readKeyring } from './keyring.ts';
import { MIGRATIONS } from './migrations.ts';
import { countSql, type Sql, selectSql, sqliteDialect } from './sql.ts';
import { playSqlite, sqliteFlavour } from './sqlite-script.ts';
import type { Condition, Key, Query, Row, Store, TableName } from './store.ts';
import { TABLES } from './tables.ts';
import { unlockedBy } from './unlock.ts';

/** A row that cannot be read, by table and key. */
export interface DamagedRow {
  readonly table: string;
  readonly key: string;
  readonly why: string;
}

/**
 * A look at a store that changes nothing, also beside the process that works on it. `apply` refuses. Errors as those of
 * `openSqlite`.
 */
export class ExaminedStore implements Store {
  readonly storage: Store['storage'];
  /** Of the schema, and the one that this version writes. */
  readonly schema: { readonly found: number; readonly known: number };
  readonly #db: DatabaseSync;
  readonly #codec: Codec;
  readonly #secret: string;

  constructor({ dir, key }: { readonly dir: string; readonly key: string | undefined }) {
    const file = join(dir, DATABASE_FILE);
    try {
      this.#db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      const { user_version: found } = this.#db.prepare('PRAGMA user_version').get() as { user_version: number };
      this.schema = { found, known: MIGRATIONS.length };
      const given = key === undefined ? undefined : new CipherKey(key);
      const ring = playSqlite(this.#db, readKeyring(sqliteFlavour, given));
      const unlocked = ring === undefined ? undefined : unlockedBy(sqliteFlavour, ring);
      this.storage = unlocked?.storage ?? 'plaintext';
      this.#secret = unlocked?.secret ?? '';
      this.#codec = unlocked?.codec ?? plainCodec;
    } catch (cause) {
      throw asStoreError(cause, `cannot open ${file}`);
    }
  }

  /** What SQLite itself finds wrong with the file; empty where it is whole. */
  faults(): string[] {
    const rows = this.#db.prepare('PRAGMA quick_check(20)').all();
    return rows.map((row) => String(Object.values(row)[0])).filter((fault) => fault !== 'ok');
  }

  /** Rows whose body cannot be decrypted or is no JSON, 20 at most, looked for until `timeMs` have passed. */
  damagedRows(timeMs: number): { damaged: DamagedRow[]; looked: number; isWhole: boolean } {
    const until = performance.now() + timeMs;
    const damaged: DamagedRow[] = [];
    let looked = 0;
    for (const table of Object.keys(TABLES) as TableName[]) {
      if (!this.#has(table)) continue;
      for (const row of this.#db.prepare(`SELECT * FROM ${table}`).iterate()) {
        looked++;
        const why = this.#faultOf(table, row);
        if (why !== undefined) damaged.push({ table, key: keyText(table, row), why });
        if (damaged.length >= 20 || (looked % 100 === 0 && performance.now() > until))
          return { damaged, looked, isWhole: false };
      }
    }
    return { damaged, looked, isWhole: true };
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    const columns: readonly string[] = TABLES[table].key;
    const where = columns.map((column) => [column, '=', key[column as keyof Key<T>]]);
    return (await this.list(table, { where } as unknown as Query<T>))[0];
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    if (!this.#has(table)) return [];
    const rows = this.#all(selectSql(table, query, this.#codec, sqliteDialect)) as unknown as Row<T>[];
    return rows.map((row) => this.#codec.load(table, row));
  }

  async count<T extends TableName>(table: T, where: readonly Condition<T>[] = []): Promise<number> {
    return this.#has(table) ? Number(this.#all(countSql(table, where, this.#codec, sqliteDialect))[0]?.['n']) : 0;
  }

  async apply(): Promise<void> {
    throw new EngineError('STORE_FAILED', 'the store was opened to be looked at, not to be changed');
  }

  lookupKey(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, 32);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #all({ text, values }: Sql) {
    return this.#db.prepare(text).all(...values);
  }

  /** An older schema lacks some tables; the next start adds them. */
  #has(table: TableName): boolean {
    return this.#db.prepare('SELECT name FROM sqlite_master WHERE name = ?').get(table) !== undefined;
  }

  #faultOf(table: TableName, row: object): string | undefined {
    try {
      const { body } = this.#codec.load(table, row as Row<TableName>) as { body?: unknown };
      const columns: Readonly<Record<string, string>> = TABLES[table].columns;
      if (columns['body'] === 'json') JSON.parse(String(body));
      return undefined;
    } catch (error) {
      return errorBody(error).message;
    }
  }
}

function keyText(table: TableName, row: object): string {
  return TABLES[table].key.map((column) => String((row as Record<string, unknown>)[column])).join(' ');
}
