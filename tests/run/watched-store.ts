import type { Change, Store } from '../../engine/src/store/store.ts';

/** A store that says what is asked of it, and refuses what a test wants refused. */
export interface WatchedStore extends Store {
  /** Tables that were read, one entry a call. */
  readonly reads: string[];
  /** Lists that were applied, refused ones as well. */
  readonly lists: (readonly Change[])[];
  /** Error to throw in place of applying a list. */
  refuse: (changes: readonly Change[]) => Error | undefined;
}

export function watchStore(store: Store): WatchedStore {
  const reads: string[] = [];
  const lists: (readonly Change[])[] = [];
  const watched: WatchedStore = {
    reads,
    lists,
    refuse: () => undefined,
    storage: store.storage,
    get: (table, key) => (reads.push(table), store.get(table, key)),
    list: (table, query) => (reads.push(table), store.list(table, query)),
    count: (table, where) => (reads.push(table), store.count(table, where)),
    async apply(changes) {
      lists.push(changes);
      const error = watched.refuse(changes);
      if (error !== undefined) throw error;
      await store.apply(changes);
    },
    lookupKey: (text) => store.lookupKey(text),
    close: () => store.close(),
  };
  return watched;
}

/** Whether a list touches a table. */
export function touches(changes: readonly Change[], table: string): boolean {
  return changes.some((change) => change.op !== 'wake' && change.table === table);
}
