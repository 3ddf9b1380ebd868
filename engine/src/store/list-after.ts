import type { Condition, Reader, Row, TableName } from './store.ts';

/** Position in a list that is ordered by a time and an id. */
export interface TimeCursor {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly id: string;
}

/** Which rows of a list that is ordered by a time and an id. */
export interface RowsAfter<T extends TableName> {
  readonly where?: readonly Condition<T>[] | undefined;
  /** Default: all. */
  readonly limit?: number | undefined;
  /** The last row of the page before. */
  readonly after?: TimeCursor | undefined;
}

/** Which rows `listAfter` reads, and how they are ordered. */
export interface AfterQuery<T extends TableName> extends RowsAfter<T> {
  /** The column with the time, and its order. */
  readonly by: readonly [column: keyof Row<T>, order: 'asc' | 'desc'];
  /** The order of ids within a millisecond. */
  readonly ids: 'asc' | 'desc';
}

/**
 * Lists rows by a time and an id, after a cursor. By two reads, since a condition is on one column: the rest of the same millisecond, then
 * what follows.
 */
export async function listAfter<T extends TableName>(
  reader: Reader,
  table: T,
  { where = [], by: [column, order], ids, limit, after }: AfterQuery<T>,
): Promise<Row<T>[]> {
  const id = 'id' as keyof Row<T>;
  const read = (more: readonly (readonly [keyof Row<T>, '=' | '<' | '>', string | number])[], most = limit) =>
    reader.list(table, {
      where: [...where, ...(more as readonly Condition<T>[])],
      order: [
        [column, order],
        [id, ids],
      ],
      ...(most !== undefined && { limit: most }),
    });
  if (after === undefined) return read([]);
  const same = await read([
    [column, '=', after.at],
    [id, ids === 'asc' ? '>' : '<', after.id],
  ]);
  if (limit !== undefined && same.length >= limit) return same;
  return [...same, ...(await read([[column, order === 'asc' ? '>' : '<', after.at]], limit && limit - same.length))];
}
