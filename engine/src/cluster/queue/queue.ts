import type { SqlConnection } from '../../store/postgres/sql-database.ts';
import type { Wake } from '../../store/store.ts';

/** A job that this process works on: a run to be worked, until the handler resolves. */
export interface RunJob {
  readonly runId: string;
  /** Stays the same when the job goes to another worker after this one has fallen silent. */
  readonly jobId: string;
  /** True where an earlier worker had this job and did not finish it. */
  readonly isRetry: boolean;
  /** Requested time, by the clock of the requesting process; 0 for at once. The queue has waited for it. */
  readonly dueAt: number;
  /** Aborts when this process has lost the job. */
  readonly signal: AbortSignal;
  /** False once the last confirmation is so old that another worker may have the job: nothing may be done then. */
  isHeld(): boolean;
  /**
   * Sets the function that is called each time that the job is confirmed again after `isHeld` was false. What was not begun meanwhile can
   * begin then.
   */
  onHeldAgain(fn: () => void): void;
}

/** State of the queue; times in milliseconds. */
export interface QueueStats {
  /** Due jobs that no worker has. */
  readonly ready: number;
  /** How long the oldest due job has been due. */
  readonly oldestMs: number;
  /** Jobs for a later time. */
  readonly deferred: number;
  /** Jobs that workers of all processes have now. */
  readonly active: number;
}

/**
 * Runs that wait for a worker, where several processes share a store. A job contains only a run id. Two jobs for one
 * run are allowed: the revision of the run's lease excludes double work, never the queue.
 */
export interface Queue {
  /** Adds jobs inside the caller's transaction. */
  enqueue(connection: SqlConnection, wakes: readonly Wake[]): Promise<void>;
  /**
   * Takes jobs, at most `concurrency()` at a time (read again on changes), highest priority first. A job ends when
   * `handle` resolves. When it rejects, the job returns to some worker a few seconds later.
   */
  work(handle: (job: RunJob) => Promise<void>, concurrency: () => number): Promise<void>;
  stats(): Promise<QueueStats>;
  /** Takes no more jobs; resolves when all handlers have settled. */
  stop(): Promise<void>;
}
