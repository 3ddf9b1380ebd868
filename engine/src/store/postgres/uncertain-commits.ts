import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { asPgError, isLost } from './pg-errors.ts';

/** A transaction: its number (`pg_current_xact_id`), and the server process that had it (`pg_backend_pid`). */
export interface UncertainCommit {
  readonly xid: string;
  readonly pid: number;
}

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 2_000;
/** How long a server may be away before its transaction is given up. */
const GIVE_UP_MS = 60_000;

/**
 * What became of transactions whose connection was lost between COMMIT and its answer: the server still knows
 * (`pg_xact_status`). A standby that took over has a history of its own, whose numbers may mean other transactions; there the
 * question has no answer.
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

  static async open(database: SqlDatabase, log: Logger, clock: Clock): Promise<UncertainCommits> {
    return new UncertainCommits(database, log, clock, await readTimeline(database));
  }

  /**
   * Whether a transaction that ended with an error was committed all the same. Waits for a server that is away, at most a
   * minute; then, and after a switch of servers, `STORE_FAILED`, not retryable: it may have been written.
   */
  async wasCommitted(transaction: UncertainCommit, cause: unknown): Promise<boolean> {
    // An error that the server gave over a connection that lives is its last word: it rolled back.
    if (!isLost(cause)) return false;
    this.#log.info('finding out whether a transaction was committed whose connection was lost', {
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
      'the connection was lost in the middle of a commit, and nobody knows what became of it',
      {
        hint: 'what was to be written may be there or not: look before you do it again',
        cause,
      },
    );
  }

  /** Undefined: ask again, since the server is away or has not yet noticed. */
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
      // Its process waits for us on a connection that is no more; the network may take minutes to tell it so.
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

/** Which history of the server this is: it changes when a standby takes over. Undefined where the server does not say. */
async function readTimeline(connection: SqlConnection): Promise<string | undefined> {
  try {
    const { rows } = await connection.query('SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline');
    return String(rows[0]?.['timeline']);
  } catch (error) {
    if (isLost(error)) throw error;
    return undefined;
  }
}
