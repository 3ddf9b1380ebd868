import type { Bound, Codec } from '../codec.ts';
import type { Change, RowChange } from '../store.ts';
import { onConflict } from '../sql.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../tables.ts';

/** A statement for all rows of one shape. */
export interface BatchStatement {
  readonly table: TableName;
  readonly text: string;
  /** One array per column, with one value per row. */
  readonly values: readonly (readonly Bound[])[];
  /** How many rows the statement must affect; any other number is a conflict. Undefined if any number is fine. */
  readonly mustTouch: number | undefined;
}

/** Rows of one shape, such as all inserts into a table. */
interface Group {
  readonly shape: Shape;
  /** Characters and bytes of all rows. */
  size: number;
  readonly rows: { readonly key: string; readonly values: readonly Bound[] }[];
}

/** The statement that rows share: operation, table and columns. */
interface Shape {
  readonly id: string;
  readonly text: string;
  /** True if each row must exist. */
  readonly isUpdate: boolean;
  /** True if each change affects exactly one key, so that changes of different keys may be reordered. */
  readonly isKeyed: boolean;
}

/** Most characters and bytes in one statement, so that no array exceeds the limit of PostgreSQL (1 GB). */
const MAX_SIZE = 64 * 1024 * 1024;

/**
 * A step of a run locks these tables first, so that of two processes that do the same step one fails early. It locks
 * the table that all runs share last, so that the lock is held for the shortest time.
 */
const FIRST: readonly TableName[] = ['lease', 'machine'];
const LAST: readonly TableName[] = ['counter'];
/**
 * Tables with a unique column besides the key. Rows of different keys may conflict there, so their changes stay in
 * order.
 */
export const FIXED_ORDER_TABLES: ReadonlySet<TableName> = new Set([
  'fileChange',
  'mail',
  'memory',
  'outgoing',
  'person',
]);
const ORDER: readonly TableName[] = [
  ...FIRST,
  ...TABLE_NAMES.filter((table) => ![...FIRST, ...LAST].includes(table)),
  ...LAST,
];

/**
 * Converts lists of changes to few statements that have the same effect as the changes one by one. Changes of equal
 * shape share a statement, unless a change between them affects the same row. Tables are in a fixed order and rows in
 * the order of their keys, so that deadlocks between two processes are rare.
 */
export function batch(lists: readonly (readonly Change[])[], codec: Codec): BatchStatement[] {
  const tables = new Map<TableName, TableBatch>();
  for (const changes of lists)
    for (const change of changes) {
      if (change.op === 'wake') continue;
      let table = tables.get(change.table);
      if (table === undefined) tables.set(change.table, (table = new TableBatch(change.table, codec)));
      table.add(change);
    }
  return ORDER.flatMap((table) => tables.get(table)?.statements() ?? []);
}

class TableBatch {
  readonly #table: TableName;
  readonly #codec: Codec;
  readonly #groups: Group[] = [];
  /** The last group of each shape, and the last group that affects each key. */
  readonly #ofShape = new Map<string, number>();
  readonly #ofKey = new Map<string, number>();
  /** The last group that may affect any row. */
  #barrier = -1;

  constructor(table: TableName, codec: Codec) {
    this.#table = table;
    this.#codec = codec;
  }

