import type { Abortable } from '../base/abort.ts';
import type { MemoryReach } from './memory-reach.ts';

/** What a search may find. */
export interface MemorySearchOptions extends Abortable {
  /** Spaces that the caller can read. */
  readonly scopes: readonly MemoryReach[];
  readonly limit: number;
  /** Only memories with all of these tags. */
  readonly tags?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  /** True where no request may go to another machine: the embeddings of an api are then left out. */
  readonly isOffline?: boolean | undefined;
  /** What an embedding model of another machine gets in place of the query. Default: the query. */
  readonly embedAs?: string | undefined;
  /** True where memories that runs with `locality: local` wrote are left out. */
  readonly excludesLocal?: boolean | undefined;
}

/** A memory that was found. A higher score is a better match; scores of two searches do not compare. */
export interface MemoryHit {
  readonly id: string;
  readonly score: number;
}

/** The result of a search, the best match first, and how it was made. */
export interface MemoryFound {
  readonly hits: readonly MemoryHit[];
  readonly by: 'words' | 'words+vectors';
  /** The embedding model; only with vectors. */
  readonly model?: string;
}

/**
 * Finds memories by meaning or by words. It returns no memory that is forgotten, expired or out of reach, and none that has
 * nothing to do with the query. It knows committed memories only.
 */
export interface MemorySearch {
  /** Abort rejects with the signal's reason. */
  search(query: string, options: MemorySearchOptions): Promise<MemoryFound>;
  /** Memories with these ids were added, changed or deleted, by this process or another one. */
  changed(ids: readonly string[]): void;
  /** Some memories have changed, and it is not known which. */
  changedAll(): void;
  close(): Promise<void>;
}
