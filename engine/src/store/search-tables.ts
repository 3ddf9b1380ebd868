/**
 * Key and columns of the tables of the search index; see `tables.ts`. `kind`: `mail` or `run`. Every run, and every mail
 * that was not deleted, is in `searchAdded` or in a block that is `ready`.
 */
export const SEARCH_TABLES = {
  /** Records that are in no block yet. `settled` is 1 if their text does not change any more. */
  searchAdded: { key: ['kind', 'id'], columns: { kind: 'text', id: 'text', settled: 'int' } },
  /** Deleted records that may be in a block with the bits of their words. */
  searchDeleted: { key: ['kind', 'id'], columns: { kind: 'text', id: 'text' } },
  /**
   * Blocks: `size` records each, of which `firstId` is the smallest id and `lastId` the largest. `state` is `building`, `ready` or
   * `dropped`; searches read only those that are `ready`.
   */
  searchBlock: {
    key: ['id'],
    columns: { id: 'int', kind: 'text', state: 'text', size: 'int', firstId: 'text', lastId: 'text' },
  },
  /** The bits of a block and the ids of its records, in pieces. */
  searchChunk: { key: ['block', 'chunk'], columns: { block: 'int', chunk: 'int', body: 'blob' } },
} as const;
