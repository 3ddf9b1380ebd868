import type { TABLES, TableName } from './tables.ts';

interface ValueOf {
  text: string;
  name: string;
  int: number;
  json: string;
  blob: Uint8Array;
}

/** A row of a table. Columns are never null; a missing text is `''`. */
export type Row<T extends TableName> = {
  readonly [C in keyof (typeof TABLES)[T]['columns']]: (typeof TABLES)[T]['columns'][C] extends keyof ValueOf
    ? ValueOf[(typeof TABLES)[T]['columns'][C]]
    : never;
};

/** The key columns of a row. */
export type Key<T extends TableName> = Pick<Row<T>, (typeof TABLES)[T]['key'][number] & keyof Row<T>>;
