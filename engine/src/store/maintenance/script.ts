import type { Bound, Codec } from '../codec.ts';

/** A row as the driver returns it, before the codec. */
export type RawRow = Readonly<Record<string, unknown>>;

type Request =
  /** Runs one statement with `?` for each value; the answer is its rows. */
  | { readonly op: 'query'; readonly text: string; readonly values: readonly Bound[] }
  /**
   * Runs a script in one transaction: all of it or nothing. Transactions of other processes run before or after it,
   * never at the same time. The answer is the return value of the script.
   */
  | { readonly op: 'transaction'; readonly work: () => Script<unknown> }
  /** Inside a transaction: fails if another process uses the store, and keeps others out until the transaction ends. */
  | { readonly op: 'requireExclusive' };

/**
 * Work on a database, as a generator that yields requests and receives the answers. A script runs unchanged on the
 * synchronous SQLite driver and on the asynchronous PostgreSQL driver. Errors of the database are thrown at the
 * `yield*`.
 */
export type Script<T> = Generator<Request, T, unknown>;

/** Differences between the databases that scripts run on. */
export interface ScriptDialect {
  /** Name of the database in messages for people. */
  readonly name: string;
  /** Codec of values in plain text. */
  readonly plainCodec: Codec;
  /** Wraps a codec so that the database accepts its values. */
  readonly wrapCodec: (codec: Codec) => Codec;
  /** The expression that selects a column so that the result has the column's exact name. */
  readonly readColumn: (column: string) => string;
  /** A statement that returns a row if a table with the given name exists. */
  readonly hasTable: string;
  /**
   * Statements that stop waiting for the disk at each commit, and that start it again. Run around work that can be
   * resumed.
   */
  readonly relaxDurability: readonly string[];
  readonly restoreDurability: readonly string[];
  /** Statements that remove overwritten and deleted plain text from the files of the database. */
  readonly purgePlain: readonly string[];
  /** Statements that remove overwritten and deleted rows that an old key had sealed from the files of the database. */
  readonly purgeSealed: readonly string[];
}

/** Runs one statement, with `?` for each value, and returns its rows. */
export function* query(text: string, ...values: readonly Bound[]): Script<readonly RawRow[]> {
  return (yield { op: 'query', text, values }) as readonly RawRow[];
}

/** Runs statements without values, one after the other. */
export function* queryAll(texts: readonly string[]): Script<void> {
  for (const text of texts) yield* query(text);
}

/** Runs a script in one transaction and returns its result; an error of the script rolls back. */
export function* transaction<T>(work: () => Script<T>): Script<T> {
  return (yield { op: 'transaction', work }) as T;
}

/** Encodes a value as JSON in plain text, for a `body` column. */
export function storeJson({ plainCodec }: ScriptDialect, value: unknown): Bound {
  return plainCodec.store('meta', 'body', JSON.stringify(value), {});
}

/** Decodes a `body` that `storeJson` encoded. */
export function parseJson({ plainCodec }: ScriptDialect, body: unknown): unknown {
  return JSON.parse(plainCodec.load('meta', { name: '', body: body as string }).body) as unknown;
}

/**
 * Inside a transaction: makes sure that no other process uses the store until the transaction ends. `DATA_LOCKED` if
 * another process uses it.
 */
export function* requireExclusive(): Script<void> {
  yield { op: 'requireExclusive' };
}
