import type { RunJob } from '../../cluster/queue/queue.ts';

/** A run that this process holds: from the job that brought it until it parks, ends, or moves to another process. */
export class HeldRun {
  readonly job: RunJob;
  /** Resolves when this process no longer holds the run. */
  readonly ended: Promise<void>;
  /** Resolves when taking the run over is done; with false where it failed. */
  readonly takenOver: Promise<boolean>;
  /** True where a recheck was requested while the run was being taken over. */
  isRecheckWanted = false;
  /**
   * Timers up to this time (epoch milliseconds) are due whatever the clock of this process says, since their job has
   * come.
   */
  dueAt: number;
  /** Whether this process has the lease, as of the last step made here. */
  hasLease = false;
  /** True where another process may have the run: nothing more may be done for it here. */
  isLost = false;
  /**
   * Due time of the next timer that this process waits for, in epoch milliseconds; Infinity where it waits for none.
   */
  armedFor = Infinity;
  disarm: () => void = () => {};
  #isTakingOver = true;
  #isEnded = false;
  readonly #resolveTakenOver: (isTaken: boolean) => void;
  readonly #resolveEnded: () => void;

  constructor(job: RunJob) {
    this.job = job;
    this.dueAt = job.dueAt;
    const taken = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<void>();
    this.takenOver = taken.promise;
    this.ended = ended.promise;
    this.#resolveTakenOver = taken.resolve;
    this.#resolveEnded = ended.resolve;
  }

  /** True while the run is being taken over: its machines may look parked until that is done. */
  get isTakingOver(): boolean {
    return this.#isTakingOver;
  }

  /** Ends the taking over; `isTaken` is false where it failed. */
  endTakingOver(isTaken: boolean): void {
    this.#isTakingOver = false;
    this.#resolveTakenOver(isTaken);
  }

  /** Whether this process no longer holds the run, also where this object is still in the map. */
  get isOver(): boolean {
    return this.isLost || this.#isEnded;
  }

  /** Whether this process may perform effects of the run now. */
  get mayAct(): boolean {
    return !this.isOver && this.job.isHeld();
  }

  /** Ends the holding: the run has parked, has ended, or is lost. */
  release(): void {
    this.#isEnded = true;
    this.disarm();
    this.#resolveEnded();
  }
}

/** The runs that this process holds, by id. */
export type HeldRuns = Map<string, HeldRun>;
