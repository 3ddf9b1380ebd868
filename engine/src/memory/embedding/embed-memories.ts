import { setImmediate } from 'node:timers/promises';
import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Claims } from '../../cluster/claims.ts';
import type { EmbeddingAnswer } from '../../model/embedding.ts';
import { ModelError } from '../../model/model-error.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Change, Store } from '../../store/store.ts';
import type { Memory } from '../memory.ts';
import { memoryOf } from '../memory-rows.ts';
import { embeddedText } from './embedded-text.ts';
import type { Embedder } from './embedder.ts';
import type { Embeddings } from './embeddings.ts';
import { modelChange, storedModel, vectorChange } from './vector-rows.ts';

const CLAIM = 'embeddings';
/** Pause after a failed request: doubled up to the longest. */
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Options of `EmbedMemories`. */
export interface EmbedMemoriesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly embeddings: Pick<Embeddings, 'current' | 'mayEmbed'>;
  /** Ids of the next memories without a vector of the current model, and the place of the last one. */
  readonly missing: (
    after: number,
    limit: number,
  ) => Promise<{ readonly ids: readonly string[]; readonly last: number }>;
  /** With claims, one of the processes that share the store does the work for all. */
  readonly claims?: Claims | undefined;
}

/**
 * Makes the missing vectors of memories in the background, in small batches: of new and changed memories, and of all after
 * a change of the model. Each batch is committed, so that a restart goes on where the last process stopped.
 */
export class EmbedMemories {
  readonly #options: EmbedMemoriesOptions;
  #release: (() => Promise<void>) | undefined;
  #stopping: AbortController | undefined;
  #pause: AbortController | undefined;
  #isAwake = false;
  #work: Promise<void> | undefined;

  constructor(options: EmbedMemoriesOptions) {
    this.#options = options;
  }

  /** Starts the work, as soon as no other process does it. */
  start(): void {
    const { claims } = this.#options;
    const begin = () => {
      this.#stopping = new AbortController();
      this.wake();
    };
    const end = () => this.#stopping?.abort();
    if (claims === undefined) begin();
    else this.#release ??= claims.acquire(CLAIM, { onTaken: begin, onLost: end });
  }

  /** To be called when memories or the model have changed. */
  wake(): void {
    const signal = this.#stopping?.signal;
    if (signal === undefined || signal.aborted) return;
    this.#isAwake = true;
    this.#work ??= this.#run(signal).finally(() => {
      this.#work = undefined;
      if (this.#isAwake) this.wake();
    });
  }

  /** To be called when the settings have changed: a pause after an error ends. */
  retry(): void {
    this.#pause?.abort();
    this.wake();
  }

  /** Stops; the request under way is aborted. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#work;
    await this.#release?.();
  }

  /** Resolves when no memory is left that can be embedded now. */
  async idle(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    for (let failures = 0; !signal.aborted && this.#isAwake;)
      try {
        this.#isAwake = false;
        await this.#embedAll(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        if (failures++ === 0) log.warn('memories could not be embedded', { ...errorBody(error) });
        this.#isAwake = true;
        this.#pause = new AbortController();
        const either = AbortSignal.any([signal, this.#pause.signal]);
        await sleep(pauseOf(error, failures), { signal: either, clock }).catch(() => {});
      }
    this.#isAwake = this.#isAwake && !signal.aborted;
  }

  async #embedAll(signal: AbortSignal): Promise<void> {
    const { embeddings, log, missing } = this.#options;
    let count = 0;
    for (let after = 0; ;) {
      const embedder = embeddings.current();
      if (embedder === undefined) break;
      const { ids, last } = await missing(after, embedder.batch);
      if (ids.length === 0) break;
      count += await this.#embed(embedder, await this.#read(ids), signal);
      signal.throwIfAborted();
      after = last;
      await setImmediate();
    }
    if (count > 0) log.debug('memories embedded', { memories: count });
  }

  async #read(ids: readonly string[]): Promise<Memory[]> {
    const { store, embeddings } = this.#options;
    const rows = await readableRows(store, () => {}).list('memory', {
      where: [
        ['id', 'in', ids],
        ['deleted', '=', 0],
      ],
    });
    return rows.map(memoryOf).filter((memory) => embeddings.mayEmbed(memory));
  }

  /** Returns the number of stored vectors. A text that the model refuses is left out; it is found by words. */
  async #embed(embedder: Embedder, memories: readonly Memory[], signal: AbortSignal): Promise<number> {
    if (memories.length === 0) return 0;
    try {
      const texts = memories.map((memory) => (embedder.isRemote ? embeddedText(memory) : memory.text));
      return await this.#save(embedder, memories, await embedder.embed(texts, { signal }));
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== 'MODEL_BAD_REQUEST') throw error;
      if (memories.length > 1) {
        let count = 0;
        for (const memory of memories) count += await this.#embed(embedder, [memory], signal);
        return count;
      }
      this.#options.log.debug('a memory was refused by the embedding model', { id: memories[0]?.id ?? '' });
      return 0;
    }
  }

  async #save(embedder: Embedder, memories: readonly Memory[], { vectors }: EmbeddingAnswer): Promise<number> {
    const { store, embeddings } = this.#options;
    // The settings have changed meanwhile.
    if (embeddings.current()?.name !== embedder.name) return 0;
    const model = { name: embedder.name, dimension: vectors[0]?.length ?? 0 };
    const stored = await storedModel(store);
    const isNew = stored?.name !== model.name || stored.dimension !== model.dimension;
    const changes = memories.flatMap(({ id, revision }, i) => {
      const vector = vectors[i];
      return vector === undefined ? [] : [vectorChange(id, revision, model, vector)];
    });
    await store.apply([...(isNew ? [modelChange(model)] : []), ...changes]);
    await this.#dropOrphans(memories);
    // Vectors of memories before these may be of the model before.
    if (isNew) this.#isAwake = true;
    return changes.length;
  }

  /** Deletes the vectors of memories that were deleted while the model had their texts: nothing else would delete them. */
  async #dropOrphans(memories: readonly Memory[]): Promise<void> {
    const { store } = this.#options;
    const ids = memories.map(({ id }) => id);
    const rows = await store.list('memory', { where: [['id', 'in', ids]], bodies: false });
    const left = new Set(rows.map(({ id }) => id));
    const gone = ids.filter((id) => !left.has(id));
    if (gone.length === 0) return;
    await store.apply(gone.map((memory): Change => ({ op: 'delete', table: 'memoryVector', where: { memory } })));
  }
}

function pauseOf(error: unknown, failures: number): number {
  const backoff = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1));
  if (!(error instanceof ModelError)) return backoff;
  if (!error.retryable) return LONGEST_PAUSE_MS;
  return Math.max(backoff, Math.min(error.retryAfterMs ?? 0, LONGEST_PAUSE_MS));
}
