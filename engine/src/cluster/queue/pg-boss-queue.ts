import type { JobInsert, PgBoss, Queue as QueueSettings } from 'pg-boss';
import { type Clock, elapsedMs, readClocks } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { SqlDatabase, SqlConnection } from '../../store/postgres/sql-database.ts';
import { asPgError } from '../../store/postgres/pg-errors.ts';
import type { Wake } from '../../store/store.ts';
import { PgBossDatabase, createPgBossDatabase } from './pg-boss-database.ts';
import { HEARTBEAT_SECONDS } from './held-jobs.ts';
import { QUEUE, readQueueStats, SCHEMA } from './queue-stats.ts';
import { PgBossWorker } from './pg-boss-worker.ts';
import type { RunJob, Queue, QueueStats } from './queue.ts';

/** Options of `createPgBossQueue`. */
export interface PgBossQueueOptions {
  readonly database: SqlDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  /** Schema of pg-boss's tables; it contains nothing else. */
  readonly schema?: string;
  /** Seconds between checks for silent workers, over all processes together. */
  readonly superviseSeconds?: number;
}

/** Two checks may be twice this far apart when the process of the last one died: 10 + 12 + 2 + 1 seconds. */
const SUPERVISE_SECONDS = 6;
/** The longest that fits the column, 63 years: no job may expire while no worker is there. */
const FOREVER = 2_000_000_000;
/**
 * pg-boss ends jobs that take longer, even with heartbeats. Its queues allow a day at most, a job as much as a Node
 * timer: 23 days.
 */
const LONGEST_LOOK_SECONDS = 2_000_000;
const SETTINGS: Omit<QueueSettings, 'name'> = {
  policy: 'standard',
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: FOREVER,
  retryDelay: 2,
  retentionSeconds: FOREVER,
  // Only for jobs that could not be deleted when they ended.
  deleteAfterSeconds: 60,
};
/**
 * Added to a due time, which counts from the start of the caller's transaction: without this it would often be too
 * early.
 */
const LATER_MS = 50;
/** How long pg-boss may take to finish its current request to the server. */
const LAST_MS = 3_000;
/** One log line in this time for errors that repeat while the server is down. */
const SILENCE_MS = 30_000;

/**
 * A queue in PostgreSQL, on pg-boss. Creates or migrates its tables; several processes may do so at the same time.
 * Rejects with the database's own error, as `enqueue` does. Later errors are logged, and the queue continues once the
 * server is back.
 */
export async function createPgBossQueue(options: PgBossQueueOptions): Promise<Queue> {
  const { clock, log, schema = SCHEMA, superviseSeconds = SUPERVISE_SECONDS } = options;
  const { PgBoss } = await import('pg-boss');
  const database = new PgBossDatabase(options.database, clock);
  const boss = new PgBoss({
    db: database,
    schema,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 600,
    // Only for jobs that depend on others, which ours never do.
    flowIntervalSeconds: 86_400,
    // Our own metrics show the size of the queue.
    warningQueueSize: FOREVER,
  });
  const warn = createThrottledWarn(log, clock);
  boss.on('error', (error) => warn('the queue had trouble', reasonOf(error)));
  boss.on('warning', ({ message }) => log.warn('the queue warns', { reason: message }));
  try {
    await startBoss(boss);
    await boss.createQueue(QUEUE, SETTINGS);
    await tune(options.database, schema);
    // Reads the queue's settings now: inside a caller's transaction this read could wait for that transaction.
    await boss.insert(QUEUE, []);
  } catch (error) {
    await stopBoss(boss, clock);
    throw error;
  }
  return new BossQueue(boss, database, options, schema, warn);
}

class BossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #database: PgBossDatabase;
  readonly #options: PgBossQueueOptions;
  readonly #schema: string;
  readonly #warn: Warn;
  #worker: PgBossWorker | undefined;

  constructor(boss: PgBoss, database: PgBossDatabase, options: PgBossQueueOptions, schema: string, warn: Warn) {
    this.#boss = boss;
    this.#database = database;
    this.#options = options;
    this.#schema = schema;
    this.#warn = warn;
  }

  async enqueue(connection: SqlConnection, wakes: readonly Wake[]): Promise<void> {
    if (wakes.length === 0) return;
    const now = this.#options.clock.now();
    await this.#boss.insert(
      QUEUE,
      wakes.map((wake) => jobOf(wake, now)),
      { db: createPgBossDatabase(connection) },
    );
  }

  async work(handle: (job: RunJob) => Promise<void>, concurrency: () => number): Promise<void> {
    this.#worker = new PgBossWorker({
      boss: this.#boss,
      queue: QUEUE,
      database: this.#database,
      clock: this.#options.clock,
      log: this.#options.log,
      handle,
      concurrency,
      onError: (error) => this.#warn('the queue had trouble', reasonOf(error)),
    });
    this.#worker.start();
  }

  async stats(): Promise<QueueStats> {
    const stats = await readQueueStats(this.#options.database, this.#schema);
    return stats ?? { ready: 0, oldestMs: 0, deferred: 0, active: 0 };
  }

  async stop(): Promise<void> {
    await this.#worker?.stop();
    await stopBoss(this.#boss, this.#options.clock);
  }
}

/**
 * Starts pg-boss, which creates its tables. When several processes do so at once, a connection may still see no schema
 * after it waited; the second start sees it.
 */
async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    if (asPgError(error, 'cannot make the tables of the queue').code !== 'STORE_CONFLICT') throw error;
    await boss.start();
  }
}

function jobOf({ run, at, priority }: Wake, now: number): JobInsert {
  const job = { data: at > 0 ? { run, at } : { run }, priority, expireInSeconds: LONGEST_LOOK_SECONDS };
  // Relative, not a time of day: the server's clock may differ.
  return at > now ? { ...job, startAfter: `${(at - now + LATER_MS) / 1000} seconds` } : job;
}

/**
 * Adds indexes for many deferred jobs. pg-boss fetches by priority and age and reads all jobs on the way: with our
 * first index it reads only due jobs. The second serves its search for silent workers and our count of active jobs.
 * pg-boss also counts all jobs at each check, for metrics that we do not use; it skips this count for a while after a
 * slow one, so we set that mark.
 */
async function tune(database: SqlDatabase, schema: string): Promise<void> {
  const { rows } = await database.query('SELECT to_regclass($1) AS tuned', [`${schema}.callsheet_active`]);
  if (rows[0]?.['tuned'] !== null) return;
  await database.transaction(async (connection) => {
    await connection.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${schema}.callsheet`]);
    const on = `ON ${schema}.job_common`;
    const due = `(name, start_after) WHERE state < 'active' AND NOT blocked`;
    await connection.query(`CREATE INDEX IF NOT EXISTS callsheet_due ${on} ${due}`);
    await connection.query(`CREATE INDEX IF NOT EXISTS callsheet_active ${on} (name) WHERE state = 'active'`);
    await connection.query(`UPDATE ${schema}.version SET monitor_backoff_on = now() + interval '100 years'`);
  });
}

/** Waits briefly for current requests; unfinished jobs return to another worker. */
async function stopBoss(boss: PgBoss, clock: Clock): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => (cancel = clock.delay(resolve, LAST_MS)));
  const ended = boss.offWork(QUEUE).then(() => boss.stop({ graceful: false, close: false }));
  await Promise.race([ended.catch(() => undefined), late]);
  cancel();
}

type Warn = (message: string, fields: Record<string, unknown>) => void;

/** Logs the first error, then one line per `SILENCE_MS` with the number of the others. */
function createThrottledWarn(log: Logger, clock: Clock): Warn {
  let last = { steadyMs: -Infinity, wallMs: -Infinity };
  let more = 0;
  return (message, fields) => {
    const now = readClocks(clock);
    if (elapsedMs(last, now) < SILENCE_MS) return void more++;
    log.warn(message, more > 0 ? { ...fields, more } : fields);
    last = now;
    more = 0;
  };
}

function reasonOf(error: unknown): Record<string, unknown> {
  return {
    reason: error instanceof Error ? error.message : String((error as { message?: unknown } | null)?.message ?? error),
  };
}
