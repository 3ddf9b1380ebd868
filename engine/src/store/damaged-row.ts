import { EngineError, errorBody } from '../base/error.ts';
import { TABLES, type TableName } from './tables.ts';

/** A row that cannot be read, by table and key. */
export interface DamagedRow {
  readonly table: string;
  readonly key: string;
  readonly reason: string;
}

/**
 * `STORE_DAMAGED`: a row exists but cannot be parsed. The engine leaves it unchanged, because a repair could lose data.
 */
export function damagedRow(what: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError('STORE_DAMAGED', `${what} cannot be read, its row is damaged: ${reason}`, {
    hint: 'cancel or delete it, or put back a copy of the data folder',
    cause,
  });
}

/** Whether an error says that a row cannot be read, now or later. */
export function isDamage(error: unknown): error is EngineError {
  return error instanceof EngineError && (error.code === 'STORE_DAMAGED' || error.code === 'STORE_TAMPERED');
}

/** Parses the body of a row. `STORE_DAMAGED` names the row. */
export function bodyOf<T>(table: TableName, row: { readonly body: string }): T {
  try {
    return JSON.parse(row.body) as T;
  } catch (cause) {
    throw damagedRow(`${table} ${keyText(table, row)}`, cause);
  }
}

/** Describes a row that cannot be read. */
export function describeDamage(table: TableName, row: object, error: unknown): DamagedRow {
  return { table, key: keyText(table, row), reason: errorBody(error).message };
}

function keyText(table: TableName, row: object): string {
  return TABLES[table].key.map((column) => String(row[column as keyof typeof row])).join(' ');
}
