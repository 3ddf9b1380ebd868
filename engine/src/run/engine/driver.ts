import type { StepListener } from './step-runner.ts';

/**
 * Brings runs to work. `LocalDriver` finds work in the tables of a store that one process has to itself; `SharedDriver`
 * gets jobs from the queue of a store that several processes share.
 */
export interface Driver extends StepListener {
  /**
   * Resumes unfinished runs and starts to take new ones. Resolves with the number of machines that were resumed at
   * once.
   */
  start(): Promise<number>;
  /** To be called after new runs were stored. */
  queued(): void;
  /** Begins the effects that were left out while others could take this process for dead. To be called when they cannot any more. */
  lookAgain(): void;
  /** Runs that work now. */
  readonly working: number;
  /** Takes no more work. */
  stop(): void;
  /** After `stop`, when no effect runs any more: releases the runs that this process holds. */
  close(): Promise<void>;
}
