import type { Job, PgBoss, WorkOptions } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { PgBossDatabase } from './pg-boss-database.ts';
import { BEAT_MS, HeldJobs, type HeldJob } from './held-jobs.ts';
import type { RunJob } from './queue.ts';

/** Jobs that one statement fetches at most: processes that are woken at the same time then share what there is. */
const MAX_BATCH = 16;
/** Nobody is notified when a job falls due or comes back, so the one worker that waits asks this often; in seconds. */
const ASK_SECONDS = 0.5;
/** pg-boss's own sign of life, one statement a batch, would only repeat ours: this far apart, it never comes; in seconds. */
const NO_HEARTBEAT_SECONDS = 1_000_000;

export interface PgBossWorkerDeps {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly database: PgBossDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  readonly handle: (job: RunJob) => Promise<void>;
  readonly concurrency: () => number;
  /** Told of what goes wrong with a statement. */
  readonly onError: (error: unknown) => void;
}

/** A worker of pg-boss that waits for its first jobs. Once it has some it serves only these. */
interface Poller {
  readonly size: number;
  id?: string;
}

/**
 * Takes jobs as long as there is room. However many places are free, only one worker of pg-boss waits, for as many jobs as
 * there is room for: each that waits costs two statements a second, and one more whenever a job comes. When it has jobs, the next
 * one takes its place, so that no job waits for the end of others that were fetched with it.
 */
export class PgBossWorker {
  readonly #deps: PgBossWorkerDeps;
  readonly #heldJobs: HeldJobs;
  readonly #inHand = new Set<Promise<unknown>>();
  /** Jobs that came although places had become fewer meanwhile. */
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

  /** Takes no more; resolves when the looks in hand have ended and their jobs with them. */
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

  /** Lets in whom there is room for, and has one worker wait for more. */
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

  /** It ends after the jobs that it has, or once its statement has brought none. */
  #stopPoller(poller: Poller): void {
    if (this.#poller === poller) this.#poller = undefined;
    const { boss, queue, onError } = this.#deps;
    if (poller.id !== undefined) boss.offWork(queue, { id: poller.id, wait: false }).catch(onError);
  }

  async #onJobs(poller: Poller, jobs: readonly Job<object>[]): Promise<void> {
    this.#stopPoller(poller);
    // Each is kept alive from here on, also one that has to wait for a place.
    const all = jobs.map((job) => this.#heldJobs.add(job, readWake(job.data), this.#deps.database.queriedAt(job)));
    const ended = all.map((held) => this.#handle(held));
    this.#balance();
    // Of what is neither ended nor given back when its handler returns, pg-boss takes for granted that it is done.
    if ((await Promise.all(ended)).includes(false)) throw new Error('some looks could not be ended');
  }

  /** False where the job is still ours when all is over. */
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

  /** False where the job has to come back. Never rejects. */
  async #callHandler(held: HeldJob): Promise<boolean> {
    await this.#waitForSlot();
    try {
      if (this.#isStopped) return false;
      if (held.runId === '') throw new EngineError('INTERNAL', `job ${held.jobId} names no run`);
      await this.#deps.handle(held);
      return true;
    } catch (error) {
      // Whoever looks tells what is wrong with a run; that its look is tried again is no news.
      this.#deps.log.debug('a look at a run comes back to the queue', { run: held.runId, ...errorBody(error) });
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
   * Removes the job, with all others that end until the statement before has been answered. It is gone at once, not marked as
   * done, so that the table holds only what is still to do. Never rejects: where it fails (false), the job comes back for a
   * look that finds nothing to do.
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

  /** Without the reason, which may hold what must not lie in plain text in the database. Never rejects. */
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

/** The run that a job names, empty where it names none, and the time that was asked for. */
function readWake(data: object): { runId: string; dueAt: number } {
  return {
    runId: 'run' in data && typeof data.run === 'string' ? data.run : '',
    dueAt: 'at' in data && typeof data.at === 'number' ? data.at : 0,
  };
}
