import type { StepListener } from './step-runner.ts';

/**
 * What brings runs to work, and what may act for them. There are two: one process that has the store to itself finds
 * everything in the tables; several processes that share a store are told by a queue.
 */
export interface Driver extends StepListener {
  /** Takes up what is unfinished and begins to hand out work. Returns how many machines were taken up at once. */
  start(): Promise<number>;
  /** New runs are in the store. */
  queued(): void;
  /** Runs that work now. */
  readonly working: number;
  /** Takes nothing more up. */
  stop(): void;
  /** After `stop`, once nothing is under way any more: lets others have what this process held. */
  close(): Promise<void>;
}
