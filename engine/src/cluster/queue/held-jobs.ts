import type { Job, PgBoss } from 'pg-boss';
import { type Clock, type ClockReading, elapsedMs, readClocks } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { RunJob } from './queue.ts';

/** Seconds of silence after which the server may give a job to another worker: the minimum of pg-boss. */
export const HEARTBEAT_SECONDS = 10;
/**
 * Silence after which this process drops a job by itself. The rest of the time is left for requests that are already
 * sent.
 */
const HELD_MS = 8_000;
/** Interval of renewals: three may fail or be late before a job is dropped. */
export const BEAT_MS = 2_000;
/** Limit for unanswered renewals, so that they do not pile up at a slow server. */
const MAX_UNANSWERED = 3;

/** The jobs of this process. One statement renews all of them. */
export class HeldJobs {
  readonly #boss: PgBoss;
  readonly #queue: string;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Set<HeldJob>();
  #unanswered = 0;

  constructor(boss: PgBoss, queue: string, clock: Clock, onError: (error: unknown) => void) {
    this.#boss = boss;
    this.#queue = queue;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Adds a job that was confirmed at that time. An older entry of the same job was lost meanwhile. */
  add(job: Job<object>, wake: Pick<RunJob, 'runId' | 'dueAt'>, confirmedAt: ClockReading | undefined): HeldJob {
    for (const other of this.#held) if (other.jobId === job.id) this.#lose(other);
    const held = new HeldJob(job, wake, confirmedAt, this.#clock);
    this.#held.add(held);
    return held;
  }

  remove(held: HeldJob): void {
    held.end();
    this.#held.delete(held);
  }

  /** Renews all jobs, and drops those that another worker has. Never rejects. */
  async beat(): Promise<void> {
    if (this.#held.size === 0 || this.#unanswered >= MAX_UNANSWERED) return;
    const all = [...this.#held];
    const sent = readClocks(this.#clock);
    this.#unanswered++;
    try {
      const alive = touchedIds(
        await this.#boss.touch(
          this.#queue,
          all.map(({ attempt }) => attempt),
        ),
      );
      for (const held of all) {
        if (alive.has(held.jobId)) held.heardAt(sent);
        else if (this.#held.has(held)) this.#lose(held);
      }
    } catch (error) {
      // This does not mean that jobs are lost: the server may be down, and come back.
      this.#onError(error);
    } finally {
      this.#unanswered--;
    }
  }

  #lose(held: HeldJob): void {
    this.#held.delete(held);
    held.lose();
  }
}

/** A job, and whether this process still has it. */
export class HeldJob implements RunJob {
  readonly runId: string;
  readonly jobId: string;
  readonly isRetry: boolean;
  readonly dueAt: number;
  readonly signal: AbortSignal;
  /**
   * The job as this worker fetched it: a statement with it does not touch a job that another worker has fetched since.
   */
  readonly attempt: Pick<Job, 'id' | 'retryCount'>;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  #confirmedAt: ClockReading | undefined;
  #heldAgain: () => void = () => {};
  #isEnded = false;

  constructor(
    job: Job<object>,
    wake: Pick<RunJob, 'runId' | 'dueAt'>,
    confirmedAt: ClockReading | undefined,
    clock: Clock,
  ) {
    this.runId = wake.runId;
    this.dueAt = wake.dueAt;
    this.jobId = job.id;
    this.isRetry = job.retryCount > 0;
    this.attempt = { id: job.id, retryCount: job.retryCount };
    this.signal = AbortSignal.any([this.#lost.signal, job.signal]);
    this.#confirmedAt = confirmedAt;
    this.#clock = clock;
  }

  isHeld(): boolean {
    if (this.#isEnded || this.signal.aborted || this.#confirmedAt === undefined) return false;
    return elapsedMs(this.#confirmedAt, readClocks(this.#clock)) < HELD_MS;
  }

  onHeldAgain(fn: () => void): void {
    this.#heldAgain = fn;
  }

  /** Records that the server confirmed the job at that time. */
  heardAt(confirmedAt: ClockReading): void {
    if (this.#confirmedAt !== undefined && confirmedAt.steadyMs <= this.#confirmedAt.steadyMs) return;
    const wasHeld = this.isHeld();
    this.#confirmedAt = confirmedAt;
    if (!wasHeld && this.isHeld()) this.#heldAgain();
  }

  lose(): void {
    this.#lost.abort(new EngineError('STORE_CONFLICT', `the job of run ${this.runId} went to another worker`));
  }

  end(): void {
    this.#isEnded = true;
  }
}

/** Ids of the touched jobs. The public type does not name them, but the worker of pg-boss uses them. */
function touchedIds(response: object): Set<unknown> {
  if (!('settled' in response) || !Array.isArray(response.settled))
    throw new EngineError('INTERNAL', 'pg-boss does not tell which jobs it touched');
  return new Set<unknown>(response.settled);
}
