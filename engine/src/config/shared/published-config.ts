import type { DocumentState, Problem, RevisionSource, StoredDocument } from '../config.ts';

/** What all processes that share a store go by: the newest revision, and how the decider's files stand to it. */
export interface PublishedConfig {
  /** 1 for the first one of a store, then one more each time. */
  readonly number: number;
  readonly revision: string;
  /** Epoch milliseconds, by the decider's clock. */
  readonly at: number;
  /** Who decided, in words for people: `host7 (process 4711)`. */
  readonly by: string;
  /** Of the decider's Callsheet. */
  readonly version: string;
  /** What is checked out at the decider; undefined where that is no git checkout. */
  readonly gitCommit?: string | undefined;
  /** Documents whose file is not what runs; all others are live. */
  readonly states: readonly DocumentState[];
  /** Sorted by file, line and column. */
  readonly problems: readonly Problem[];
}

/**
 * Where several processes share the config: one of them decides what the newest revision is, all others take it from here.
 * Implemented in `store/`. Errors of the store pass.
 */
export interface PublishedConfigStore extends RevisionSource {
  /** The newest decision; undefined before the first. */
  newest(): Promise<PublishedConfig | undefined>;
  /** The number of the newest decision; 0 before the first. Costs less than `newest`. */
  number(): Promise<number>;
  /**
   * Makes a decision the newest one, with its documents kept and as the last good set, in one commit. `STORE_CONFLICT` where
   * the newest is not the one before it (any more), or where this process is no longer the one that decides.
   */
  publish(decision: PublishedConfig, documents: ReadonlyMap<string, StoredDocument>): Promise<void>;
  /** Tells all other processes, soon, that there is a decision. */
  announce(): void;
  /** `listener` is called when there may be a decision, also after a time in which nobody could be told; the returned function ends it. */
  onNews(listener: () => void): () => void;
}
