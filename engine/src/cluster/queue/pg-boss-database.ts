import type { Db } from 'pg-boss';
import { type Clock, type ClockReading, readClocks } from '../../base/clock.ts';
import type { SqlDatabase, SqlConnection } from '../../store/postgres/sql-database.ts';

/**
 * The database connection for pg-boss. It remembers when each row was queried: the content of a row was true at that
 * time.
 */
export class PgBossDatabase implements Db {
  readonly #database: SqlDatabase;
  readonly #clock: Clock;
  readonly #askedAt = new WeakMap<object, ClockReading>();

  constructor(database: SqlDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async executeSql(text: string, values?: unknown[]) {
    const asked = readClocks(this.#clock);
    const rows = await rowsOf(this.#database, text, values);
    for (const row of rows) this.#askedAt.set(row, asked);
    return { rows };
  }

  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void) {
    return this.#database.listen(channel, onNotice, onGap);
  }

  /** When the query for this row object was sent; undefined for an object from elsewhere. */
  queriedAt(row: object): ClockReading | undefined {
    return this.#askedAt.get(row);
  }
}

/** The caller's transaction, as a database for pg-boss. */
export function createPgBossDatabase(connection: SqlConnection): Db {
  return { executeSql: async (text, values) => ({ rows: await rowsOf(connection, text, values) }) };
}

async function rowsOf(connection: SqlConnection, text: string, values?: unknown[]) {
  const { rows } = await connection.query(text, values);
  // pg-boss expects `ids` to be an array; our connections leave `uuid[]` in the server's notation, `{a,b}`.
  return rows.map((row) => (typeof row['ids'] === 'string' ? { ...row, ids: namesIn(row['ids']) } : row));
}

function namesIn(array: string): string[] {
  return array.slice(1, -1).split(',').filter(Boolean);
}
