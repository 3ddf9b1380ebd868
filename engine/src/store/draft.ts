import { EngineError } from '../base/error.ts';
import type { Change, Condition, Key, Query, Reader, Row, TableName } from './store.ts';
import { TABLES } from './tables.ts';

/**
 * Collects changes before they are applied. Reads through the draft include the collected changes, so that a tool call
 * sees what an earlier call of the same answer wrote. The store does not change until `changes` is passed to
 * `Store.apply`.
 */
export class Draft implements Reader {
  readonly changes: Change[] = [];
  readonly #base: Reader;
  /** Newest state of each row that this draft has changed; null if it was deleted. */
  readonly #touched = new Map<TableName, Map<string, Row<TableName> | null>>();

  constructor(base: Reader) {
    this.#base = base;
  }

  /**
   * Adds changes. To update a row that this draft has not written, `add` first reads it from the store.
   * `STORE_CONFLICT` if the row is missing or does not match `expect`.
   */
  async add(...changes: Change[]): Promise<void> {
    for (const change of changes) {
      await this.#stage(change);
      this.changes.push(change);
    }
  }

  /** Adds changes without reading the store; later reads through this draft do not include them. */
  append(...changes: Change[]): void {
    this.changes.push(...changes);
  }

  async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
    const staged = this.#touched.get(table)?.get(keyOf(table, key));
    if (staged !== undefined) return (staged as Row<T> | null) ?? undefined;
    return this.#base.get(table, key);
  }

  async list<T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> {
    const staged = this.#touched.get(table);
    if (staged === undefined) return this.#base.list(table, query);
    // A staged delete may remove rows from the result, so read as many more rows as there are staged ones.
    const wider = query.limit === undefined ? query : { ...query, limit: query.limit + staged.size };
    const stored = await this.#base.list(table, wider);
    const rows = stored.filter((row) => !staged.has(keyOf(table, row)));
    for (const row of staged.values()) {
      if (row !== null && (query.where ?? []).every((condition) => matches(row as Row<T>, condition)))
        rows.push(row as Row<T>);
    }
    rows.sort((a, b) => compare(a, b, query.order ?? []));
    return query.limit === undefined ? rows : rows.slice(0, query.limit);
  }

  async #stage(change: Change): Promise<void> {
    switch (change.op) {
      case 'insert':
      case 'put':
        return this.#set(change.table, change.row, change.row);
      case 'update': {
        const row = await this.get(change.table, change.key as Key<TableName>);
        const expected = Object.entries(change.expect ?? {});
        if (row === undefined || expected.some(([column, value]) => row[column as keyof typeof row] !== value))
          throw new EngineError(
            'STORE_CONFLICT',
            `${change.table} ${keyOf(change.table, change.key)} is not as expected`,
          );
        return this.#set(change.table, change.key, { ...row, ...change.set } as Row<TableName>);
      }
      case 'delete': {
        const where = Object.entries(change.where).map(([column, value]) => [column, '=', value]);
        const rows = await this.list(change.table, { where } as unknown as Query<TableName>);
        for (const row of rows) this.#set(change.table, row, null);
        return;
      }
      case 'wake':
        return;
      default:
        change satisfies never;
    }
  }

  #set(table: TableName, key: object, row: Row<TableName> | null): void {
    let rows = this.#touched.get(table);
    if (rows === undefined) this.#touched.set(table, (rows = new Map()));
    rows.set(keyOf(table, key), row);
  }
}

function keyOf(table: TableName, row: object): string {
  return TABLES[table].key.map((column) => String(row[column as keyof typeof row])).join('\0');
}

function matches<T extends TableName>(row: Row<T>, [column, operator, value]: Condition<T>): boolean {
  const actual = row[column];
  switch (operator) {
    case '=':
      return actual === value;
    case '!=':
      return actual !== value;
    case '<':
      return actual < value;
    case '<=':
      return actual <= value;
    case '>':
      return actual > value;
    case '>=':
      return actual >= value;
    case 'in':
      return (value as readonly unknown[]).includes(actual);
    default:
      return operator satisfies never;
  }
}

function compare<T extends TableName>(a: Row<T>, b: Row<T>, order: NonNullable<Query<T>['order']>): number {
  for (const [column, direction] of order) {
    if (a[column] === b[column]) continue;
    return a[column] < b[column] === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}
