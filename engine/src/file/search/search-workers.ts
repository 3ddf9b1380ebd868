import type { Abortable } from '../../base/abort.ts';
import { createPool } from '../../base/worker-pool.ts';
import type { SearchJob, SearchResult } from './search-job.ts';

/** Time after which a search is stopped that does not end by itself, such as one on a lost network folder. */
const STUCK_MS = 15_000;

/** Searches folders in worker threads, so that 100,000 files do not hold the event loop. */
export interface SearchWorkers {
  /** See `searchFiles`. `FILE_TOO_COSTLY` for a search that gets stuck; rejects with the signal's reason on abort. */
  search(job: SearchJob, options?: Abortable): Promise<SearchResult>;
  /** Stops the threads; running searches reject. */
  close(): Promise<void>;
}

/** Creates the workers. A thread starts with the first search and ends when idle. */
export function createSearchWorkers(workers = 2): SearchWorkers {
  const pool = createPool<SearchJob, SearchResult>({
    entry: new URL('./search-worker.ts', import.meta.url),
    ...{ size: workers, timeoutMs: STUCK_MS, maxHeapMb: 256, maxBufferMb: 256, tooCostly: 'FILE_TOO_COSTLY' },
  });
  return {
    search: (job, options = {}) => pool.run(job, { ...options, timeoutMs: job.timeoutMs + STUCK_MS }),
    close: () => pool.close(),
  };
}
