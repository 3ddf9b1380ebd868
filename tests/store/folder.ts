import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MIGRATIONS } from '../../engine/src/store/migrations.ts';
import type { Change, Row, Store, TableName } from '../../engine/src/store/store.ts';
import { TABLE_NAMES, TABLES } from '../../engine/src/store/tables.ts';
import { DatabaseSync } from 'node:sqlite';

/** Words that stand in every body, and a name that is an address. */
export const WORD = 'quokka-marmalade';
export const NAME = 'jane.doe@example.org';

/** A row of any table: ids of its own, the address where a name stands, the word in the body. */
export function rowOf(table: TableName, n: number, length = 200): Row<TableName> {
  const { columns } = TABLES[table];
  const values = Object.entries(columns).map(([column, type]: [string, string]) => {
    switch (type) {
      case 'int':
        return [column, n];
      case 'name':
        return [column, `${NAME}/${n}`];
      case 'json':
        return [column, JSON.stringify({ table, n, text: `${WORD} ${'x'.repeat(length)}` })];
      case 'blob':
        return [column, Buffer.from(`${table} ${n} ${WORD}`)];
      default:
        return [column, `${column}${String(n).padStart(6, '0')}`];
    }
  });
  return Object.fromEntries(values) as Row<TableName>;
}

/** Puts `count` rows into every table. */
export async function fill(store: Store, count: number, length?: number): Promise<void> {
  for (const table of TABLE_NAMES) {
    const rows = Array.from({ length: count }, (_, n) => rowOf(table, n, length));
    await store.apply(rows.map((row) => ({ op: 'put', table, row }) as Change));
  }
}

/** The columns of a row, with bytes of one class: stores answer with a `Buffer` or a `Uint8Array`. */
function plain(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, value instanceof Uint8Array ? Buffer.from(value) : value]),
  );
}

/** A row that `fill` puts in, and its key. */
interface Wanted {
  readonly key: string;
  readonly row: Record<string, unknown>;
}

/** The rows of each table, by its name, their count and length: loops of kills compare them some hundred times. */
const wanted = new Map<string, readonly Wanted[]>();

function keyOf(table: TableName, row: object): string {
  return JSON.stringify(TABLES[table].key.map((column) => Reflect.get(row, column)));
}

function wantedOf(table: TableName, count: number, length: number | undefined): readonly Wanted[] {
  const name = `${table} ${count} ${length}`;
  const known = wanted.get(name);
  if (known !== undefined) return known;
  const rows = Array.from({ length: count }, (_, n) => rowOf(table, n, length));
  const made = rows.map((row) => ({ key: keyOf(table, row), row: plain(row) }));
  wanted.set(name, made);
  return made;
}

/** What differs between a store and what `fill` put in. */
export async function missing(store: Store, count: number, length?: number): Promise<string[]> {
  const faults: string[] = [];
  for (const table of TABLE_NAMES) {
    const found = new Map((await store.list(table)).map((row) => [keyOf(table, row), row]));
    for (const [n, { key, row }] of wantedOf(table, count, length).entries()) {
      const got = found.get(key);
      if (!isDeepStrictEqual(plain({ ...got }), row)) faults.push(`${table} ${n}: ${JSON.stringify(got)}`);
    }
  }
  return faults;
}

/** Which of the words stand in which files of a folder, as text, base64 or hex. */
export function findWords(dir: string, words: readonly string[]): string[] {
  const found: string[] = [];
  for (const file of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = readFileSync(join(file.parentPath, file.name));
    for (const word of words)
      for (const form of [
        Buffer.from(word),
        Buffer.from(word, 'utf16le'),
        Buffer.from(Buffer.from(word).toString('hex')),
      ])
        if (bytes.includes(form)) found.push(`${file.name}: ${word}`);
  }
  return [...new Set(found)];
}

/** Of the database file, to see whether anything was written. */
export function digest(dir: string): string {
  return createHash('sha256')
    .update(readFileSync(join(dir, 'callsheet.db')))
    .digest('hex');
}

/** A database as the first `version` steps of the schema leave it, without WAL. */
export function oldDatabase(dir: string, version: number): DatabaseSync {
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  for (const statements of MIGRATIONS.slice(0, version)) for (const statement of statements) db.exec(statement);
  db.exec(`PRAGMA user_version = ${version}`);
  return db;
}
