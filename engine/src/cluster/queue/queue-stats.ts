import type { SqlConnection } from '../../store/postgres/sql-database.ts';
import type { QueueStats } from './queue.ts';

/** The queue of pg-boss that looks go through, and where it keeps its tables; nothing else may lie there. */
export const QUEUE = 'look';
export const SCHEMA = 'callsheet_queue';

/** How much waits; undefined where the queue has no tables yet. Rejects with the database's own error. */
export async function readQueueStats(connection: SqlConnection, schema = SCHEMA): Promise<QueueStats | undefined> {
  const { rows: tables } = await connection.query('SELECT to_regclass($1) IS NOT NULL AS has', [
    `${schema}.job_common`,
  ]);
  if (tables[0]?.['has'] !== true) return undefined;
  const { rows } = await connection.query(statsSql(schema), [QUEUE]);
  const number = (name: string) => Number(rows[0]?.[name] ?? 0);
  return {
    ready: number('ready'),
    oldestMs: Math.max(0, number('oldest')),
    deferred: number('deferred'),
    active: number('active'),
  };
}

/** Asks of each index what it holds. */
function statsSql(schema: string): string {
  const jobs = (what: string, where: string) =>
    `(SELECT ${what} FROM ${schema}.job_common WHERE name = $1 AND ${where})`;
  const due = `state < 'active' AND NOT blocked AND start_after <= now()`;
  return `SELECT ${jobs('count(*)', due)} AS ready,
    ${jobs('extract(epoch FROM now() - min(start_after)) * 1000', due)} AS oldest,
    ${jobs('count(*)', `state < 'active' AND NOT blocked AND start_after > now()`)} AS deferred,
    ${jobs('count(*)', `state = 'active'`)} AS active`;
}
