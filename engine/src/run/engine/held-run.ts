import type { RunJob } from '../../cluster/queue/queue.ts';

/** A run that this process has in hand, from the look that brought it until it parks, ends, or goes to somebody else. */
export class HeldRun {
  readonly job: RunJob;
  /** Resolves when the run is no longer in hand. */
  readonly ended: Promise<void>;
  /** Resolves when it has been taken up, with false where that failed. */
  readonly taken: Promise<boolean>;
  /** Somebody has asked for another look meanwhile. */
  isAsked = false;
  /** Timers of until then are due, whatever our clock says: their look has come. */
  dueAt: number;
  /** Whether the lease is ours, as of the last step that was made here. */
  hasLease = false;
  /** Somebody else may have it: nothing of it may be done any more. */
  isLost = false;
  /** When the next timer of the run is due, as far as this process has armed itself for it. */
  armedFor = Infinity;
  disarm: () => void = () => {};
  #isTaking = true;
  #isEnded = false;
  readonly #endTaking: (isTaken: boolean) => void;
  readonly #end: () => void;

  constructor(job: RunJob) {
    this.job = job;
    this.dueAt = job.dueAt;
    const taken = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<void>();
    this.taken = taken.promise;
    this.ended = ended.promise;
    this.#endTaking = taken.resolve;
    this.#end = ended.resolve;
  }

  /** Still being taken up: it may look parked in between. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** It has been taken up, or that has failed. */
  settle(isTaken: boolean): void {
    this.#isTaking = false;
    this.#endTaking(isTaken);
  }

  /** The run is no longer in hand, although this may still be found. */
  get isOver(): boolean {
    return this.isLost || this.#isEnded;
  }

  /** Whether effects of the run may be performed now. */
  get mayAct(): boolean {
    return !this.isOver && this.job.isHeld();
  }

  /** The run has parked or ended. */
  release(): void {
    this.#isEnded = true;
    this.disarm();
    this.#end();
  }
}

/** The runs that this process has in hand, by id. */
export type HeldRuns = Map<string, HeldRun>;
