import { EngineError } from '../base/error.ts';
import { type Bound, type Codec } from './codec.ts';
import type { Condition, Query, RowChange, TableName } from './store.ts';
import { TABLES } from './tables.ts';

/** A statement's text and its values; equal shapes give equal text, so that drivers can keep prepared statements. */
export interface Sql {
  readonly text: string;
  readonly values: Bound[];
  /** For changes: how many rows must be touched, else it is a conflict. */
  readonly mustTouch?: 1;
}

const inserts = new Map<TableName, { columns: string[]; insert: string; put: string }>();

function insertTexts(table: TableName) {
  let texts = inserts.get(table);
  if (texts === undefined) {
    const columns = Object.keys(TABLES[table].columns);
    const key: readonly string[] = TABLES[table].key;
    const rest = columns.filter((column) => !key.includes(column));
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const put = `${insert} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${rest.map((c) => `${c} = excluded.${c}`).join(', ')}`;
    texts = { columns, insert, put };
    inserts.set(table, texts);
  }
  return texts;
}

/** SQL of one change, its values as the codec stores them. */
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

/** SQL of a list query. */
export function selectSql<T extends TableName>(table: T, query: Query<T>, codec: Codec): Sql {
  const { text, values } = whereSql(table, query.where ?? [], codec);
  const order = (query.order ?? []).map(([column, direction]) => `${String(column)} ${direction}`).join(', ');
  const limit = query.limit === undefined ? '' : ' LIMIT ?';
  return {
    text: `SELECT ${query.bodies === false ? facts(table) : '*'} FROM ${table}${text}${order && ` ORDER BY ${order}`}${limit}`,
    values: query.limit === undefined ? values : [...values, query.limit],
  };
}

/** All columns but the body. */
function facts(table: TableName): string {
  return Object.keys(TABLES[table].columns)
    .map((column) => (column === 'body' ? `'' AS body` : column))
    .join(', ');
}

/** SQL of a count. */
export function countSql<T extends TableName>(table: T, where: readonly Condition<T>[], codec: Codec): Sql {
  const { text, values } = whereSql(table, where, codec);
  return { text: `SELECT count(*) AS n FROM ${table}${text}`, values };
}

function whereSql<T extends TableName>(table: T, where: readonly Condition<T>[], codec: Codec): Sql {
  const parts: string[] = [];
  const values: Bound[] = [];
  for (const [column, operator, value] of where) {
    if (!canAsk(table, String(column), operator))
      throw new EngineError('INTERNAL', `${table}.${String(column)} cannot be asked with ${operator}`);
    const store = (one: Bound) => codec.store(table, String(column), one, {});
    if (operator === 'in') {
      const list = value as readonly Bound[];
      parts.push(list.length === 0 ? '1 = 0' : `${String(column)} IN (${list.map(() => '?').join(', ')})`);
      values.push(...list.map(store));
    } else {
      parts.push(`${String(column)} ${operator} ?`);
      values.push(store(value as Bound));
    }
  }
  return { text: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values };
}

/** Bodies cannot be asked for at all, and names only by equality: a sealed one keeps no order. */
function canAsk(table: TableName, column: string, operator: string): boolean {
  const type = (TABLES[table].columns as Readonly<Record<string, string>>)[column];
  if (type === 'json' || type === 'blob') return false;
  return type !== 'name' || operator === '=' || operator === '!=' || operator === 'in';
}

function equals(pairs: readonly (readonly [string, unknown])[], separator: string): string {
  return pairs.map(([column]) => `${column} = ?`).join(separator);
}
