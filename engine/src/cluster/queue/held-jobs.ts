import type { Job, PgBoss } from 'pg-boss';
import { type Clock, type ClockReading, elapsedMs, readClocks } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { RunJob } from './queue.ts';

/** After this much silence the server may give a job to another worker: the least that pg-boss takes, in seconds. */
export const HEARTBEAT_SECONDS = 10;
/** Silence after which we let a job go by ourselves: what was asked before may still be done, and be late, by the rest. */
const HELD_MS = 8_000;
/** Three may fail, or be late, before a job is let go. */
export const BEAT_MS = 2_000;
/** Of those that nobody answers: a server that is slow gets no pile of them. */
const MAX_UNANSWERED = 3;

/** The jobs that this process has, with one statement as the sign of life of all of them. */
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

  /** Takes a job that was ours at `sign`. Where we had it before, we have lost it since. */
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

  /** Gives a sign of life, and learns which jobs have gone. Never rejects. */
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
      // It says nothing about the jobs: the server may be away, and comes back.
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

/** A job and whether it is still ours. */
export class HeldJob implements RunJob {
  readonly runId: string;
  readonly jobId: string;
  readonly isRetry: boolean;
  readonly dueAt: number;
  readonly signal: AbortSignal;
  /** The job as this claim knows it: what another worker has claimed since is not touched by what we send. */
  readonly attempt: Pick<Job, 'id' | 'retryCount'>;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  #confirmedAt: ClockReading | undefined;
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

  /** The server still had the job for us at that moment, or later. */
  heardAt(confirmedAt: ClockReading): void {
    if (this.#confirmedAt === undefined || confirmedAt.steadyMs > this.#confirmedAt.steadyMs)
      this.#confirmedAt = confirmedAt;
  }

  lose(): void {
    this.#lost.abort(new EngineError('STORE_CONFLICT', `the job of run ${this.runId} went to another worker`));
  }

  end(): void {
    this.#isEnded = true;
  }
}

/** Ids of the jobs that a statement touched. Its public type does not name them, yet pg-boss's own worker lives by them. */
function touchedIds(response: object): Set<unknown> {
  if (!('settled' in response) || !Array.isArray(response.settled))
    throw new EngineError('INTERNAL', 'pg-boss does not tell which jobs it touched');
  return new Set<unknown>(response.settled);
}
