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

export interface PgBossQueueOptions {
  readonly database: SqlDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where pg-boss keeps its tables; nothing else may lie there. */
  readonly schema?: string;
  /** How often all processes together look for workers that have fallen silent. */
  readonly superviseSeconds?: number;
}

/** Two passes may lie twice this far apart, where the process that made the last one is gone: 10 + 12 + 2 + 1 seconds. */
const SUPERVISE_SECONDS = 6;
/** The longest that fits a column, 63 years: nobody may forget a job because no worker was there for a while. */
const FOREVER = 2_000_000_000;
/**
 * pg-boss ends what is in hand for longer, whether it shows signs of life or not. Its queues take a day at most, a job as much
 * as a timer of Node does: 23 days.
 */
const LONGEST_LOOK_SECONDS = 2_000_000;
const SETTINGS: Omit<QueueSettings, 'name'> = {
  policy: 'standard',
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: FOREVER,
  retryDelay: 2,
  retentionSeconds: FOREVER,
  // Only what could not be removed when it ended.
  deleteAfterSeconds: 60,
};
/** A due time is reckoned from the begin of the caller's transaction: without this it would often be too early. */
const LATER_MS = 50;
/** How long pg-boss may take to end what it is just asking the server. */
const LAST_MS = 3_000;
/** Of what goes wrong many times a second while the server is away, one line in this time. */
const SILENCE_MS = 30_000;

/**
 * A queue in a PostgreSQL database, on pg-boss. Makes or migrates its tables; several processes may do so at the same time.
 * Rejects with the database's own error where that cannot be done, and so does `enqueue`. What goes wrong later is logged,
 * and the queue goes on once the server is back.
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
    // How much waits is in our own figures.
    warningQueueSize: FOREVER,
  });
  const warn = createThrottledWarn(log, clock);
  boss.on('error', (error) => warn('the queue had trouble', reasonOf(error)));
  boss.on('warning', ({ message }) => log.warn('the queue warns', { reason: message }));
  try {
    await startBoss(boss);
    await boss.createQueue(QUEUE, SETTINGS);
    await tune(options.database, schema);
    // Reads the queue's settings now: asked for within a caller's transaction they could wait for that transaction.
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
 * Where several processes make the tables at once, all but one wait; a connection that has looked for the schema before and
 * has made other tables since may then still believe that there is none. Asked anew, it knows.
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
  // From now on, not at a time of day: the server's clock may show another.
  return at > now ? { ...job, startAfter: `${(at - now + LATER_MS) / 1000} seconds` } : job;
}

/**
 * What many deferred jobs would cost. pg-boss fetches in the order of priority and age, and reads all of them on the way:
 * through our first index it takes only those that are due. Through the second it finds silent workers, and we what is in
 * hand. And it counts all jobs at each pass, for figures that nobody here asks for, unless the last count took so long that it
 * lets the next ones be: we tell it that it did.
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

/** Lets workers end what they are just asking, and no longer: what is left undone comes back to another one. */
async function stopBoss(boss: PgBoss, clock: Clock): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => (cancel = clock.delay(resolve, LAST_MS)));
  const ended = boss.offWork(QUEUE).then(() => boss.stop({ graceful: false, close: false }));
  await Promise.race([ended.catch(() => undefined), late]);
  cancel();
}

type Warn = (message: string, fields: Record<string, unknown>) => void;

/** Logs the first, and then one line in a while that says how many there were. */
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
