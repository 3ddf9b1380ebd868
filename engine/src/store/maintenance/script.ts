import type { Bound, Codec } from '../codec.ts';

/** A row as a database gives it. */
export type RawRow = Readonly<Record<string, unknown>>;

type Request =
  /** One statement, with `?` for each value. It is answered by its rows. */
  | { readonly op: 'query'; readonly text: string; readonly values: readonly Bound[] }
  /** All of a script or nothing of it, one after the other with those of other processes. It is answered by what that returns. */
  | { readonly op: 'transaction'; readonly work: () => Script<unknown> }
  /** Within a transaction: goes on only where no other process works on the store, nor begins to before its end. */
  | { readonly op: 'requireExclusive' };

/**
 * Work on a database, written once for drivers that answer at once and for those that make one wait: it yields what it asks
 * for and is resumed with the answer. `STORE_FAILED` and the like are thrown at the `yield*`.
 */
export type Script<T> = Generator<Request, T, unknown>;

/** What differs between the databases that a script runs on. */
export interface ScriptDialect {
  /** What people call it. */
  readonly name: string;
  /** How values lie there in plain text. */
  readonly plainCodec: Codec;
  /** A codec as the database takes its values. */
  readonly wrapCodec: (codec: Codec) => Codec;
  /** A column as it is read, so that it comes back under its name. */
  readonly readColumn: (column: string) => string;
  /** Asks for a row if there is a table of the name. */
  readonly hasTable: string;
  /** Before many rows are changed, of which each batch may be lost whole, and after. */
  readonly relaxDurability: readonly string[];
  readonly restoreDurability: readonly string[];
  /** Leaves nothing, of what was overwritten while the store was in plain text, in the files of the database. */
  readonly purgePlain: readonly string[];
  /** The same for what was sealed under a key that is given up. */
  readonly purgeSealed: readonly string[];
}

export function* query(text: string, ...values: readonly Bound[]): Script<readonly RawRow[]> {
  return (yield { op: 'query', text, values }) as readonly RawRow[];
}

export function* queryAll(texts: readonly string[]): Script<void> {
  for (const text of texts) yield* query(text);
}

export function* transaction<T>(work: () => Script<T>): Script<T> {
  return (yield { op: 'transaction', work }) as T;
}

/** A value as JSON in plain text, as the database keeps it in a body. */
export function storeJson({ plainCodec }: ScriptDialect, value: unknown): Bound {
  return plainCodec.store('meta', 'body', JSON.stringify(value), {});
}

/** The value of a body that `storeJson` made. */
export function parseJson({ plainCodec }: ScriptDialect, body: unknown): unknown {
  return JSON.parse(plainCodec.load('meta', { name: '', body: body as string }).body) as unknown;
}

/** `DATA_LOCKED` where another process works on the store. */
export function* requireExclusive(): Script<void> {
  yield { op: 'requireExclusive' };
}
