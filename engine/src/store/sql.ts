import { EngineError } from '../base/error.ts';
import { type Bound, type Codec } from './codec.ts';
import type { Condition, Key, Query, RowChange, TableName } from './store.ts';
import { TABLES } from './tables.ts';

/**
 * Text and values of a statement. Statements of equal shape have equal text, so that drivers can reuse prepared
 * statements.
 */
export interface Sql {
  readonly text: string;
  readonly values: Bound[];
  /** For changes: how many rows the statement must affect; any other number is a conflict. */
  readonly mustTouch?: 1;
}

/** Differences between the SQL of the databases, for queries. */
export interface SqlDialect<V> {
  /** The placeholder of a value, counted from 1. */
  placeholder(number: number): string;
  /**
   * The condition that a column has one of several values, at least one; `add` binds a value and returns its
   * placeholder.
   */
  inList(column: string, values: readonly Bound[], add: (value: V) => string): string;
  /** The expression that selects a column so that the result has the column's exact name. */
  readColumn(column: string): string;
  /** The clause that limits the number of rows. */
  limit(placeholder: string): string;
}

/** The SQL of SQLite. */
export const sqliteDialect: SqlDialect<Bound> = {
  placeholder: () => '?',
  inList: (column, values, add) => `${column} IN (${values.map(add).join(', ')})`,
  readColumn: (column) => column,
  // SQLite compiles the value of a bare `LIMIT ?` into the statement, and prepares it again each time that a value is bound, which takes
  // longer than most reads. It does not look into a sum.
  limit: (placeholder) => `LIMIT ${placeholder} + 0`,
};

const inserts = new Map<TableName, { columns: string[]; insert: string; put: string }>();

function insertTexts(table: TableName) {
  let texts = inserts.get(table);
  if (texts === undefined) {
    const columns = Object.keys(TABLES[table].columns);
    const key: readonly string[] = TABLES[table].key;
    const rest = columns.filter((column) => !key.includes(column));
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const put = `${insert} ON CONFLICT (${key.join(', ')}) ${onConflict(rest)}`;
    texts = { columns, insert, put };
    inserts.set(table, texts);
  }
  return texts;
}

/** What a `put` does with a row that exists, by the columns beside its key; none is left to set in a table of keys alone. */
export function onConflict(rest: readonly string[]): string {
  if (rest.length === 0) return 'DO NOTHING';
  return `DO UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

/** SQL of one change, with the values encoded by the codec. */
export function changeSql(change: RowChange, codec: Codec): Sql {
  const { table } = change;
  const stored = (pairs: readonly (readonly [string, unknown])[], row: object) =>
    pairs.map(([column, value]) => codec.store(table, column, value as Bound, row));
  switch (change.op) {
    case 'insert':
    case 'put': {
      const texts = insertTexts(change.table);
      const row = change.row as Readonly<Record<string, Bound>>;
      return { text: texts[change.op], values: texts.columns.map((c) => codec.store(table, c, row[c]!, row)) };
    }
    case 'update': {
      const set = Object.entries(change.set);
      const where = [...Object.entries(change.key), ...Object.entries(change.expect ?? {})];
      return {
        text: `UPDATE ${change.table} SET ${equals(set, ', ')} WHERE ${equals(where, ' AND ')}`,
        values: stored([...set, ...where], change.key),
        mustTouch: 1,
      };
    }
    case 'delete': {
      const where = Object.entries(change.where);
      return {
        text: `DELETE FROM ${change.table} WHERE ${equals(where, ' AND ')}`,
        values: stored(where, change.where),
      };
    }
    default:
      return change satisfies never;
  }
}

/** The query that finds the row with a key. */
export function keyQuery<T extends TableName>(table: T, key: Key<T>): Query<T> {
  const columns: readonly string[] = TABLES[table].key;
  return { where: columns.map((column) => [column, '=', key[column as keyof Key<T>]]) } as unknown as Query<T>;
}

/** SQL of a list query. */
export function selectSql<T extends TableName, V>(
  table: T,
  query: Query<T>,
  codec: Codec,
  dialect: SqlDialect<Bound | V>,
) {
  const { text, values, add } = whereSql(table, query.where ?? [], codec, dialect);
  const order = (query.order ?? []).map(([column, direction]) => `${String(column)} ${direction}`).join(', ');
  const limit = query.limit === undefined ? '' : ` ${dialect.limit(add(query.limit))}`;
  const columns = readColumns(table, query.bodies !== false, dialect);
  return { text: `SELECT ${columns} FROM ${table}${text}${order && ` ORDER BY ${order}`}${limit}`, values };
}

function readColumns(table: TableName, hasBody: boolean, dialect: Pick<SqlDialect<never>, 'readColumn'>): string {
  return Object.keys(TABLES[table].columns)
    .map((column) => (column === 'body' && !hasBody ? `'' AS body` : dialect.readColumn(column)))
    .join(', ');
}

/** SQL of a count; the result is the column `n`. */
export function countSql<T extends TableName, V>(
  table: T,
  where: readonly Condition<T>[],
  codec: Codec,
  dialect: SqlDialect<Bound | V>,
) {
  const { text, values } = whereSql(table, where, codec, dialect);
  return { text: `SELECT count(*) AS n FROM ${table}${text}`, values };
}

function whereSql<T extends TableName, V>(
  table: T,
  where: readonly Condition<T>[],
  codec: Codec,
  dialect: SqlDialect<Bound | V>,
) {
  const values: (Bound | V)[] = [];
  const add = (value: Bound | V) => dialect.placeholder(values.push(value));
  const parts = where.map(([name, operator, value]) => {
    const column = String(name);
    if (!isSearchable(table, column, operator))
      throw new EngineError('INTERNAL', `${table}.${column} cannot be queried with ${operator}`);
    const store = (one: Bound) => codec.store(table, column, one, {});
    if (operator !== 'in') return `${column} ${operator} ${add(store(value as Bound))}`;
    const list = value as readonly Bound[];
    return list.length === 0 ? '1 = 0' : dialect.inList(column, list.map(store), add);
  });
  return { text: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values, add };
}

/** Bodies cannot be searched. Names can be searched by equality only, because sealed names have no useful order. */
function isSearchable(table: TableName, column: string, operator: string): boolean {
  const type = (TABLES[table].columns as Readonly<Record<string, string>>)[column];
  if (type === 'json' || type === 'blob') return false;
  return type !== 'name' || operator === '=' || operator === '!=' || operator === 'in';
}

function equals(pairs: readonly (readonly [string, unknown])[], separator: string): string {
  return pairs.map(([column]) => `${column} = ?`).join(separator);
}
