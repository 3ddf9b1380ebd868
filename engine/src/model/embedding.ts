import type { Abortable } from '../base/abort.ts';
import type { Api } from '../config/config.ts';
import type { Usage } from './model.ts';

/** Vectors of texts, in their order. */
export interface EmbeddingAnswer {
  /** All have the same number of components. */
  readonly vectors: readonly Float32Array[];
  readonly usage?: Usage;
}

/**
 * An embedding model of one api. `embed` sends exactly one request; the caller decides on retries. It rejects with a
 * `ModelError`, as `Model.ask` does. Abort stops the request and rejects with the signal's reason.
 */
export interface EmbeddingModel {
  embed(texts: readonly string[], options: Abortable): Promise<EmbeddingAnswer>;
}

/** Opens embedding models. */
export interface EmbeddingModels {
  /** Undefined where the provider of the api has no embeddings. Sends nothing. */
  open(api: Api, model: string): EmbeddingModel | undefined;
  close(): Promise<void>;
}
