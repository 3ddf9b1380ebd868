import { EngineError } from '../base/error.ts';
import type { KeyRing, NameCipher } from './cipher.ts';
import type { Row } from './row.ts';
import { TABLES, type TableName } from './tables.ts';
import { describeDamage } from './damaged-row.ts';
import type { Query } from './store.ts';

/** A value that a driver binds to a statement. */
export type Bound = string | number | Uint8Array;

/** Converts values between memory and disk. Drivers pass every value they write and every row they read through it. */
export interface Codec {
  /** Converts a column's value for the disk. For a body, `row` must contain at least the key columns. */
  store(table: TableName, column: string, value: Bound, row: object): Bound;
  /**
   * Converts a row from the disk; `hasBody` is false if the row was read without its body. `STORE_TAMPERED` if the row
   * is not as it was written.
   */
  load<T extends TableName>(table: T, row: Row<T>, hasBody?: boolean): Row<T>;
}

/** The codec of a store in plain text: leaves all values unchanged. */
export const plainCodec: Codec = { store: (_table, _column, value) => value, load: (_table, row) => row };

/** The columns of a table that are encrypted, and the key that the body is bound to. */
interface SealedColumns {
  readonly key: readonly string[];
  readonly names: readonly string[];
  readonly body: 'json' | 'blob' | undefined;
}

/**
 * The codec of an encrypted store. The key ring seals bodies, each bound to its table and key columns. The name cipher
 * seals names deterministically, so that equal names stay equal.
 */
export function createCodec(ring: KeyRing, names: NameCipher): Codec {
  const shapes = new Map<TableName, SealedColumns>();
  const shapeOf = (table: TableName): SealedColumns => {
    let shape = shapes.get(table);
    if (shape === undefined) shapes.set(table, (shape = sealedColumnsOf(table)));
    return shape;
  };
  return {
    store(table, column, value, row) {
      const shape = shapeOf(table);
      if (column === 'body' && shape.body !== undefined && typeof value !== 'number')
        return ring.writer.seal(value, contextOf(table, shape, row));
      return shape.names.includes(column) ? names.seal(String(value), `${table}.${column}`) : value;
    },
    load(table, row, hasBody = true) {
      const shape = shapeOf(table);
      const open: Record<string, unknown> = { ...row };
      for (const column of shape.names) {
        const name = names.open(String(open[column]), `${table}.${column}`);
        if (name === undefined) throw tampered(table, shape, open);
        open[column] = name;
      }
      const { body } = open;
      if (shape.body !== undefined && hasBody) {
        const plain = body instanceof Uint8Array ? ring.open(body, contextOf(table, shape, open)) : undefined;
        if (plain === undefined) throw tampered(table, shape, open);
        open['body'] = shape.body === 'json' ? plain.toString('utf8') : plain;
      }
      return open as typeof row;
    },
  };
}

/** Loads the rows of a query. `STORE_TAMPERED` where one is not as it was written, unless the query has `onDamaged`. */
export function loadRows<T extends TableName>(
  codec: Codec,
  table: T,
  rows: readonly Row<T>[],
  { bodies, onDamaged }: Pick<Query<T>, 'bodies' | 'onDamaged'>,
): Row<T>[] {
  const hasBody = bodies !== false;
  if (onDamaged === undefined) return rows.map((row) => codec.load(table, row, hasBody));
  return rows.flatMap((row) => {
    try {
      return [codec.load(table, row, hasBody)];
    } catch (error) {
      onDamaged(describeDamage(table, row, error));
      return [];
    }
  });
}

/** Columns of a table that the name cipher seals. */
export function nameColumns(table: TableName): readonly string[] {
  return sealedColumnsOf(table).names;
}

function sealedColumnsOf(table: TableName): SealedColumns {
  const { key, columns } = TABLES[table];
  const types: Readonly<Record<string, string>> = columns;
  const body = types['body'];
  return {
    key,
    names: Object.keys(types).filter((column) => types[column] === 'name'),
    body: body === 'json' || body === 'blob' ? body : undefined,
  };
}

/**
 * What a body is bound to: its table and key columns, encoded as JSON so that different keys never give the same text.
 */
function contextOf(table: TableName, { key }: SealedColumns, row: object): string {
  return JSON.stringify([table, ...key.map((column) => row[column as keyof typeof row])]);
}

function tampered(table: TableName, { key }: SealedColumns, row: object): EngineError {
  const id = key.map((column) => String(row[column as keyof typeof row])).join(' ');
  return new EngineError(
    'STORE_TAMPERED',
    `row ${id} of table ${table} is not as it was written: it was changed or swapped`,
    {
      hint: 'nothing was overwritten; restore the data folder from a backup, or delete what the row belongs to',
    },
  );
}
