import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { asPgError, isFutureId, isLost, isPassing } from './pg-errors.ts';

/** A transaction. */
export interface UncertainCommit {
  /** `pg_current_xact_id`. A server that crashes gives the ids of transactions that it has lost to others. */
  readonly xid: string;
  /** The server process that ran it, `pg_backend_pid`. */
  readonly pid: number;
  /** `CRASHED_AT` during the transaction. */
  readonly crashedAt: string;
}

/** SQL: when the server was created, or last recovered from a crash. It resets its statistics then. */
const RESET_AT = 'pg_stat_get_bgwriter_stat_reset_time()';
export const CRASHED_AT = `extract(epoch FROM ${RESET_AT})::text`;

/**
 * What the last checkpoint says about an id: whether the server had not yet given it to anybody, and whether it is the
 * checkpoint that ended the recovery. The server accepts connections only after that one.
 */
const CHECKPOINT_SQL = `SELECT
  split_part(next_xid, ':', 1)::numeric * 4294967296 + split_part(next_xid, ':', 2)::numeric <= $1::numeric AS "isLost",
  redo_lsn = checkpoint_lsn AND pg_postmaster_start_time() < ${RESET_AT} AS "isOfRecovery"
  FROM pg_control_checkpoint()`;

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 2_000;
/** How long to wait for an unreachable server before the commit counts as unknown. */
const GIVE_UP_MS = 60_000;

/**
 * Finds out whether transactions were committed whose connection was lost between COMMIT and its answer, with
 * `pg_xact_status`. After a crash of the server, the same id may belong to a different transaction: the checkpoint at
 * the end of the recovery tells them apart. After a failover to a standby there is no answer.
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
   * unreachable server. After that time, after a failover, and after a crash that happened too long ago,
   * `STORE_FAILED`, not retryable: the transaction may have been written.
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

  /** Undefined: try again, because the server is unreachable, refuses for now, or has not yet ended the transaction. */
  async #statusOf({ xid, pid, crashedAt }: UncertainCommit): Promise<Status | undefined> {
    try {
      const timeline = await readTimeline(this.#database);
      const isSame = timeline === this.#timeline;
      this.#timeline = timeline;
      if (!isSame) return 'unknown';
      const { rows } = await this.#database.query(
        `SELECT pg_xact_status($1::xid8) AS status, ${CRASHED_AT} AS "crashedAt"`,
        [xid],
      );
      const status = rows[0]?.['status'];
      if (status === 'committed' && rows[0]?.['crashedAt'] !== crashedAt) return await this.#statusAfterCrash(xid);
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
      if (isPassing(error)) return undefined;
      // The server lost the transaction when it crashed, and has not yet given its id to another one.
      if (isFutureId(error)) return 'aborted';
      throw asPgError(error, 'cannot find out whether a transaction was committed');
    }
  }

  /** The status of a transaction if its id belongs to a committed one now, after a crash of the server. */
  async #statusAfterCrash(xid: string): Promise<Status> {
    const { rows } = await this.#database.query(CHECKPOINT_SQL, [xid]);
    if (rows[0]?.['isLost'] === true) return 'aborted';
    return rows[0]?.['isOfRecovery'] === true ? 'committed' : 'unknown';
  }
}

type Status = 'committed' | 'aborted' | 'unknown';

/**
 * Reads the timeline of the server: it changes when a standby takes over. Undefined if the server does not reveal it.
 */
async function readTimeline(connection: SqlConnection): Promise<string | undefined> {
  try {
    const { rows } = await connection.query('SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline');
    return String(rows[0]?.['timeline']);
  } catch (error) {
    if (isPassing(error)) throw error;
    return undefined;
  }
}
