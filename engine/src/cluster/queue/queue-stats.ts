import type { SqlConnection } from '../../store/postgres/sql-database.ts';
import type { QueueStats } from './queue.ts';

/** Name of the pg-boss queue, and the schema of its tables, which contains nothing else. */
export const QUEUE = 'look';
export const SCHEMA = 'callsheet_queue';

/** State of the queue; undefined where the queue has no tables yet. Rejects with the database's own error. */
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

/** One query of counts, each from an index. */
function statsSql(schema: string): string {
  const jobs = (what: string, where: string) =>
    `(SELECT ${what} FROM ${schema}.job_common WHERE name = $1 AND ${where})`;
  const due = `state < 'active' AND NOT blocked AND start_after <= now()`;
  return `SELECT ${jobs('count(*)', due)} AS ready,
    ${jobs('extract(epoch FROM now() - min(start_after)) * 1000', due)} AS oldest,
    ${jobs('count(*)', `state < 'active' AND NOT blocked AND start_after > now()`)} AS deferred,
    ${jobs('count(*)', `state = 'active'`)} AS active`;
}
