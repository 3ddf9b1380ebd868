import type { Pool, PoolClient, QueryResult } from 'pg';
import { type Clock, systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Logger, silentLogger } from '../../base/log.ts';
import type { HeldLock, Subscription, SqlDatabase, SqlConnection, SqlResult } from './sql-database.ts';
import { isLost } from './pg-errors.ts';
import { SessionConnection } from './session-connection.ts';
import { checkUrl } from './database-url.ts';
import { encodeBytesArray, parserOf } from './pg-values.ts';

/** Options of `openPg`. */
export interface PgOptions {
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Most connections, in addition to the session connection. */
  readonly connections?: number;
  /** Time limit to open a connection, and for a statement to wait for a free one. */
  readonly connectTimeoutMs?: number;
  /**
   * Time limit of a statement, after which its connection is closed: a machine that has lost power does not close its
   * connections, and TCP alone would wait for a quarter of an hour. Statements without values, such as those of a
   * migration, have `SCRIPT_MS`.
   */
  readonly answerTimeoutMs?: number;
}

const ANSWER_MS = 60_000;
const SCRIPT_MS = 6 * 3_600_000;

/**
 * Settings of every connection. All our statements use an index. A prepared statement may keep its plan, and a plan
 * that suits a small table is bad once the table has grown: so sequential scans, hash joins and merge joins are off.
 * JIT is off because the high cost of a sequential scan would trigger it. The timeouts release the locks of a process
 * that was frozen during a transaction, and the keepalives those of a machine that has disappeared.
 */
const SETTINGS = [
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
  'bytea_output = hex',
  'lock_timeout = 15000',
  'idle_in_transaction_session_timeout = 10000',
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
]
  .map((setting) => `SET ${setting}`)
  .join('; ');

/** Most prepared statements per connection; Callsheet needs fewer. */
const MAX_PREPARED = 500;

/**
 * Returns a handle of the PostgreSQL database at a URL (`postgres://user:password@host:port/name?sslmode=…`). `pg` is
 * loaded, and the first connection opened, at the first use. `USAGE` if the URL is not valid. Methods reject with the
 * original errors of the server and the network; no message contains the password. The connections must be real
 * sessions: a pooler in transaction mode would lose LISTEN and the settings.
 */
export function openPg(url: string, options: PgOptions = {}): SqlDatabase {
  checkUrl(url);
  return new PgDatabase(url, options);
}

class PgDatabase implements SqlDatabase {
  readonly #url: string;
  readonly #options: PgOptions;
  readonly #log: Logger;
  readonly #session: SessionConnection;
  /** Names of prepared statements, by their text. */
  readonly #names = new Map<string, string>();
  #pool: Promise<Pool> | undefined;
  #isClosed = false;

  constructor(url: string, options: PgOptions) {
    this.#url = url;
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#session = new SessionConnection(this.#config(), options.clock ?? systemClock, this.#log);
  }

  async query(text: string, values: readonly unknown[] = []): Promise<SqlResult> {
    const client = await (await this.#open()).connect();
    let broken: Error | undefined;
    try {
      return await this.#run(client, text, values);
    } catch (error) {
      if (isLost(error)) broken = error as Error;
      // A text of several statements may have begun a transaction; the next user of the connection must not find it
      // open.
      else if (values.length === 0) await client.query('ROLLBACK').catch((cause: Error) => (broken = cause));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const client = await (await this.#open()).connect();
    let broken: Error | undefined;
    try {
      // Wait for BEGIN, although statements can be pipelined: if BEGIN failed, they would run outside any transaction.
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await work({ query: async (text, values) => this.#run(client, text, values) });
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error('a statement of the transaction had failed, and it was rolled back');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => (broken = cause));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Subscription> {
    this.#refuseClosed();
    return this.#session.listen(channel, onNotice, onGap);
  }

  async holdLock(take: string, drop: string, onGap: () => void): Promise<HeldLock> {
    this.#refuseClosed();
    return this.#session.holdLock(take, drop, onGap);
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.query('SELECT pg_notify($1, $2)', [channel, payload]);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#session.close();
    await (await this.#pool)?.end();
  }

  async #run(client: PoolClient, text: string, values: readonly unknown[] = []): Promise<SqlResult> {
    return resultOf(await client.query(this.#queryOf(text, values)));
  }

  #queryOf(text: string, values: readonly unknown[]) {
    if (values.length === 0) return { text, query_timeout: SCRIPT_MS };
    return { text, values: values.map(encodeBytesArray), ...this.#nameOf(text) };
  }

  #nameOf(text: string): { name?: string } {
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < MAX_PREPARED)
      this.#names.set(text, (name = `callsheet_${this.#names.size}`));
    return name === undefined ? {} : { name };
  }

  #config() {
    return {
      connectionString: this.#url,
      application_name: 'callsheet',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: this.#options.connectTimeoutMs ?? 10_000,
    };
  }

  async #open(): Promise<Pool> {
    this.#refuseClosed();
    return (this.#pool ??= this.#makePool());
  }

  async #makePool(): Promise<Pool> {
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({
      ...this.#config(),
      max: this.#options.connections ?? 8,
      min: 1,
      query_timeout: this.#options.answerTimeoutMs ?? ANSWER_MS,
      idleTimeoutMillis: 30_000,
      pipeline: true,
      types: { getTypeParser: parserOf },
      onConnect: async (client) => void (await client.query(SETTINGS)),
    });
    pool.on('error', (error) => this.#log.debug('an idle database connection was lost', { reason: error.message }));
    // For a connection lost while in use: its queries fail anyway, and an unhandled `error` event would end the
    // process.
    pool.on('connect', (client) =>
      client.on('error', (error) => this.#log.debug('a database connection was lost', { reason: error.message })),
    );
    return pool;
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new EngineError('STORE_FAILED', 'the database is already closed');
  }
}

type PgResult = QueryResult<Record<string, unknown>>;

/** For several statements in one text, `pg` returns a list of results. */
function resultOf(result: PgResult | readonly PgResult[]): SqlResult {
  if (!('rows' in result)) {
    const all = result.map(resultOf);
    return { rows: all.flatMap(({ rows }) => rows), touched: all.reduce((sum, { touched }) => sum + touched, 0) };
  }
  return { rows: result.rows, touched: result.rowCount ?? 0 };
}
