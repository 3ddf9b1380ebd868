import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { asPgError, isLost } from './pg-errors.ts';

/** A transaction: its id (`pg_current_xact_id`), and the server process that ran it (`pg_backend_pid`). */
export interface UncertainCommit {
  readonly xid: string;
  readonly pid: number;
}

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 2_000;
/** How long to wait for an unreachable server before the commit counts as unknown. */
const GIVE_UP_MS = 60_000;

/**
 * Finds out whether transactions were committed whose connection was lost between COMMIT and its answer, with
 * `pg_xact_status`. After a failover to a standby there is no answer: on the new timeline, the same id may belong to a
 * different transaction.
 */
export class UncertainCommits {
  readonly #database: SqlDatabase;
  readonly #log: Logger;
  readonly #clock: Clock;
  #timeline: string | undefined;

  private constructor(database: SqlDatabase, log: Logger, clock: Clock, timeline: string | undefined) {
    this.#database = database;
    this.#log = log;
    this.#clock = clock;
    this.#timeline = timeline;
  }

  /** Reads the timeline of the server and creates the check. */
  static async open(database: SqlDatabase, log: Logger, clock: Clock): Promise<UncertainCommits> {
    return new UncertainCommits(database, log, clock, await readTimeline(database));
  }

  /**
   * True if a transaction was committed although it ended with the error `cause`. Waits at most a minute for an
   * unreachable server. After that time, and after a failover, `STORE_FAILED`, not retryable: the transaction may have
   * been written.
   */
  async wasCommitted(transaction: UncertainCommit, cause: unknown): Promise<boolean> {
    // An error that arrived over a live connection is final: the server has rolled back.
    if (!isLost(cause)) return false;
    this.#log.info('the connection was lost during a commit; checking whether it was committed', {
      xid: transaction.xid,
    });
    const until = this.#clock.now() + GIVE_UP_MS;
    for (let waitMs = FIRST_WAIT_MS; this.#clock.now() < until; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      const status = await this.#statusOf(transaction);
      if (status === 'committed' || status === 'aborted') return status === 'committed';
      if (status === 'unknown') break;
      await sleep(waitMs, { clock: this.#clock });
    }
    throw new EngineError(
      'STORE_FAILED',
      'the connection was lost during a commit, and it is unknown whether the changes were written',
      {
        hint: 'the changes may have been written or not: check before you repeat them',
        cause,
      },
    );
  }

  /** Undefined: try again, because the server is unreachable or has not yet ended the transaction. */
  async #statusOf({ xid, pid }: UncertainCommit): Promise<'committed' | 'aborted' | 'unknown' | undefined> {
    try {
      const timeline = await readTimeline(this.#database);
      const isSame = timeline === this.#timeline;
      this.#timeline = timeline;
      if (!isSame) return 'unknown';
      const { rows } = await this.#database.query('SELECT pg_xact_status($1::xid8) AS status', [xid]);
      const status = rows[0]?.['status'];
      if (status === 'committed' || status === 'aborted') return status;
      if (status !== 'in progress') return 'unknown';
      // The server process still waits on the lost connection. The network may take minutes to report the loss, so end
      // it now.
      await this.#database.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_xid = ($2::xid8)::xid',
        [pid, xid],
      );
      return undefined;
    } catch (error) {
      if (isLost(error)) return undefined;
      throw asPgError(error, 'cannot find out whether a transaction was committed');
    }
  }
}

/**
 * Reads the timeline of the server: it changes when a standby takes over. Undefined if the server does not reveal it.
 */
async function readTimeline(connection: SqlConnection): Promise<string | undefined> {
  try {
    const { rows } = await connection.query('SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline');
    return String(rows[0]?.['timeline']);
  } catch (error) {
    if (isLost(error)) throw error;
    return undefined;
  }
}
