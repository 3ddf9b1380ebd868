import type { Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import { NOTIFY_HINT, receivesOwnNotify } from '../../cluster/notify-check.ts';
import type { SqlDatabase } from '../../store/postgres/sql-database.ts';
import { asPgError } from '../../store/postgres/pg-errors.ts';
import { type Check, fail, fine, warn } from './check.ts';

/** The oldest that can say what became of a transaction, and the oldest that is tested. */
const OLDEST = 13;
const TESTED = 15;
/** Each process takes up to 8, and one that stays. */
const CONNECTIONS = 9;
/** Clocks that differ by less are no matter: only people compare times of two machines. */
const APART_MS = 2_000;

/**
 * The server behind a database: who it is, whether it takes writes, its connections, messages and clock. One check that fails
 * where it cannot be reached. `address` is that of the database, without its password.
 */
export async function checkDatabase(
  database: SqlDatabase,
  { address, clock }: { readonly address: string; readonly clock: Clock },
): Promise<Check[]> {
  try {
    // The first statement waits for the connection.
    await database.query('SELECT 1');
    const began = clock.now();
    const { rows } = await database.query(ABOUT_SQL);
    const ended = clock.now();
    const about = rows[0] as unknown as About;
    return [
      checkServer(about, `${address} answers after ${ended - began} ms`),
      checkConnections(about),
      checkClock(about.at, began, ended),
      await checkMessages(database, clock),
    ];
  } catch (cause) {
    const { message, hint = 'see the log of the database server' } = asPgError(cause, `${address} does not answer`);
    return [fail('database', message, hint)];
  }
}

const ABOUT_SQL = `SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::bigint / 10000 AS major,
  pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only') = 'on' AS locked,
  current_setting('max_connections')::bigint AS most,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at`;

interface About {
  readonly version: string;
  readonly major: number;
  readonly standby: boolean;
  readonly locked: boolean;
  readonly most: number;
  readonly used: number;
  /** Epoch milliseconds, by the server's clock. */
  readonly at: number;
}

function checkServer({ version, major, standby, locked }: About, answers: string): Check {
  const what = `PostgreSQL ${version} at ${answers}`;
  if (major < OLDEST) return fail('database', `${what}, and is too old`, `use PostgreSQL ${TESTED} or newer`);
  if (standby || locked)
    return fail('database', `${what}, and takes no writes`, 'name the primary server in DATABASE_URL');
  if (major < TESTED) return warn('database', `${what}; it is not tested`, `use PostgreSQL ${TESTED} or newer`);
  return fine('database', what);
}

function checkConnections({ most, used }: About): Check {
  const text = `${used} of ${most} connections are taken`;
  if (most - used > 2 * CONNECTIONS) return fine('connections', text);
  return warn('connections', text, `a process takes up to ${CONNECTIONS}: raise max_connections, or run fewer of them`);
}

/** Nothing here compares clocks of two machines but people who read times; ids of two processes sort by theirs. */
function checkClock(at: number, began: number, ended: number): Check {
  const apart = at < began ? began - at : at > ended ? at - ended : 0;
  if (apart <= APART_MS)
    return fine('clock of server', `it agrees with this machine's to ${Math.ceil(apart / 1000)} s`);
  const text = `it is ${Math.round(apart / 1000)} s ${at < began ? 'behind' : 'ahead of'} this machine's`;
  return warn('clock of server', text, 'let both follow a time server: else times and the order of lists mislead');
}

/** Whether what is sent to all processes arrives. */
async function checkMessages(database: SqlDatabase, clock: Clock): Promise<Check> {
  try {
    if (await receivesOwnNotify(database, clock)) return fine('messages', 'LISTEN and NOTIFY work');
    return fail(
      'messages',
      'what is sent by NOTIFY does not come back: a pooler in transaction mode is in between',
      NOTIFY_HINT,
    );
  } catch (cause) {
    return fail('messages', `LISTEN does not work: ${errorBody(cause).message}`, NOTIFY_HINT);
  }
}
