import type { Job, PgBoss, WorkOptions } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { PgBossDatabase } from './pg-boss-database.ts';
import { BEAT_MS, HeldJobs, type HeldJob } from './held-jobs.ts';
import type { RunJob } from './queue.ts';

/** Largest number of jobs in one fetch, so that processes that wake at the same time share the jobs. */
const MAX_BATCH = 16;
/** Seconds between polls of the one waiting worker: no NOTIFY is sent when a job falls due or is returned. */
const ASK_SECONDS = 0.5;
/** Seconds; turns off the heartbeat of pg-boss, since `HeldJobs` renews all jobs with one statement. */
const NO_HEARTBEAT_SECONDS = 1_000_000;

/** What a `PgBossWorker` needs. */
export interface PgBossWorkerDeps {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly database: PgBossDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  readonly handle: (job: RunJob) => Promise<void>;
  readonly concurrency: () => number;
  /** Called with the error of a failed statement. */
  readonly onError: (error: unknown) => void;
}

/** A pg-boss worker that waits for its first jobs. After that it serves only those. */
interface Poller {
  readonly size: number;
  id?: string;
}

/**
 * Takes jobs while slots are free. Only one pg-boss worker waits, for as many jobs as there are free slots: each
 * waiting worker costs two statements a second, and one more for each new job. When it gets jobs, a new worker waits in
 * its place, so that no job waits for others of its batch.
 */
export class PgBossWorker {
  readonly #deps: PgBossWorkerDeps;
  readonly #heldJobs: HeldJobs;
  readonly #inHand = new Set<Promise<unknown>>();
  /** Jobs that arrived when the number of slots had already shrunk. */
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #poller: Poller | undefined;
  #ended: HeldJob[] = [];
  #next: Promise<boolean> | undefined;
  #sent: Promise<unknown> = Promise.resolve();
  #cancelTick: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: PgBossWorkerDeps) {
    this.#deps = deps;
    this.#heldJobs = new HeldJobs(deps.boss, deps.queue, deps.clock, deps.onError);
  }

  start(): void {
    this.#balance();
    this.#cancelTick = this.#deps.clock.delay(() => this.#tick(), BEAT_MS);
  }

  /** Takes no more jobs; resolves when all handlers have settled and their jobs are ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#poller !== undefined) this.#stopPoller(this.#poller);
    for (const begin of this.#waiting.splice(0)) begin();
    while (this.#inHand.size > 0) await Promise.all(this.#inHand);
    this.#cancelTick?.();
  }

  #tick(): void {
    this.#cancelTick = this.#deps.clock.delay(() => this.#tick(), BEAT_MS);
    void this.#heldJobs.beat();
    this.#balance();
  }

  /** Starts waiting jobs in free slots, and keeps one worker polling for more. */
  #balance(): void {
    if (this.#isStopped) return;
    const free = () => this.#deps.concurrency() - this.#busy - this.#waiting.length;
    while (this.#waiting.length > 0 && this.#busy < this.#deps.concurrency()) this.#waiting.shift()!();
    if (this.#poller !== undefined && this.#poller.size > free()) this.#stopPoller(this.#poller);
    if (this.#poller === undefined && free() > 0) this.#startPoller({ size: Math.min(free(), MAX_BATCH) });
  }

  #startPoller(poller: Poller): void {
    const { boss, queue, onError } = this.#deps;
    const options = {
      batchSize: poller.size,
      pollingIntervalSeconds: ASK_SECONDS,
      notifyPollingIntervalSeconds: ASK_SECONDS,
      heartbeatRefreshSeconds: NO_HEARTBEAT_SECONDS,
    } satisfies WorkOptions;
    this.#poller = poller;
    boss
      .work<object>(queue, options, (jobs) => this.#onJobs(poller, jobs))
      .then((id) => {
        poller.id = id;
        if (this.#poller !== poller) this.#stopPoller(poller);
      })
      .catch(onError);
  }

  /** The worker ends after its jobs, or after an empty fetch. */
  #stopPoller(poller: Poller): void {
    if (this.#poller === poller) this.#poller = undefined;
    const { boss, queue, onError } = this.#deps;
    if (poller.id !== undefined) boss.offWork(queue, { id: poller.id, wait: false }).catch(onError);
  }

  async #onJobs(poller: Poller, jobs: readonly Job<object>[]): Promise<void> {
    this.#stopPoller(poller);
    // Each job is renewed from here on, even while it waits for a slot.
    const all = jobs.map((job) => this.#heldJobs.add(job, readWake(job.data), this.#deps.database.queriedAt(job)));
    const ended = all.map((held) => this.#handle(held));
    this.#balance();
    // pg-boss treats a job as done if it is neither ended nor returned when the handler returns.
    if ((await Promise.all(ended)).includes(false)) throw new Error('some jobs could not be ended');
  }

  /** False where the job could not be ended or returned. */
  async #handle(held: HeldJob): Promise<boolean> {
    const handling = this.#callHandler(held);
    this.#inHand.add(handling);
    const isDone = await handling;
    this.#inHand.delete(handling);
    this.#heldJobs.remove(held);
    this.#balance();
    if (held.signal.aborted) return true;
    return isDone ? this.#deleteJob(held) : this.#returnJob(held);
  }

  /** Calls the handler; false where the job has to return to the queue. Never rejects. */
  async #callHandler(held: HeldJob): Promise<boolean> {
    await this.#waitForSlot();
    try {
      if (this.#isStopped) return false;
      if (held.runId === '') throw new EngineError('INTERNAL', `job ${held.jobId} names no run`);
      await this.#deps.handle(held);
      return true;
    } catch (error) {
      // The handler logs the cause; a retry of the job is no news.
      this.#deps.log.debug('a job returns to the queue', { run: held.runId, ...errorBody(error) });
      return false;
    } finally {
      this.#busy--;
    }
  }

  async #waitForSlot(): Promise<void> {
    if (this.#isStopped || this.#busy < this.#deps.concurrency()) this.#busy++;
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(() => {
          this.#busy++;
          resolve();
        });
      });
  }

  /**
   * Deletes the job, together with all others that end before the last statement is answered. The row is deleted, not
   * marked as done, so that the table contains only open jobs. Never rejects: if it fails (false), the job returns and
   * its handler finds nothing to do.
   */
  #deleteJob(held: HeldJob): Promise<boolean> {
    const { boss, queue, onError } = this.#deps;
    this.#ended.push(held);
    this.#next ??= this.#sent.then(() => {
      const jobs = this.#ended.map(({ attempt }) => attempt);
      this.#ended = [];
      this.#next = undefined;
      const sent = succeeds(boss.deleteJob(queue, jobs), onError);
      this.#sent = sent;
      return sent;
    });
    return this.#next;
  }

  /** Without the error message: it may contain data that must not be in plain text in the database. Never rejects. */
  #returnJob(held: HeldJob): Promise<boolean> {
    const { boss, queue, onError } = this.#deps;
    return succeeds(boss.fail(queue, held.attempt), onError);
  }
}

async function succeeds(answer: Promise<unknown>, onError: (error: unknown) => void): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** The run of a job (`''` where it names none) and its requested time. */
function readWake(data: object): { runId: string; dueAt: number } {
  return {
    runId: 'run' in data && typeof data.run === 'string' ? data.run : '',
    dueAt: 'at' in data && typeof data.at === 'number' ? data.at : 0,
  };
}
