import type { Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import { NOTIFY_HINT, receivesOwnNotify } from '../../cluster/notify-check.ts';
import type { SqlDatabase } from '../../store/postgres/sql-database.ts';
import { asPgError } from '../../store/postgres/pg-errors.ts';
import { type Check, fail, fine, warn } from './check.ts';

/** Oldest PostgreSQL that reports the outcome of a transaction (`pg_xact_status`), and oldest tested version. */
const OLDEST = 13;
const TESTED = 15;
/** Connections of one process: a pool of 8, and one for LISTEN. */
const CONNECTIONS = 9;
/** Clock difference that is not reported: only people compare times of two machines. */
const APART_MS = 2_000;

/**
 * Checks a PostgreSQL server: version, writes, connections, messages and clock. One failed check if it cannot be reached.
 * `address` is the URL of the database without its password.
 */
export async function checkDatabase(
  database: SqlDatabase,
  { address, clock }: { readonly address: string; readonly clock: Clock },
): Promise<Check[]> {
  try {
    // The first statement includes the time to connect, which must not count.
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
    const { message, hint = 'check the log of the database server' } = asPgError(cause, `${address} does not answer`);
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
  const server = `PostgreSQL ${version} at ${answers}`;
  if (major < OLDEST) return fail('database', `${server}; it is too old`, `use PostgreSQL ${TESTED} or newer`);
  if (standby || locked)
    return fail('database', `${server}; it is read-only`, 'set DATABASE_URL to the primary server');
  if (major < TESTED)
    return warn('database', `${server}; this version is not tested`, `use PostgreSQL ${TESTED} or newer`);
  return fine('database', server);
}

function checkConnections({ most, used }: About): Check {
  const text = `${used} of ${most} connections in use`;
  if (most - used > 2 * CONNECTIONS) return fine('connections', text);
  return warn(
    'connections',
    text,
    `each process uses up to ${CONNECTIONS}: raise max_connections, or run fewer processes`,
  );
}

/** The engine compares no clocks of two machines; people do, and ids of several processes sort by their clocks. */
function checkClock(at: number, began: number, ended: number): Check {
  const apart = at < began ? began - at : at > ended ? at - ended : 0;
  if (apart <= APART_MS)
    return fine('clock of server', `differs by at most ${Math.ceil(apart / 1000)} s from this machine`);
  const text = `${Math.round(apart / 1000)} s ${at < began ? 'behind' : 'ahead of'} this machine`;
  return warn(
    'clock of server',
    text,
    'synchronise both with a time server: times and the order of lists are wrong otherwise',
  );
}

/** Checks that LISTEN and NOTIFY work. */
async function checkMessages(database: SqlDatabase, clock: Clock): Promise<Check> {
  try {
    if (await receivesOwnNotify(database, clock)) return fine('messages', 'LISTEN and NOTIFY work');
    return fail(
      'messages',
      'NOTIFY messages do not arrive: the connection goes through a pooler in transaction mode',
      NOTIFY_HINT,
    );
  } catch (cause) {
    return fail('messages', `LISTEN does not work: ${errorBody(cause).message}`, NOTIFY_HINT);
  }
}
