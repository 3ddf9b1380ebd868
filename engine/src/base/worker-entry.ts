import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** Start data of a worker thread. */
export interface WorkerStart {
  /** URL of the module that answers the jobs. */
  readonly entry: string;
  /** Folder of the process's compile cache; absent where there is none. */
  readonly compiled?: string;
}

// The first module of every worker thread of a pool. It sets the compile cache before it loads the entry: a thread does
// not inherit the cache of its process, and without it spends half of its start on compiling. In the main thread this
// module does nothing.
const start = workerData as WorkerStart | null;
if (start !== null) {
  if (start.compiled !== undefined) enableCompileCache(start.compiled);
  await import(start.entry);
}
