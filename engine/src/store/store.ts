import type { Key, Row, TableName } from './tables.ts';

export type { Key, Row, TableName } from './tables.ts';

/** One change. A list of them is applied as a whole or not at all. */
export type Change = RowChange | Wake;

/** A change of rows. */
export type RowChange = { [T in TableName]: ChangeOf<T> }[TableName];

/**
 * Asks for a look at a run, now or at a due time, as part of a list: it is asked if and only if the list is applied. Where
 * one process has the store to itself nothing need be kept, since its engine finds everything in the tables.
 */
export interface Wake {
  readonly op: 'wake';
  readonly run: string;
  /** Epoch milliseconds; 0 is now. */
  readonly at: number;
  readonly priority: number;
}

export type ChangeOf<T extends TableName> =
  /** A new row; `STORE_CONFLICT` where the key or a unique column is taken. */
  | { readonly op: 'insert'; readonly table: T; readonly row: Row<T> }
  /** A new row, or the whole row in place of the one with its key. */
  | { readonly op: 'put'; readonly table: T; readonly row: Row<T> }
  /** Columns of one row; `STORE_CONFLICT` where no row has the key and all of `expect`. */
  | {
      readonly op: 'update';
      readonly table: T;
      readonly key: Key<T>;
      readonly set: Partial<Row<T>>;
      readonly expect?: Partial<Row<T>>;
    }
  /** Every row that equals `where`; none is fine. */
  | { readonly op: 'delete'; readonly table: T; readonly where: Partial<Row<T>> };

type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Condition<T extends TableName> = {
  [C in keyof Row<T>]: readonly [C, Operator, Row<T>[C]] | readonly [C, 'in', readonly Row<T>[C][]];
}[keyof Row<T>];

export interface Query<T extends TableName> {
  readonly where?: readonly Condition<T>[];
  readonly order?: readonly (readonly [keyof Row<T>, 'asc' | 'desc'])[];
  readonly limit?: number;
  /** False: every body is left where it is and comes as `''`, so that one that cannot be opened does not hide its row. */
  readonly bodies?: false;
}

/** What repositories read from: the store itself, or a `Draft` over it. */
export interface Reader {
  get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined>;
  list<T extends TableName>(table: T, query?: Query<T>): Promise<Row<T>[]>;
}

/**
 * The port to the database. There is no open transaction across an await: callers load, compute a list of changes, and
 * hand it to `apply`. Errors by code: `STORE_CONFLICT` (somebody was faster, or a row exists; load again),
 * `STORE_FAILED` (the disk is full, the folder is read-only; nothing of the list was written), `STORE_TAMPERED` (a row that is
 * read is not as it was written).
 */
export interface Store extends Reader {
  /** How bodies and names lie on the disk. */
  readonly storage: 'encrypted' | 'plaintext';
  /** Applies the list atomically; resolved once it is on disk. Lists that come together may share a commit. */
  apply(changes: readonly Change[]): Promise<void>;
  count<T extends TableName>(table: T, where?: readonly Condition<T>[]): Promise<number>;
  /**
   * A keyed hash (hex, 32 digits) of mail content such as an address or a Message-ID, for columns that are looked up by
   * equality: the content itself is never a column.
   */
  lookupKey(text: string): string;
  close(): Promise<void>;
}
