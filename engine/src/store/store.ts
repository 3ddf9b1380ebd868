import type { Key, Row } from './row.ts';
import type { TableName } from './tables.ts';
import type { DamagedRow } from './damaged-row.ts';

export type { Key, Row } from './row.ts';
export type { TableName } from './tables.ts';

/** One change. A list of changes is applied atomically. */
export type Change = RowChange | Wake;

/** A change of the rows of one table. */
export type RowChange = { [T in TableName]: ChangeOf<T> }[TableName];

/**
 * Queues a run to be continued, now or at a due time. The run is queued if and only if the list of changes is applied.
 * A store that one process uses alone ignores wakes, because its engine finds due runs in the tables.
 */
export interface Wake {
  readonly op: 'wake';
  readonly run: string;
  /** Epoch milliseconds; 0 is now. */
  readonly at: number;
  readonly priority: number;
}

/** A change of the rows of table `T`. */
export type ChangeOf<T extends TableName> =
  /** Adds a row; `STORE_CONFLICT` if its key or the value of a unique column exists already. */
  | { readonly op: 'insert'; readonly table: T; readonly row: Row<T> }
  /** Adds a row, or replaces the whole row with the same key. */
  | { readonly op: 'put'; readonly table: T; readonly row: Row<T> }
  /** Sets columns of one row; `STORE_CONFLICT` if no row has the key and all values of `expect`. */
  | {
      readonly op: 'update';
      readonly table: T;
      readonly key: Key<T>;
      readonly set: Partial<Row<T>>;
      readonly expect?: Partial<Row<T>>;
    }
  /** Deletes every row that equals `where`; no error if there is none. */
  | { readonly op: 'delete'; readonly table: T; readonly where: Partial<Row<T>> };

type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A condition on one column: column, operator, value. */
export type Condition<T extends TableName> = {
  [C in keyof Row<T>]: readonly [C, Operator, Row<T>[C]] | readonly [C, 'in', readonly Row<T>[C][]];
}[keyof Row<T>];

/** Which rows of a table to read; all `where` conditions must hold. */
export interface Query<T extends TableName> {
  readonly where?: readonly Condition<T>[];
  readonly order?: readonly (readonly [keyof Row<T>, 'asc' | 'desc'])[];
  readonly limit?: number;
  /** False: bodies are not read and are `''`, so that a body that cannot be decrypted does not hide its row. */
  readonly bodies?: false;
  /** Called for each row that is not as it was written; the row is then left out. Without it, such a row rejects. */
  readonly onDamaged?: (row: DamagedRow) => void;
}

/** Reads rows: from the store itself, or from a `Draft` over it. */
export interface Reader {
  get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined>;
  list<T extends TableName>(table: T, query?: Query<T>): Promise<Row<T>[]>;
}

/**
 * The port to the database. No transaction stays open across an await: callers load rows, compute a list of changes,
 * and pass it to `apply`. Errors by code: `STORE_CONFLICT` (another writer was faster, or a row exists already; load
 * again), `STORE_FAILED` (for example, the disk is full or the folder is read-only; nothing of the list was written),
 * `STORE_INVALID` (a value that its column cannot hold: no later try will do), `STORE_TAMPERED` (a row that was read is not as it
 * was written).
 */
export interface Store extends Reader {
  /** How bodies and names are stored on the disk. */
  readonly storage: 'encrypted' | 'plaintext';
  /** Applies the list atomically; resolves once it is on disk. Lists that arrive together may share a commit. */
  apply(changes: readonly Change[]): Promise<void>;
  count<T extends TableName>(table: T, where?: readonly Condition<T>[]): Promise<number>;
  /**
   * A keyed hash (32 hex digits) of mail content such as an address or a Message-ID, for columns that are searched by
   * equality. The content itself is never stored in a column.
   */
  lookupKey(text: string): string;
  /**
   * Gives the space of deleted rows back to the system, in steps of a few milliseconds. Absent where the database does
   * that itself. `STORE_FAILED`.
   */
  shrink?(): Promise<void>;
  /** Closes the store after every list added so far is written or has failed. */
  close(): Promise<void>;
}
