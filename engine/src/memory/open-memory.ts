import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { withApply } from '../store/with-apply.ts';
import type { LiveBus } from '../trace/live-bus.ts';
import { type LookupReader, recall, type MemoriesFound, type MemoryLookup } from './recall.ts';
import type { MemorySearch } from './memory-search.ts';
import { createPlainSearch } from './plain-search.ts';

/** Memories of one store, as tools, prompts and the API use them. */
export interface MemoryService {
  readonly search: MemorySearch;
  /** Looks memories up through the store, or through the draft of a step. Abort rejects with the signal's reason. */
  recall(from: LookupReader, lookup: Omit<MemoryLookup, 'now'>): Promise<MemoriesFound>;
  /** The store's keyed hash. */
  lookupKey(text: string): string;
  close(): Promise<void>;
}

/** Options of `openMemory`. */
export interface MemoryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: Pick<LiveBus, 'subscribe'>;
}

/** Opens the memories of a store. The search follows the live events of `notingMemories`. */
export function openMemory({ store, clock, live }: MemoryOptions): MemoryService {
  const search = createPlainSearch({ store, clock });
  const stop = live.subscribe(({ name, data }) => {
    if (name === 'reset') search.changedAll();
    if (name === 'memory' && Array.isArray(data['ids']))
      search.changed(data['ids'].filter((id) => typeof id === 'string'));
  });
  return {
    search,
    recall: (from, lookup) => recall(search, from, { ...lookup, now: clock.now() }),
    lookupKey: (text) => store.lookupKey(text),
    async close() {
      stop();
      await search.close();
    },
  };
}

/** A store that reports the ids of memories after each commit that changes some. */
export function notingMemories(store: Store, onChanged: (ids: readonly string[]) => void): Store {
  return withApply(store, async (changes) => {
    await store.apply(changes);
    const ids = changes.flatMap((change) => {
      if (!('table' in change) || change.table !== 'memory') return [];
      switch (change.op) {
        case 'insert':
        case 'put':
          return [change.row.id];
        case 'update':
          return [change.key.id];
        default:
          return change.where.id === undefined ? [] : [change.where.id];
      }
    });
    if (ids.length > 0) onChanged([...new Set(ids)]);
  });
}
