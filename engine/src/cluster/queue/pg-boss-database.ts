import type { Db } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import type { SqlDatabase, SqlConnection } from '../../store/postgres/sql-database.ts';

/** A moment by both clocks of this machine, in milliseconds. */
export interface QueueClockReading {
  readonly steadyMs: number;
  readonly timeMs: number;
}

export function momentOf(clock: Clock): QueueClockReading {
  const timeMs = clock.now();
  return { steadyMs: clock.steady?.() ?? timeMs, timeMs };
}

/** Milliseconds since a moment, by the clock that says more: one stands still while the machine sleeps, one can be set back. */
export function msSince(clock: Clock, moment: QueueClockReading): number {
  const now = momentOf(clock);
  return Math.max(now.steadyMs - moment.steadyMs, now.timeMs - moment.timeMs);
}

/** Our database as pg-boss sees it. It remembers when each row was asked for, since whatever a row says was true then. */
export class PgBossDatabase implements Db {
  readonly #database: SqlDatabase;
  readonly #clock: Clock;
  readonly #askedAt = new WeakMap<object, QueueClockReading>();

  constructor(database: SqlDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async executeSql(text: string, values?: unknown[]) {
    const asked = momentOf(this.#clock);
    const rows = await rowsOf(this.#database, text, values);
    for (const row of rows) this.#askedAt.set(row, asked);
    return { rows };
  }

  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void) {
    return this.#database.listen(channel, onNotice, onGap);
  }

  /** When the statement that brought this very object went out; undefined where it came from elsewhere. */
  askedAt(row: object): QueueClockReading | undefined {
    return this.#askedAt.get(row);
  }
}

/** The caller's transaction as pg-boss sees it. */
export function createPgBossDatabase(link: SqlConnection): Db {
  return { executeSql: async (text, values) => ({ rows: await rowsOf(link, text, values) }) };
}

async function rowsOf(link: SqlConnection, text: string, values?: unknown[]) {
  const { rows } = await link.query(text, values);
  // pg-boss takes a column `ids` for a list; our connections leave `uuid[]` in the server's notation, `{a,b}`.
  return rows.map((row) => (typeof row['ids'] === 'string' ? { ...row, ids: namesIn(row['ids']) } : row));
}

function namesIn(array: string): string[] {
  return array.slice(1, -1).split(',').filter(Boolean);
}