  add(change: RowChange): void {
    const { shape, key, pairs, row } = readChange(change);
    const values = pairs.map(([column, value]) => this.#codec.store(this.#table, column, value, row));
    const mayMove = shape.isKeyed && !FIXED_ORDER_TABLES.has(this.#table);
    const earliest = mayMove
      ? Math.max(this.#barrier, this.#ofKey.get(key) ?? -1) + 1
      : Math.max(0, this.#groups.length - 1);
    let at = this.#ofShape.get(shape.id) ?? -1;
    const size = values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? 8 : value.length), 0);
    if (at < earliest || this.#groups[at]!.size + size > MAX_SIZE)
      at = this.#groups.push({ shape, rows: [], size: 0 }) - 1;
    const group = this.#groups[at]!;
    group.rows.push({ key, values });
    group.size += size;
    this.#ofShape.set(shape.id, at);
    if (shape.isKeyed) this.#ofKey.set(key, at);
    else this.#barrier = at;
  }

  statements(): BatchStatement[] {
    return this.#groups.map(({ shape, rows }) => {
      rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const width = rows[0]?.values.length ?? 0;
      return {
        table: this.#table,
        text: shape.text,
        values: Array.from({ length: width }, (_, column) => rows.map(({ values }) => values[column]!)),
        mustTouch: shape.isUpdate ? rows.length : undefined,
      };
    });
  }
}

type Pairs = readonly (readonly [string, Bound])[];

/** Splits a change into its shape, the key of its row, and its values in the order of the statement. */
function readChange(change: RowChange): { shape: Shape; key: string; pairs: Pairs; row: object } {
  const { table } = change;
  const key: readonly string[] = TABLES[table].key;
  switch (change.op) {
    case 'insert':
    case 'put': {
      const pairs = Object.keys(TABLES[table].columns).map((column) => pairOf(change.row, column));
      return { shape: shapeOf(change.op, table, []), key: keyText(key, change.row), pairs, row: change.row };
    }
    case 'update': {
      const parts = [
        key.map((column) => pairOf(change.key, column)),
        pairsOf(change.set),
        pairsOf(change.expect ?? {}),
      ];
      const shape = shapeOf('update', table, parts.map(names));
      return { shape, key: keyText(key, change.key), pairs: parts.flat(), row: change.key };
    }
    case 'delete': {
      const where = pairsOf(change.where);
      const shape = shapeOf('delete', table, [names(where)]);
      return { shape, key: shape.isKeyed ? keyText(key, change.where) : '', pairs: where, row: change.where };
    }
    default:
      return change satisfies never;
  }
}

const shapes = new Map<string, Shape>();

function shapeOf(op: RowChange['op'], table: TableName, parts: readonly (readonly string[])[]): Shape {
  const id = `${op} ${table} ${parts.map((columns) => columns.join(',')).join(' ')}`;
  let shape = shapes.get(id);
  if (shape === undefined) {
    const key: readonly string[] = TABLES[table].key;
    const isKeyed = op !== 'delete' || key.every((column) => parts[0]?.includes(column));
    shapes.set(id, (shape = { id, text: textOf(op, table, parts), isUpdate: op === 'update', isKeyed }));
  }
  return shape;
}

function textOf(op: RowChange['op'], table: TableName, parts: readonly (readonly string[])[]): string {
  const key: readonly string[] = TABLES[table].key;
  const columns = Object.keys(TABLES[table].columns);
  switch (op) {
    case 'insert':
      return `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM ${rowsOf(table, columns)}`;
    case 'put': {
      const rest = columns.filter((column) => !key.includes(column));
      return `${textOf('insert', table, [])} ON CONFLICT (${key.join(', ')}) ${onConflict(rest)}`;
    }
    case 'update': {
      const [, set = [], expect = []] = parts;
      const first = key.length + set.length;
      const from = `${rowsOf(table, [...key, ...set, ...expect])} AS given (${[...key, ...set, ...expect].map((_, n) => `v${n}`).join(', ')})`;
      const sets = set.map((column, n) => `${column} = v${key.length + n}`);
      return `UPDATE ${table} SET ${sets.join(', ')} FROM ${from} WHERE ${[...equal(table, key, 0), ...equal(table, expect, first)].join(' AND ')}`;
    }
    case 'delete': {
      const [where = []] = parts;
      const from = `${rowsOf(table, where)} AS given (${where.map((_, n) => `v${n}`).join(', ')})`;
      return `DELETE FROM ${table} USING ${from} WHERE ${equal(table, where, 0).join(' AND ')}`;
    }
    default:
      return op satisfies never;
  }
}

/** SQL that turns one array per column into rows. */
function rowsOf(table: TableName, columns: readonly string[]): string {
  const types: Readonly<Record<string, string>> = TABLES[table].columns;
  const typeOf = (column: string) =>
    types[column] === 'int' ? 'bigint' : types[column] === 'json' || types[column] === 'blob' ? 'bytea' : 'text';
  return `unnest(${columns.map((column, n) => `$${n + 1}::${typeOf(column)}[]`).join(', ')})`;
}

function equal(table: TableName, columns: readonly string[], first: number): string[] {
  return columns.map((column, n) => `${table}.${column} = v${first + n}`);
}

function pairsOf(values: object): Pairs {
  return Object.entries(values) as [string, Bound][];
}

function pairOf(values: object, column: string): readonly [string, Bound] {
  return [column, (values as Readonly<Record<string, Bound>>)[column]!];
}

function names(pairs: Pairs): string[] {
  return pairs.map(([column]) => column);
}

function keyText(key: readonly string[], values: object): string {
  const parts = key.map((column) => (values as Readonly<Record<string, Bound>>)[column]);
  return parts.length === 1 ? String(parts[0]) : JSON.stringify(parts);
}
