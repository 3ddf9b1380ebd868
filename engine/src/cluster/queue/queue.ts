import type { SqlConnection } from '../../store/postgres/sql-database.ts';
import type { Wake } from '../../store/store.ts';

/** A job in hand: somebody is to look at a run, and has the job until the look ends. */
export interface RunJob {
  readonly runId: string;
  /** Stays the same when the job goes to another worker, after this one has shown no sign of life. */
  readonly jobId: string;
  /** True where an earlier worker had this very job and did not end it. */
  readonly isRetry: boolean;
  /** The time that the wake asked for, by the clock of whoever asked; 0 where that was at once. For the queue it has come. */
  readonly dueAt: number;
  /** Aborted once the job is known to be no longer ours. */
  readonly signal: AbortSignal;
  /** False as soon as our last sign of life is so long ago that another worker may have the job: nothing may be done then. */
  isHeld(): boolean;
}

/** How much waits; times in milliseconds. */
export interface QueueStats {
  /** Jobs that are due and that no worker has. */
  readonly ready: number;
  /** How long the oldest of them has been due. */
  readonly oldestMs: number;
  /** Jobs for a later time. */
  readonly deferred: number;
  /** Jobs in hand, of all workers. */
  readonly active: number;
}

/**
 * Where runs wait to be looked at when several processes share a store. A job says only "look at run X"; two jobs for one
 * run are no fault, since exclusion rests on the revision of the run's lease, never on the queue.
 */
export interface Queue {
  /** Asks for looks within the caller's transaction. */
  enqueue(connection: SqlConnection, wakes: readonly Wake[]): Promise<void>;
  /**
   * Takes jobs, at most `concurrency` at a time (asked anew when it may have changed), highest priority first. The job lasts
   * until `look` resolves, which ends it; where it rejects, the job comes back to some worker a few seconds later.
   */
  work(handle: (job: RunJob) => Promise<void>, concurrency: () => number): Promise<void>;
  stats(): Promise<QueueStats>;
  /** Takes no more jobs; resolves when the looks in hand have ended. */
  stop(): Promise<void>;
}
