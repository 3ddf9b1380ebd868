import type { Claims } from '../cluster/claims.ts';
import type { Change, Reader, Store } from '../store/store.ts';
import { withApply } from '../store/with-apply.ts';
import type { LiveBus } from '../trace/live-bus.ts';
import { EmbedMemories } from './embedding/embed-memories.ts';
import { Embeddings, type EmbeddingsOptions } from './embedding/embeddings.ts';
import {
  findMatches,
  type LookupReader,
  recall,
  type MemoriesFound,
  type MemoryLookup,
  type PersonQuery,
} from './recall.ts';
import { MemoryFolders } from './memory-folders.ts';
import type { MemorySearch } from './memory-search.ts';
import { HybridSearch } from './search/hybrid-search.ts';
import type { IndexCounts } from './search/index-jobs.ts';

/** Memories of one store, as tools, prompts and the API use them. */
export interface MemoryService {
  readonly search: MemorySearch;
  /** The store, for a lookup outside a step. */
  readonly reader: Reader;
  /** Reads changed files of directors' folders. Lookups do that themselves. Never rejects. */
  sync(): Promise<void>;
  /** Looks memories up through the store, or through the draft of a step. Abort rejects with the signal's reason. */
  recall(from: LookupReader, lookup: Omit<MemoryLookup, 'now'>): Promise<MemoriesFound>;
  /** Searches all memories for a person, without the cascade. Abort rejects with the signal's reason. */
  find(query: string, options: PersonQuery): Promise<MemoriesFound>;
  /** The store's keyed hash. */
  readonly lookupKey: (text: string) => string;
  /** Counts of the index, and the embedding model with the place where it runs, if there is one. */
  status(): Promise<IndexCounts & { readonly model?: string; readonly place?: string }>;
  /** Begins to index and to make vectors in the background. Without it, the first search indexes. */
  start(): void;
  /** Resolves when no memory is left that can be embedded now. */
  idle(): Promise<void>;
  /** To be called when the settings or an api may have changed. */
  configChanged(): void;
  close(): Promise<void>;
}

/** Options of `openMemory`. */
export interface MemoryOptions extends EmbeddingsOptions {
  readonly live: Pick<LiveBus, 'subscribe'>;
  /** File of the index; `''` for an index in memory, where nothing plain may be on the disk. */
  readonly indexFile: string;
  /** Relative paths of folders of memories start here. */
  readonly baseDir: string;
  /** Set where several processes share the store. */
  readonly claims?: Claims | undefined;
}

/** Opens the memories of a store. The search follows the live events of `notingMemories`. */
export function openMemory({ live, indexFile, claims, baseDir, ...options }: MemoryOptions): MemoryService {
  const { store, clock, log, models, config } = options;
  const folders = new MemoryFolders({ store, log, config, baseDir });
  const embeddings = new Embeddings(options);
  const search = new HybridSearch({ store, clock, log, file: indexFile, vectors: embeddings });
  const missing = (after: number, limit: number) => search.missingVectors(after, limit);
  const background = new EmbedMemories({ store, clock, log, embeddings, missing, claims });
  const stop = live.subscribe(({ name, data }) => {
    if (name === 'reset') search.changedAll();
    if (name !== 'memory') return;
    search.changed([...texts(data['ids']), ...texts(data['vectors'])]);
    if (data['ids'] !== undefined) background.wake();
  });
  let model = embeddings.current()?.name;
  return {
    search,
    reader: store,
    sync: () => folders.sync(),
    async recall(from, lookup) {
      await folders.sync();
      return recall(search, from, { ...lookup, now: clock.now() });
    },
    async find(query, options) {
      await folders.sync();
      return findMatches(search, store, { ...options, query, now: clock.now() });
    },
    lookupKey: (text) => store.lookupKey(text),
    async status() {
      const embedder = embeddings.current();
      const counts = await search.counts();
      return embedder === undefined ? counts : { ...counts, model: embedder.name, place: embedder.place };
    },
    start() {
      search.start();
      background.start();
    },
    idle: () => background.idle(),
    configChanged() {
      const before = model;
      model = embeddings.current()?.name;
      if (model !== before) search.changedAll();
      background.retry();
    },
    async close() {
      stop();
      await background.stop();
      await search.close();
      await embeddings.close();
      await models.close();
    },
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/**
 * A store that reports the ids of memories after each commit that changes some, or their vectors. A memory that is deleted
 * takes its vector along.
 */
export function notingMemories(
  store: Store,
  onChanged: (changed: { readonly ids: readonly string[] } | { readonly vectors: readonly string[] }) => void,
): Store {
  return withApply(store, async (changes) => {
    const deleted = changes.flatMap((change) =>
      change.op === 'delete' && change.table === 'memory' && change.where.id !== undefined ? [change.where.id] : [],
    );
    const orphans = deleted.map((memory): Change => ({ op: 'delete', table: 'memoryVector', where: { memory } }));
    await store.apply(orphans.length === 0 ? changes : [...changes, ...orphans]);
    const ids = changes.flatMap(memoriesOf);
    if (ids.length > 0) onChanged({ ids: [...new Set(ids)] });
    const vectors = changes.flatMap((change) =>
      change.op === 'put' && change.table === 'memoryVector' ? [change.row.memory] : [],
    );
    if (vectors.length > 0) onChanged({ vectors });
  });
}

function memoriesOf(change: Change): string[] {
  if (change.op === 'wake' || change.table !== 'memory') return [];
  switch (change.op) {
    case 'insert':
    case 'put':
      return [change.row.id];
    case 'update':
      return [change.key.id];
    default:
      return change.where.id === undefined ? [] : [change.where.id];
  }
}
