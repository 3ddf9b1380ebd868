import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** What a worker thread is started with. */
export interface WorkerStart {
  /** URL of the module that serves the jobs. */
  readonly entry: string;
  /** Folder where the process keeps compiled code; absent where it keeps none. */
  readonly compiled?: string;
}

// The first module of every worker of a pool. It has to say where compiled code lies before the entry is loaded: a worker does
// not take that over from its process, and would spend half of its start on compiling.
// Anywhere else it does nothing.
const start = workerData as WorkerStart | null;
if (start !== null) {
  if (start.compiled !== undefined) enableCompileCache(start.compiled);
  await import(start.entry);
}
