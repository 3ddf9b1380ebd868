import type { Change, Store } from '../store/store.ts';

/** Of the blocks of all kinds; the name is from when there were only mails. */
const COUNTER = 'mail-search';

/**
 * Commits of the one process that builds blocks. Each raises the counter `mail-search` from the value that this process wrote last, so that
 * a process which was frozen while another took over fails with `STORE_CONFLICT` instead of writing between its commits.
 */
export class IndexCommits {
  readonly #store: Store;
  #count: number;

  private constructor(store: Store, count: number) {
    this.#store = store;
    this.#count = count;
  }

  /** Takes over from the process that wrote last. */
  static async open(store: Store): Promise<IndexCommits> {
    // Without its body, which says nothing and must not keep the index from being updated.
    const [row] = await store.list('counter', { where: [['name', '=', COUNTER]], bodies: false });
    if (row === undefined)
      await store.apply([{ op: 'insert', table: 'counter', row: { name: COUNTER, rev: 0, body: '{}' } }]);
    const commits = new IndexCommits(store, row?.rev ?? 0);
    await commits.apply([]);
    return commits;
  }

  /** A number that no block had or will have, for a block whose first commit is the next one. */
  get nextBlock(): number {
    return this.#count + 1;
  }

  /** Applies the changes, unless another process took over: `STORE_CONFLICT`. */
  async apply(changes: readonly Change[]): Promise<void> {
    const rev = this.#count + 1;
    const count: Change = {
      ...{ op: 'update', table: 'counter', key: { name: COUNTER } },
      ...{ set: { rev }, expect: { rev: this.#count } },
    };
    await this.#store.apply([...changes, count]);
    this.#count = rev;
  }
}
