import type { Change, Query, Reader, Row } from '../store/store.ts';

/** Kinds of records that have a search index, each named as its table. */
export type SearchKind = 'mail' | 'run';

/** A record that a search looks at. */
export type SearchedRow = Row<SearchKind>;

/** What the search index has to know about the records of one kind. */
export interface Searched {
  readonly kind: SearchKind;
  /** Reads rows of records that the index has: none that is deleted, and none whose text still changes. */
  readonly list: (reader: Reader, query: Query<SearchKind>) => Promise<SearchedRow[]>;
  /** The texts that a search looks at. Throws where the row is damaged. */
  readonly textsOf: (row: SearchedRow) => readonly string[];
}

/**
 * The change by which searches look at a record, in the commit that stores it; with `isSettled`, since its text does not change any more,
 * the record gets a place in a block.
 */
export function addToIndex(kind: SearchKind, id: string, isSettled: boolean): Change {
  return { op: 'put', table: 'searchAdded', row: { kind, id, settled: isSettled ? 1 : 0 } };
}

/** The changes that let the index forget a record, in the commit that deletes it. */
export function removeFromIndex(kind: SearchKind, id: string): Change[] {
  return [
    { op: 'delete', table: 'searchAdded', where: { kind, id } },
    { op: 'put', table: 'searchDeleted', row: { kind, id } },
  ];
}
