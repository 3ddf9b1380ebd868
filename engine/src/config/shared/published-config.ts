import type { DocumentState, Problem, RevisionSource, StoredDocument } from '../config.ts';

/** The published config of all processes that share a store: the newest revision and the state of the leader's files. */
export interface PublishedConfig {
  /** Number of this published config, from 1. */
  readonly number: number;
  readonly revision: string;
  /** Epoch milliseconds by the leader's clock. */
  readonly at: number;
  /** The leader, for people: `host7 (process 4711)`. */
  readonly by: string;
  /** Version of the leader's Callsheet. */
  readonly version: string;
  /** Commit of the leader's config folder; undefined if it is not in a git checkout. */
  readonly gitCommit?: string | undefined;
  /** Documents whose file differs from the running version; all others are live. */
  readonly states: readonly DocumentState[];
  /** Sorted by file, line and column. */
  readonly problems: readonly Problem[];
}

/**
 * Stores the config that several processes share: the leader publishes the newest revision, the other processes read it.
 * Errors of the store are passed on.
 */
export interface PublishedConfigStore extends RevisionSource {
  /** The newest published config; undefined before the first. */
  newest(): Promise<PublishedConfig | undefined>;
  /** Number of the newest published config; 0 before the first. Cheaper than `newest`. */
  number(): Promise<number>;
  /**
   * Publishes a config and stores its documents as the last good set, in one commit. Rejects with `STORE_CONFLICT` if
   * another config was published in between or if this process is no longer the leader.
   */
  publish(decision: PublishedConfig, documents: ReadonlyMap<string, StoredDocument>): Promise<void>;
  /** Notifies all other processes of a new published config. */
  announce(): void;
  /**
   * Calls `listener` when there may be a new published config, also after notifications may have been lost. The returned
   * function removes the listener.
   */
  onNews(listener: () => void): () => void;
}
