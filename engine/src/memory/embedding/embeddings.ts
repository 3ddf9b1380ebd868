import type { Abortable } from '../../base/abort.ts';
import { type Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Meters } from '../../budget/meters.ts';
import type { Director, Snapshot } from '../../config/config.ts';
import type { EmbeddingModels } from '../../model/embedding.ts';
import type { Store } from '../../store/store.ts';
import type { Memory } from '../memory.ts';
import { createApiEmbedder } from './api-embedder.ts';
import { chooseEmbeddings } from './choice.ts';
import type { Embedder } from './embedder.ts';
import { EmbeddingSpend } from './embedding-spend.ts';
import { createLocalEmbedder } from './local-embedder.ts';
import { type CurrentModel, storedModel } from './vector-rows.ts';

/** The longest that a search waits for the vector of its query. */
const QUERY_MS = 3000;
/** Vectors of recent queries: a lookup in three scopes makes three searches. */
const MAX_QUERIES = 50;

/** Options of `Embeddings`. */
export interface EmbeddingsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: () => Snapshot;
  readonly models: EmbeddingModels;
  readonly meters: () => Meters;
  /** Id of this process. */
  readonly worker: string;
  /** Opens the local model; undefined where it is not installed. Default: `createLocalEmbedder`. */
  readonly openLocal?: () => Embedder | undefined;
}

/** Options of `embedQuery`. */
interface QueryOptions extends Abortable {
  readonly isOffline?: boolean | undefined;
  /** What a model of another machine gets in place of the query. */
  readonly embedAs?: string | undefined;
}

/** The embedding model that the settings name, or else the local one. It follows changes of the settings. */
export class Embeddings {
  readonly #options: EmbeddingsOptions;
  readonly #spend: EmbeddingSpend;
  readonly #queries = new Map<string, Float32Array>();
  readonly #local: () => Embedder | undefined;
  #chosen: { readonly key: string; readonly embedder: Embedder | undefined } | undefined;
  #isFailing = false;

  constructor(options: EmbeddingsOptions) {
    const { openLocal = createLocalEmbedder } = options;
    let local: { readonly embedder: Embedder | undefined } | undefined;
    this.#options = options;
    this.#spend = new EmbeddingSpend(options.worker);
    this.#local = () => (local ??= { embedder: openLocal() }).embedder;
  }

  /** The embedder of the current settings; undefined where memories are found by words alone. */
  current(): Embedder | undefined {
    const { embeddings } = this.#options.config().settings.memory;
    const { apis } = this.#options.config();
    const api = embeddings.apiConfigId === undefined ? undefined : apis.get(embeddings.apiConfigId);
    const key = JSON.stringify([embeddings, api]);
    if (this.#chosen?.key !== key) this.#chosen = { key, embedder: this.#choose() };
    return this.#chosen.embedder;
  }

  /** The model of stored vectors, if it is the current one; undefined until the first vector of the current model. */
  async model(): Promise<CurrentModel | undefined> {
    const embedder = this.current();
    if (embedder === undefined) return undefined;
    const stored = await storedModel(this.#options.store);
    return stored?.name === embedder.name ? stored : undefined;
  }

  /** The vector of a query; undefined where the model does not suit or answer within three seconds, or must not see it. */
  async embedQuery(
    query: string,
    { isOffline = false, embedAs, signal }: QueryOptions,
  ): Promise<Float32Array | undefined> {
    const embedder = this.current();
    if (embedder === undefined || (isOffline && embedder.isRemote)) return undefined;
    const text = embedder.isRemote ? (embedAs ?? query) : query;
    if ((await embedder.suits?.(text)) === false) return undefined;
    const key = `${embedder.name}\0${text}`;
    const known = this.#queries.get(key);
    if (known !== undefined) return known;
    try {
      const limit = AbortSignal.timeout(QUERY_MS);
      const within = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const { vectors } = await embedder.embed([text], { signal: within });
      this.#isFailing = false;
      return this.#note(key, vectors[0]);
    } catch (error) {
      signal?.throwIfAborted();
      const { log } = this.#options;
      if (!this.#isFailing) log.warn('memories are searched by words alone for now', { ...errorBody(error) });
      this.#isFailing = true;
      return undefined;
    }
  }

  /** Whether the text of a memory may be sent to the current embedder. */
  mayEmbed(memory: Memory): boolean {
    if (this.current()?.isRemote !== true) return true;
    if (memory.isLocal === true || (memory.mentions === undefined && this.#isPrivate(memory))) return false;
    const { directors } = this.#options.config();
    const local = [...directors.values()].filter(({ locality }) => locality === 'local');
    return !belongsTo(memory, local);
  }

  /** Whether a memory belongs to a director with `privacy` or one of its agents, or to an agent with `privacy` or a director that may ask it. */
  #isPrivate(memory: Memory): boolean {
    const { directors, agents } = this.#options.config();
    const hiding = [...agents.values()].filter(({ privacy }) => privacy !== undefined).map(({ id }) => id);
    const asking = [...directors.values()].filter(
      (one) => one.privacy !== undefined || one.agents.some((id) => hiding.includes(id)),
    );
    return belongsTo(memory, [...asking, ...hiding.map((id) => ({ id, agents: [] }))]);
  }

  async close(): Promise<void> {
    await this.#chosen?.embedder?.close();
    await this.#local()?.close();
  }

  #choose(): Embedder | undefined {
    const { config, models, store, clock, meters } = this.#options;
    const choice = chooseEmbeddings(config(), () => this.#local() !== undefined);
    if (choice.kind === 'words') return undefined;
    if (choice.kind === 'local') return this.#local();
    const { api, model: modelName } = choice;
    const model = models.open(api, modelName);
    if (model === undefined) return undefined;
    const dayBudget = () => {
      const { maxTokensPerDay: maxTokens, maxCostPerDay: maxCost } = config().settings.budget;
      return maxTokens === undefined && maxCost === undefined ? undefined : { maxTokens, maxCost };
    };
    const spend = this.#spend;
    return createApiEmbedder({ api, modelName, model, store, clock, meters, dayBudget, spend });
  }

  #note(key: string, vector: Float32Array | undefined): Float32Array | undefined {
    if (vector === undefined) return undefined;
    if (this.#queries.size >= MAX_QUERIES) this.#queries.delete(this.#queries.keys().next().value ?? '');
    this.#queries.set(key, vector);
    return vector;
  }
}

/** Whether one of these directors or of their agents may read a memory or has written it. */
function belongsTo(memory: Memory, directors: readonly Pick<Director, 'id' | 'agents'>[]): boolean {
  const ids = new Set(directors.flatMap(({ id, agents }) => [id, ...agents]));
  const { directorId, agentId, folder = '', provenance } = memory;
  return [directorId, agentId, folder, ...provenance.map(({ actorId = '' }) => actorId)].some((id) => ids.has(id));
}
