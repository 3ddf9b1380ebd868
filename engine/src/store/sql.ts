import type { Change, Condition, Query, TableName } from './store.ts';
import { TABLES } from './tables.ts';

/** A value as a driver binds it. */
export type Bound = string | number | Uint8Array;

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

/** SQL of one change. */
export function changeSql(change: Change): Sql {
  switch (change.op) {
    case 'insert':
    case 'put': {
      const texts = insertTexts(change.table);
      const row = change.row as Readonly<Record<string, Bound>>;
      return { text: texts[change.op], values: texts.columns.map((column) => row[column]!) };
    }
    case 'update': {
      const set = Object.entries(change.set);
      const where = [...Object.entries(change.key), ...Object.entries(change.expect ?? {})];
      return {
        text: `UPDATE ${change.table} SET ${equals(set, ', ')} WHERE ${equals(where, ' AND ')}`,
        values: [...set, ...where].map(([, value]) => value as Bound),
        mustTouch: 1,
      };
    }
    case 'delete': {
      const where = Object.entries(change.where);
      return {
        text: `DELETE FROM ${change.table} WHERE ${equals(where, ' AND ')}`,
        values: where.map(([, value]) => value as Bound),
      };
    }
    default:
      return change satisfies never;
  }
}

/** SQL of a list query. */
export function selectSql<T extends TableName>(table: T, query: Query<T>): Sql {
  const { text, values } = whereSql(query.where ?? []);
  const order = (query.order ?? []).map(([column, direction]) => `${String(column)} ${direction}`).join(', ');
  const limit = query.limit === undefined ? '' : ' LIMIT ?';
  return {
    text: `SELECT * FROM ${table}${text}${order && ` ORDER BY ${order}`}${limit}`,
    values: query.limit === undefined ? values : [...values, query.limit],
  };
}

/** SQL of a count. */
export function countSql<T extends TableName>(table: T, where: readonly Condition<T>[]): Sql {
  const { text, values } = whereSql(where);
  return { text: `SELECT count(*) AS n FROM ${table}${text}`, values };
}

function whereSql<T extends TableName>(where: readonly Condition<T>[]): Sql {
  const parts: string[] = [];
  const values: Bound[] = [];
  for (const [column, operator, value] of where) {
    if (operator === 'in') {
      const list = value as readonly Bound[];
      parts.push(list.length === 0 ? '1 = 0' : `${String(column)} IN (${list.map(() => '?').join(', ')})`);
      values.push(...list);
    } else {
      parts.push(`${String(column)} ${operator} ?`);
      values.push(value as Bound);
    }
  }
  return { text: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values };
}

function equals(pairs: readonly (readonly [string, unknown])[], separator: string): string {
  return pairs.map(([column]) => `${column} = ?`).join(separator);
}
