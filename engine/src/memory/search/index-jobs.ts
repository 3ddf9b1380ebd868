import type { MemorySpace } from '../memory.ts';
import type { MemoryReach } from '../memory-reach.ts';

/** A memory as the index gets it. Survives structured cloning. */
export interface IndexedMemory {
  readonly id: string;
  /** Changes with every change, and where another memory comes back under the id. */
  readonly version: string;
  readonly space: MemorySpace;
  readonly text: string;
  readonly tags: readonly string[];
  readonly owner: string;
  readonly isLocal: boolean;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** Absent where there is none of the current model for this revision. */
  readonly vector?: Float32Array;
}

/** A stored memory: its id, its version, and whether it has a vector of the current model. */
export type StoredState = readonly [id: string, version: string, hasVector: boolean];

/** A question to the index. */
export interface IndexQuery {
  readonly text: string;
  /** Vector of the text; absent for a search by words alone. */
  readonly vector?: Float32Array;
  readonly reach: readonly MemoryReach[];
  readonly tags: readonly string[];
  readonly owner?: string;
  /** True where memories of runs with `locality: local` are left out. */
  readonly excludesLocal: boolean;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Jobs of the worker thread that has the index. */
export type IndexJob =
  /** Begins a comparison with the store. Vectors of another model are dropped. */
  | { readonly kind: 'begin'; readonly model: string }
  /** Compares memories of the store. Returns the ids of those that the index does not have as they are. */
  | { readonly kind: 'compare'; readonly stored: readonly StoredState[] }
  /** Ends a comparison: removes what the store did not have. */
  | { readonly kind: 'end' }
  | { readonly kind: 'put'; readonly memories: readonly IndexedMemory[]; readonly gone: readonly string[] }
  | { readonly kind: 'search'; readonly query: IndexQuery }
  /** The next memories without a vector, by slot. */
  | { readonly kind: 'missing'; readonly after: number; readonly limit: number }
  | { readonly kind: 'counts' }
  /** Writes the index to its file and closes it. */
  | { readonly kind: 'close' };

/** A job, and the file of the index; `''` for one in memory. */
export interface IndexRequest {
  readonly file: string;
  readonly job: IndexJob;
}

/** The result of a job, and the thread that did it: a new thread has an empty index, or an older one from the file. */
export interface IndexReply {
  readonly thread: number;
  readonly value: unknown;
}

/** The result of each kind of job. `put` and `end` return the number of memories that have a vector. */
export interface IndexResults {
  readonly begin: undefined;
  readonly compare: readonly string[];
  readonly end: number;
  readonly put: number;
  readonly search: IndexFound;
  readonly missing: MissingVectors;
  readonly counts: IndexCounts;
  readonly close: undefined;
}

/** Number of memories in the index, and of those with a vector. */
export interface IndexCounts {
  readonly memories: number;
  readonly vectors: number;
}

/** Memories without a vector; `last` is the slot of the last one. */
export interface MissingVectors {
  readonly ids: readonly string[];
  readonly last: number;
}

/** Result of a search in the index. */
export interface IndexFound {
  readonly hits: readonly { readonly id: string; readonly score: number }[];
  /** Whether vectors were compared. */
  readonly usedVectors: boolean;
}
