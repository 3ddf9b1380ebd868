import { query, type ScriptDialect, type RawRow, type Script } from './script.ts';
import { TABLES, type TableName } from '../tables.ts';

/**
 * Reads rows of a table as they are stored, in the order of their keys: those after the key `after`, at most `limit`.
 */
export function* readPage(
  dialect: ScriptDialect,
  table: TableName,
  after: readonly (string | number)[],
  limit?: number,
): Script<readonly RawRow[]> {
  const key = TABLES[table].key.join(', ');
  const where = after.length === 0 ? '' : ` WHERE (${key}) > (${after.map(() => '?').join(', ')})`;
  const columns = Object.keys(TABLES[table].columns).map(dialect.readColumn).join(', ');
  const text = `SELECT ${columns} FROM ${table}${where} ORDER BY ${key}`;
  return limit === undefined ? yield* query(text, ...after) : yield* query(`${text} LIMIT ?`, ...after, limit);
}

/** The key of a row as it is stored. */
export function keyOf(table: TableName, row: RawRow): (string | number)[] {
  return TABLES[table].key.map((column) => row[column] as string | number);
}
