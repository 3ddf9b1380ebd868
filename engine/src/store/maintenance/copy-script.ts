import { createHash } from 'node:crypto';
import { sha256 } from '../../base/json.ts';
import type { Bound } from '../codec.ts';
import { SECRET_NAME } from './keyring.ts';
import { readKeyringRows } from './keyring-rows.ts';
import { dropMark, markIn, type UnfinishedMove, type MoveMarks, readMark, writeMark } from './move-marks.ts';
import { readPage } from './row-pages.ts';
import {
  requireExclusive,
  query,
  queryAll,
  transaction,
  type ScriptDialect,
  type RawRow,
  type Script,
} from './script.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../tables.ts';

/** A row that is being copied: its values in the order of the table's columns. Bodies are bytes, sealed or not. */
export type CopyRow = readonly (string | number | Uint8Array)[];

/** How a database stores values: converts texts and bodies to a `CopyRow` and back. */
export interface CopyForm {
  readonly dialect: ScriptDialect;
  readonly readText: (value: string) => string;
  readonly writeText: (value: string) => string;
  readonly readBody: (value: unknown) => Uint8Array;
  /** `isText` is true if the body is JSON in plain text. */
  readonly writeBody: (value: Uint8Array, isText: boolean) => Bound;
  /** Statements that delete all rows. */
  readonly deleteAll: readonly string[];
}

/** Facts about a database, read before anything is copied. */
export interface CopyFacts {
  /** False if the database has no schema yet. */
  readonly isStore: boolean;
  /** Identifies the store: a hash of its secret; `''` if it has none. */
  readonly id: string;
  readonly isEncrypted: boolean;
  /** True if a change of keys is not finished. */
  readonly isChangingKeys: boolean;
  readonly moving: MoveMarks['moving'] | undefined;
  readonly copy: UnfinishedMove | undefined;
  readonly copied: MoveMarks['copied'] | undefined;
  /** Number of rows of each table. */
  readonly counts: ReadonlyMap<TableName, number>;
}

