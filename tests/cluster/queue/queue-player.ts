import { systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { type PgBossQueueOptions, createPgBossQueue } from '../../../engine/src/cluster/queue/pg-boss-queue.ts';
import type { RunJob, Queue } from '../../../engine/src/cluster/queue/queue.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import type { Wake } from '../../../engine/src/store/store.ts';

/** A look that goes on until the test ends it. */
export interface Play {
  readonly job: RunJob;
  end(): void;
  fail(): void;
}

/** A queue and the looks that it brings, as a test plays them. */
export class Player {
  readonly queue: Queue;
  /** Runs in the order in which they were looked at. */
  readonly seen: string[] = [];
  /** Looks that have not ended. */
  readonly inHand = new Set<Play>();
  /** What the queue has warned of. */
  readonly warnings: readonly string[];
  readonly #database: SqlDatabase;
  readonly #begun: Play[] = [];
  readonly #asked: ((play: Play) => void)[] = [];

  private constructor(queue: Queue, database: SqlDatabase, warnings: string[]) {
    this.queue = queue;
    this.#database = database;
    this.warnings = warnings;
  }

  static async open(options: Pick<PgBossQueueOptions, 'database'> & Partial<PgBossQueueOptions>): Promise<Player> {
    const warnings: string[] = [];
    const warn = (message: string, fields = {}) => void warnings.push(`${message} ${JSON.stringify(fields)}`);
    const log = { ...silentLogger, warn };
    return new Player(await createPgBossQueue({ clock: systemClock, log, ...options }), options.database, warnings);
  }

  /** Commits a list that holds only wakes. */
  commit(...wakes: Wake[]): Promise<void> {
    return this.#database.transaction((link) => this.queue.enqueue(link, wakes));
  }

  /** Takes looks; quick ones end at once. */
  work(concurrency: number | (() => number), { isQuick = false } = {}): Promise<void> {
    return this.queue.work(
      (job) => {
        this.seen.push(job.runId);
        return isQuick ? Promise.resolve() : this.#play(job);
      },
      typeof concurrency === 'number' ? () => concurrency : concurrency,
    );
  }

  /** The next look that begins. */
  next(): Promise<Play> {
    const play = this.#begun.shift();
    return play !== undefined ? Promise.resolve(play) : new Promise((resolve) => this.#asked.push(resolve));
  }

  async stop(): Promise<void> {
    const stopped = this.queue.stop();
    for (const play of this.inHand) play.end();
    await stopped;
  }

  async #play(job: RunJob): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const play: Play = { job, end: resolve, fail: () => reject(new Error('played')) };
    this.inHand.add(play);
    const ask = this.#asked.shift();
    if (ask !== undefined) ask(play);
    else this.#begun.push(play);
    await promise.finally(() => this.inHand.delete(play));
  }
}

export function wake(run: string, { at = 0, priority = 0 } = {}): Wake {
  return { op: 'wake', run, at, priority };
}

/** Resolves once it is so: asked every 10 ms, since nobody tells of what happens in the database. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}
