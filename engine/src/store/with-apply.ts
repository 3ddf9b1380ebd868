import type { Change, Store } from './store.ts';

/** A store that writes with `apply` and does everything else as `store`. */
export function withApply(store: Store, apply: (changes: readonly Change[]) => Promise<void>): Store {
  return {
    storage: store.storage,
    get: (table, key) => store.get(table, key),
    list: (table, query) => store.list(table, query),
    count: (table, where) => store.count(table, where),
    lookupKey: (text) => store.lookupKey(text),
    ...(store.shrink && { shrink: () => store.shrink?.() ?? Promise.resolve() }),
    close: () => store.close(),
    apply,
  };
}
