import type { Budget, ResourceUse } from './budget.ts';
import type { RateLimits } from './rate-window.ts';
import type { Change } from '../store/store.ts';
import type { Reservation } from './reservations.ts';

/** A model request that is to be let through. */
export interface AdmissionRequest extends Reservation {
  /** What limits requests of this kind, by name: `api main`, `agent reply`. */
  readonly rates: readonly { readonly name: string; readonly limits: RateLimits }[];
  /** What all runs together may use on one UTC day; undefined where nothing limits it. */
  readonly day: Budget | undefined;
  /** True where the very same request may have been made already, by a process that ended: that one counts as well. */
  readonly isRepeat: boolean;
}

/** A request waits for a limit, which opens again. */
export interface LimitReached {
  readonly kind: 'later';
  readonly waitMs: number;
  /** Which limit, in words. */
  readonly limit: string;
}

/** A request may be made, once the step with these changes is on disk. */
export interface Admitted {
  readonly kind: 'granted';
  readonly changes: readonly Change[];
}

/**
 * What counts over all runs: requests and tokens by api and by agent, and what a day costs. There are two: one for a
 * process that has the store to itself, one for several that share it. What is let through is reserved until `settle`,
 * `release` or `undo`; a machine has one request at a time.
 *
 * A request counts as of the moment at which it is let through, which is before its step is on disk; tokens count by
 * estimate until the answer says how many there were.
 */
export interface Meters {
  /** Reads what earlier processes left. */
  load(now: number): Promise<void>;
  /** Lets a request through and reserves what it may take, or says when to ask again. `STORE_FAILED` where that cannot be known. */
  reserve(wanted: AdmissionRequest, now: number): Promise<Admitted | LimitReached>;
  /** Takes back what a step has reserved that could not be committed: the request is not made. */
  undo(machineId: string): void;
  /** The machine's request was answered, or has failed: what it used. Once is enough where its step is made again. */
  settle(machineId: string, used: ResourceUse): void;
  /** The machine's request was dropped. What the day kept free for it is free again; to an api it counts as made. */
  release(machineId: string): void;
  /** Requests of a run under way in this process. One that another process has taken over may still be among them. */
  underWay(root: string): readonly Reservation[];
  /** Forgets the requests of a run that this process no longer works. What they have reserved runs out by itself. */
  forget(root: string): void;
  /**
   * Rows that a step of a run writes which has reserved, settled or released something, as they are at this moment: to be
   * handed to the store at once, so that of two steps the later one has the last word.
   */
  rows(root: string): readonly Change[];
  /** Resolves when what was settled is written, or cannot be. */
  stop(): Promise<void>;
}

/** The longest of several waits; undefined where there is none. */
export function longest(waits: readonly LimitReached[]): LimitReached | undefined {
  return waits.reduce<LimitReached | undefined>(
    (most, one) => (one.waitMs > (most?.waitMs ?? 0) ? one : most),
    undefined,
  );
}
