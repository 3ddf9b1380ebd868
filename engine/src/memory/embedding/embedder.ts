import type { Abortable } from '../../base/abort.ts';
import type { EmbeddingAnswer } from '../../model/embedding.ts';

/** Makes vectors of texts. */
export interface Embedder {
  /** Name of the model. Vectors of different names are never compared. */
  readonly name: string;
  /** Where it runs, for people: `api main`, `in this process`. */
  readonly place: string;
  /** True where texts leave the machines of the user: texts of directors with `locality: local` do not reach it. */
  readonly isRemote: boolean;
  /** Texts of one request. */
  readonly batch: number;
  /** Whether the model may know the language of a text. Absent where it knows all languages. */
  suits?(text: string): Promise<boolean>;
  /**
   * Vectors of texts, in their order. Sends at most one request. Rejects with a `MODEL_*` error, `MODEL_RATE_LIMIT` with
   * `retryAfterMs` where a limit must be waited for, or with the signal's reason on abort.
   */
  embed(texts: readonly string[], options: Abortable): Promise<EmbeddingAnswer>;
  close(): Promise<void>;
}
