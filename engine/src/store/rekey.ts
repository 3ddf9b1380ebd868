import type { DatabaseSync } from 'node:sqlite';
import { errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import { type CipherKey, keyIdOf, KeyRing, NameCipher } from './cipher.ts';
import { type Bound, type Codec, createCodec, nameColumns, plainCodec } from './codec.ts';
import { inTransaction } from './database.ts';
import { dropKeyring, type Keyring, type Progress, writeKeyring, writeProgress } from './keyring.ts';
import type { Row } from './store.ts';
import { TABLES, type TableName } from './tables.ts';

/** Rows in one commit. Raw mail lies in pieces of 256 KB, so that a batch stays under 30 MB. */
const BATCH = 100;

/** Nothing is done yet. */
export const START: Progress = { table: 'meta', after: [] };

/** How rows get from one form on the disk to another. */
interface Way {
  readonly from: Codec;
  readonly to: Codec;
  /** Columns that change. */
  readonly columns: (table: TableName) => readonly string[];
  /** True for a row that was written in the new form already. */
  readonly isDone: (row: object) => boolean;
  readonly log: Logger;
}

/** Marks a store of plain text as encrypted from here on; `finishEncryption` does the work. */
export function beginEncryption(db: DatabaseSync, key: CipherKey, secret: string, isFresh: boolean): void {
  inTransaction(db, () => {
    writeKeyring(db, 'current', key, secret);
    db.prepare('DELETE FROM meta WHERE name = ?').run('lookupSecret');
    if (!isFresh) writeProgress(db, START);
  });
}

/**
 * Seals what is still in plain text, goes on where a killed process stopped, and rewrites the file, so that neither it nor
 * the WAL holds what was there before.
 */
export function finishEncryption(db: DatabaseSync, { key, secret }: Keyring, progress: Progress, log: Logger): void {
  log.info('encrypting what the data folder holds');
  const to = createCodec(new KeyRing(key), new NameCipher(secret));
  const columns = (table: TableName) => [...nameColumns(table), ...bodyColumns(table)];
  walk(db, progress, { from: plainCodec, to, columns, isDone: () => false, log });
  db.exec('VACUUM');
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  inTransaction(db, () => dropKeyring(db, 'progress'));
  log.info('the data folder is encrypted');
}

/** Makes both keys known to the store: from here on either opens it, and new rows are sealed under the new one. */
export function beginRotation(db: DatabaseSync, from: CipherKey, to: CipherKey): void {
  inTransaction(db, () => {
    writeKeyring(db, 'next', from, to.hex);
    writeKeyring(db, 'previous', to, from.hex);
    writeProgress(db, START);
  });
}

/**
 * Seals every row under the new key, goes on where a killed process stopped, and forgets the old key. A row that cannot be
 * opened is left as it is, and named. Returns how many rows were sealed anew and how many were left.
 */
export function finishRotation(
  db: DatabaseSync,
  { key, secret }: Keyring,
  next: CipherKey,
  progress: Progress,
  log: Logger,
): { rows: number; left: number } {
  const codec = createCodec(new KeyRing(next, key), new NameCipher(secret));
  const isDone = (row: object) => keyIdOf((row as { body?: unknown }).body) === next.id;
  const counts = walk(db, progress, { from: codec, to: codec, columns: bodyColumns, isDone, log });
  inTransaction(db, () => {
    writeKeyring(db, 'current', next, secret);
    dropKeyring(db, 'next', 'previous', 'progress');
  });
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return counts;
}

/** Brings all tables from `progress` on to their new form, each batch in a commit with how far it came. */
function walk(db: DatabaseSync, progress: Progress, way: Way): { rows: number; left: number } {
  const counts = { rows: 0, left: 0 };
  const names = tableNames();
  // A batch and how far it came are lost together or not at all, so that only the last commit, in full, need be waited for.
  const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number };
  db.exec('PRAGMA synchronous = NORMAL');
  const first = progress.table === null ? names.length : names.findIndex((name) => name === progress.table);
  for (let at = Math.max(first, 0); at < names.length; at++) {
    const table = names[at]!;
    const columns = way.columns(table);
    const isWhole = TABLES[table].key.some((column) => columns.includes(column));
    let after = at === first ? progress.after : [];
    for (let rows = columns.length === 0 ? [] : page(db, table, after, isWhole); rows.length > 0;) {
      inTransaction(db, () => {
        for (const row of rows) if (!way.isDone(row)) counts[change(db, table, row, columns, way)]++;
        after = keyOf(table, rows.at(-1) ?? {});
        if (!isWhole) writeProgress(db, { table, after });
        else writeProgress(db, { table: names[at + 1] ?? null, after: [] });
      });
      if (isWhole) break;
      rows = page(db, table, after, isWhole);
    }
  }
  db.exec(`PRAGMA synchronous = ${synchronous}`);
  writeProgress(db, { table: null, after: [] });
  return counts;
}

/** The rows after a key, or all of a table whose keys themselves change: those are taken in one commit, and are small. */
function page(db: DatabaseSync, table: TableName, after: readonly (string | number)[], isWhole: boolean): object[] {
  const key = TABLES[table].key.join(', ');
  const where = after.length === 0 ? '' : ` WHERE (${key}) > (${after.map(() => '?').join(', ')})`;
  const limit = isWhole ? '' : ` LIMIT ${BATCH}`;
  return db.prepare(`SELECT * FROM ${table}${where} ORDER BY ${key}${limit}`).all(...after);
}

function change(
  db: DatabaseSync,
  table: TableName,
  row: object,
  columns: readonly string[],
  { from, to, log }: Way,
): 'rows' | 'left' {
  let open: Readonly<Record<string, Bound>>;
  try {
    open = { ...from.load(table, row as Row<TableName>) };
  } catch (error) {
    log.warn('a row was left as it is', { ...errorBody(error) });
    return 'left';
  }
  const set = columns.map((column) => `${column} = ?`).join(', ');
  const where = TABLES[table].key.map((column) => `${column} = ?`).join(' AND ');
  const values = columns.map((column) => to.store(table, column, open[column]!, open));
  db.prepare(`UPDATE ${table} SET ${set} WHERE ${where}`).run(...values, ...keyOf(table, row));
  return 'rows';
}

/** The key of a row as it lies on the disk. */
function keyOf(table: TableName, row: object): (string | number)[] {
  return TABLES[table].key.map((column) => (row as Readonly<Record<string, string | number>>)[column]!);
}

function bodyColumns(table: TableName): string[] {
  return 'body' in TABLES[table].columns ? ['body'] : [];
}

function tableNames(): TableName[] {
  return Object.keys(TABLES) as TableName[];
}
