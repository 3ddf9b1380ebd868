/**
 * Key and columns of the tables of the search index over mails; see `tables.ts`. Every mail that was not deleted is in `searchAdded` or in
 * a block that is `ready`.
 */
export const SEARCH_TABLES = {
  /** Mails that are in no block yet. */
  searchAdded: { key: ['mail'], columns: { mail: 'text' } },
  /** Deleted mails that may be in a block with the bits of their words. */
  searchDeleted: { key: ['mail'], columns: { mail: 'text' } },
  /**
   * Blocks: `size` mails each, of which `firstMail` is the smallest id and `lastMail` the largest. `state` is `building`, `ready` or
   * `dropped`; searches read only those that are `ready`.
   */
  searchBlock: {
    key: ['id'],
    columns: { id: 'int', state: 'text', size: 'int', firstMail: 'text', lastMail: 'text' },
  },
  /** The bits of a block and the ids of its mails, in pieces. */
  searchChunk: { key: ['block', 'chunk'], columns: { block: 'int', chunk: 'int', body: 'blob' } },
} as const;