/** Number of rows of a table and a hash over all of them, independent of their order. */
export interface TableChecksum {
  readonly table: TableName;
  readonly rows: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** Columns that name a process. The copy leaves them empty, because no process uses the target yet. */
const CLEARED_COLUMNS: Partial<Record<TableName, readonly string[]>> = { lease: ['worker', 'job'], claim: ['worker'] };

/** Rows in one statement. */
const ROWS_PER_INSERT = 64;

/** Reads the facts about a database. Writes nothing. */
export function* readCopyFacts({ dialect }: CopyForm): Script<CopyFacts> {
  const tables = new Set<string>();
  for (const table of TABLE_NAMES) if ((yield* query(dialect.hasTable, table)).length > 0) tables.add(table);
  const keyring = yield* readKeyringRows(dialect);
  const names = new Set(keyring.map(({ name }) => name));
  const counts = new Map<TableName, number>();
  for (const table of TABLE_NAMES) {
    const [row] = tables.has(table) ? yield* query(`SELECT count(*) AS n FROM ${table}`) : [];
    counts.set(table, Number(row?.['n'] ?? 0));
  }
  const [secret] = tables.has('meta') ? yield* query('SELECT body FROM meta WHERE name = ?', SECRET_NAME) : [];
  const known = keyring.find(({ name }) => name === 'current')?.['body'] ?? secret?.['body'];
  return {
    isStore: tables.has('meta'),
    id: known === undefined ? '' : sha256(Buffer.from(known as Uint8Array | string as Uint8Array)),
    isEncrypted: names.has('current'),
    isChangingKeys: ['next', 'previous', 'progress'].some((name) => names.has(name)),
    moving: markIn(dialect, keyring, 'moving'),
    copy: markIn(dialect, keyring, 'copy'),
    copied: markIn(dialect, keyring, 'copied'),
    counts,
  };
}

/** Deletes all rows of the target and marks it as an incomplete copy. `DATA_LOCKED` if a process uses it. */
export function* beginCopy({ dialect, deleteAll }: CopyForm, copy: UnfinishedMove): Script<void> {
  yield* transaction(function* () {
    yield* requireExclusive();
    yield* queryAll(deleteAll);
    yield* writeMark(dialect, 'copy', copy);
  });
}

/** Marks the source as moved, so that it can no longer be opened. `DATA_LOCKED` if a process uses it. */
export function* closeSource({ dialect }: CopyForm, moving: MoveMarks['moving']): Script<void> {
  yield* transaction(function* () {
    yield* requireExclusive();
    yield* writeMark(dialect, 'moving', moving);
  });
}

/** Reads at most `limit` rows of a table after the key `after`, in the order of keys. */
export function* readRows(
  form: CopyForm,
  table: TableName,
  after: readonly (string | number)[],
  limit: number,
): Script<CopyRow[]> {
  const stored = after.map((value) => (typeof value === 'string' ? form.writeText(value) : value));
  const rows = yield* readPage(form.dialect, table, stored, limit);
  return rows.map((row) => readRow(form, table, row));
}

function readRow({ readText, readBody }: CopyForm, table: TableName, row: RawRow): CopyRow {
  const cleared = CLEARED_COLUMNS[table] ?? [];
  return Object.entries<string>(TABLES[table].columns).map(([column, type]) => {
    if (cleared.includes(column)) return '';
    const value = row[column];
    return type === 'int'
      ? Number(value)
      : type === 'json' || type === 'blob'
        ? readBody(value)
        : readText(String(value));
  });
}

/** The key of a row, for the parameter `after` of `readRows`. */
export function keyOf(table: TableName, row: CopyRow): (string | number)[] {
  const columns = Object.keys(TABLES[table].columns);
  return TABLES[table].key.map((column) => row[columns.indexOf(column)] as string | number);
}

/**
 * Writes rows and the new progress `after` in one commit, if the stored progress equals `before`. False if it does not:
 * then another process is copying to the same target.
 */
export function* writeRows(
  form: CopyForm,
  {
    table,
    rows,
    isEncrypted,
  }: { readonly table: TableName; readonly rows: readonly CopyRow[]; readonly isEncrypted: boolean },
  before: UnfinishedMove,
  after: UnfinishedMove,
): Script<boolean> {
  return yield* transaction(function* () {
    const now = yield* readMark(form.dialect, 'copy');
    if (JSON.stringify(now) !== JSON.stringify(before)) return false;
    yield* writeMark(form.dialect, 'copy', after);
    for (let i = 0; i < rows.length; i += ROWS_PER_INSERT)
      yield* insertRows(form, table, rows.slice(i, i + ROWS_PER_INSERT), isEncrypted);
    return true;
  });
}

function* insertRows(form: CopyForm, table: TableName, rows: readonly CopyRow[], isEncrypted: boolean): Script<void> {
  const columns = Object.entries<string>(TABLES[table].columns);
  const values = rows.flatMap((row) =>
    row.map((value, i) =>
      typeof value === 'number'
        ? value
        : typeof value === 'string'
          ? form.writeText(value)
          : form.writeBody(value, !isEncrypted && columns[i]?.[1] === 'json'),
    ),
  );
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const names = columns.map(([column]) => column).join(', ');
  yield* query(`INSERT INTO ${table} (${names}) VALUES ${rows.map(() => tuple).join(', ')}`, ...values);
}

/** Reads the row `current` of the keyring as it is stored; undefined if the store is in plain text. */
export function* readCurrentKeyringRow(): Script<Uint8Array | undefined> {
  const [row] = yield* query('SELECT body FROM keyring WHERE name = ?', 'current');
  return row?.['body'] as Uint8Array | undefined;
}

/** Turns a complete copy into a store that can be opened. */
export function* finishCopy(
  { dialect }: CopyForm,
  current: Uint8Array | undefined,
  copied: MoveMarks['copied'],
): Script<void> {
  yield* transaction(function* () {
    yield* dropMark('copy');
    if (current !== undefined) yield* query('INSERT INTO keyring (name, body) VALUES (?, ?)', 'current', current);
    yield* writeMark(dialect, 'copied', copied);
  });
}

/** Adds hashes of rows up to a checksum that does not depend on the order of the rows. */
export class ChecksumBuilder {
  readonly #table: TableName;
  #rows = 0;
  #sum = 0n;

  constructor(table: TableName) {
    this.#table = table;
  }

  /** Adds a row. */
  add(row: CopyRow): void {
    const hash = createHash('sha256');
    for (const value of row) {
      const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
      // The length goes first, so that bytes of one column cannot be read as bytes of the next.
      hash.update(`${bytes.length} `).update(bytes);
    }
    this.#rows++;
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash.digest('hex')}`));
  }

  /** The checksum of all rows added so far. */
  get sum(): TableChecksum {
    return { table: this.#table, rows: this.#rows, hash: this.#sum.toString(16).padStart(64, '0') };
  }
}
