import type { Budget, ResourceUse } from './budget.ts';
import type { RateLimits } from './rate-window.ts';
import type { Change } from '../store/store.ts';
import type { Reservation } from './reservations.ts';

/** A model request that needs admission. */
export interface AdmissionRequest extends Reservation {
  /** Rate limits of the request, by name: `api main`, `agent reply`. */
  readonly rates: readonly { readonly name: string; readonly limits: RateLimits }[];
  /** Budget of all runs together for one UTC day; undefined where there is none. */
  readonly day: Budget | undefined;
  /** True where a process that has ended may have sent the same request; that one counts too. */
  readonly isRepeat: boolean;
}

/** The request must wait for a limit. */
export interface LimitReached {
  readonly kind: 'later';
  readonly waitMs: number;
  /** The limit, in words. */
  readonly limit: string;
}

/** The request may be sent once the step with these changes is on disk. */
export interface Admitted {
  readonly kind: 'granted';
  readonly changes: readonly Change[];
}

/**
 * Limits over all runs: requests and tokens by api and by agent, and the day budget. `LocalMeters` serve a process that
 * has the store for itself, `SharedMeters` several processes. An admitted request is reserved until `settle`, `release`
 * or `undo`; a machine has one request at a time.
 *
 * A request counts from its admission, before its step is on disk, until `send` moves it to the time when it goes out: a
 * request that waits in between does not leave its minute. Its tokens count by estimate until the answer tells their
 * number.
 */
export interface Meters {
  /** Reads the state of earlier processes. */
  load(now: number): Promise<void>;
  /**
   * Admits a request and reserves its estimate, or returns the wait. Throws `STORE_FAILED` where the state cannot be
   * read.
   */
  reserve(wanted: AdmissionRequest, now: number): Promise<Admitted | LimitReached>;
  /**
   * Moves an admitted request to the time at which it reaches the server. Returns 0 where it may go out now, else the
   * milliseconds until the caller asks again: others took the room while it waited. Never rejects.
   */
  send(machineId: string, now: number): Promise<number>;
  /** Cancels the reservation of a step that could not be committed: its request is not sent. */
  undo(machineId: string): void;
  /** Records the use of an answered or failed request. A repeated step calls this once only. */
  settle(machineId: string, used: ResourceUse): void;
  /** Records a cancelled request: the day budget gets its reservation back; for rate limits it counts as sent. */
  release(machineId: string): void;
  /** Requests of a run under way in this process. It may include one that another process has taken over. */
  underWay(root: string): readonly Reservation[];
  /** Drops the requests of a run that this process no longer works. Their reservations expire. */
  forget(root: string): void;
  /**
   * The rows to write with a step that has reserved, settled or released something. Pass them to the store at once, so
   * that the later of two steps writes last.
   */
  rows(root: string): readonly Change[];
  /** Resolves when settled use is written, or cannot be. */
  stop(): Promise<void>;
}

/** Longest way of a request to the server, a new connection included, in milliseconds: it counts from the end of it. */
export const WIRE_MS = 1000;

/** The longest wait; undefined where there is none. */
export function longest(waits: readonly LimitReached[]): LimitReached | undefined {
  return waits.reduce<LimitReached | undefined>(
    (most, one) => (one.waitMs > (most?.waitMs ?? 0) ? one : most),
    undefined,
  );
}
