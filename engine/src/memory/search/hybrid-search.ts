import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import type { CurrentModel } from '../embedding/vector-rows.ts';
import type { MemoryFound, MemorySearch, MemorySearchOptions } from '../memory-search.ts';
import { IndexFeed } from './index-feed.ts';
import type { IndexCounts, IndexFound, IndexQuery, MissingVectors } from './index-jobs.ts';
import { IndexThread } from './index-thread.ts';

/** Where a search gets vectors from. */
export interface QueryVectors {
  /** The model whose vectors are searched; undefined for none. */
  model(): Promise<CurrentModel | undefined>;
  /**
   * The vector of a query. Undefined where there is no model, where it does not answer in time, and where the text of
   * this caller must not reach the model. Abort rejects with the signal's reason.
   */
  embedQuery(
    query: string,
    options: Pick<MemorySearchOptions, 'isOffline' | 'embedAs' | 'signal'>,
  ): Promise<Float32Array | undefined>;
}

/** Options of `HybridSearch`. */
export interface HybridSearchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** File of the index; `''` for an index in memory. */
  readonly file: string;
  readonly vectors: QueryVectors;
}

/** Searches memories by words and, where there are vectors, by meaning. The index is in a worker thread. */
export class HybridSearch implements MemorySearch {
  readonly #options: HybridSearchOptions;
  readonly #thread: IndexThread;
  readonly #feed: IndexFeed;

  constructor(options: HybridSearchOptions) {
    const { file, vectors } = options;
    this.#options = options;
    this.#thread = new IndexThread({ file, onReplaced: () => this.#feed.changedAll() });
    this.#feed = new IndexFeed({ ...options, thread: this.#thread, model: () => vectors.model() });
  }

  /** Begins to index. Without it, the first search does. */
  start(): void {
    this.#feed.start();
  }

  async search(query: string, options: MemorySearchOptions): Promise<MemoryFound> {
    const { scopes, limit, tags = [], owner, isOffline, embedAs, excludesLocal = false, signal } = options;
    const { vectors, clock } = this.#options;
    signal?.throwIfAborted();
    await orAbort(this.#feed.caughtUp(), signal);
    const vector = this.#feed.hasVectors ? await vectors.embedQuery(query, { isOffline, embedAs, signal }) : undefined;
    const found = await this.#find(
      {
        ...{ text: query, reach: scopes, tags, limit, excludesLocal, now: clock.now() },
        ...(owner !== undefined && { owner }),
        ...(vector !== undefined && { vector }),
      },
      { signal },
    );
    const model = found.usedVectors ? await vectors.model() : undefined;
    return model === undefined
      ? { hits: found.hits, by: 'words' }
      : { hits: found.hits, by: 'words+vectors', model: model.name };
  }

  /** Where a new thread has taken over meanwhile, its index may have been empty: asks again. */
  async #find(query: IndexQuery, options: Abortable): Promise<IndexFound> {
    const { replacements } = this.#thread;
    const found = await this.#thread.run({ kind: 'search', query }, options);
    if (replacements === this.#thread.replacements) return found;
    await orAbort(this.#feed.caughtUp(), options.signal);
    return this.#thread.run({ kind: 'search', query }, options);
  }

  changed(ids: readonly string[]): void {
    this.#feed.changed(ids);
  }

  changedAll(): void {
    this.#feed.changedAll();
  }

  /** Memories without a vector of the current model, in steps: those after slot `after`. */
  async missingVectors(after: number, limit: number): Promise<MissingVectors> {
    await this.#feed.caughtUp();
    return this.#thread.run({ kind: 'missing', after, limit });
  }

  /** Number of memories that are indexed, and of those with a vector. */
  async counts(): Promise<IndexCounts> {
    await this.#feed.caughtUp();
    return this.#thread.run({ kind: 'counts' });
  }

  async close(): Promise<void> {
    await this.#feed.close();
    await this.#thread.close();
  }
}
