import { EngineError } from '../../base/error.ts';
import { type Bound, plainCodec } from '../codec.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { createPgCodec } from './pg-codec.ts';
import { OPENING_LOCK, PRESENCE_LOCK } from './advisory-locks.ts';
import type { ScriptDialect, Script } from '../maintenance/script.ts';
import type { SqlDialect } from '../sql.ts';
import { TABLE_NAMES } from '../tables.ts';

/**
 * The SQL of PostgreSQL. It folds unquoted names to lower case, so selected columns with capitals get a quoted alias.
 */
export const pgDialect: SqlDialect<Bound | readonly Bound[]> = {
  placeholder: (number) => `$${number}`,
  inList: (column, values, add) => `${column} = ANY(${add(values)})`,
  readColumn: (column) => (column === column.toLowerCase() ? column : `${column} AS "${column}"`),
  limit: (placeholder) => `LIMIT ${placeholder}`,
};

/**
 * Rewrites every table, so that no overwritten row stays in its file or in the planner's statistics. The write-ahead
 * log of the server still contains such rows until the server overwrites it, and so do backups.
 */
const PURGE = [
  ...['keyring', ...TABLE_NAMES].map((table) => `VACUUM (FULL, ANALYZE) ${table}`),
  // PostgreSQL skips it with a warning if the user does not own the database.
  'VACUUM FULL pg_statistic',
];

/** How scripts use PostgreSQL. */
export const pgScriptDialect: ScriptDialect = {
  name: 'database',
  plainCodec: createPgCodec(plainCodec),
  wrapCodec: createPgCodec,
  readColumn: pgDialect.readColumn,
  hasTable: 'SELECT 1 AS has WHERE to_regclass(?) IS NOT NULL',
  relaxDurability: [],
  restoreDurability: [],
  purgePlain: PURGE,
  purgeSealed: PURGE,
};

/** How long to wait for commits of other processes before `DATA_LOCKED`. */
const EXCLUSIVE_WAIT_MS = 3_000;

/** Runs a script to its end. The opening lock keeps its transactions apart from those of scripts in other processes. */
export async function runPgScript<T>(
  database: SqlDatabase,
  script: Script<T>,
  connection: SqlConnection = database,
): Promise<T> {
  let next = script.next();
  while (next.done !== true) {
    const request = next.value;
    let answer: unknown;
    try {
      switch (request.op) {
        case 'query':
          answer = (await connection.query(numbered(request.text), request.values)).rows;
          break;
        case 'transaction':
          answer = await database.transaction(async (inner) => {
            await lockForOpening(inner);
            return runPgScript(database, request.work(), inner);
          });
          break;
        case 'requireExclusive':
          await lockPresence(connection);
          break;
        default:
          request satisfies never;
      }
    } catch (error) {
      next = script.throw(error);
      continue;
    }
    next = script.next(answer);
  }
  return next.value;
}

/**
 * Takes the opening lock until the end of the transaction. Waits without limit for processes that change schema or
 * keys.
 */
export async function lockForOpening(connection: SqlConnection): Promise<void> {
  await connection.query('SET LOCAL lock_timeout = 0');
  await connection.query('SELECT pg_advisory_xact_lock($1)', [OPENING_LOCK]);
}

/**
 * Takes the presence lock exclusively: no other process has the store open until the end of the transaction. Also
 * increases the epoch, so that a store whose connection was lost meanwhile cannot commit any more. `DATA_LOCKED` if
 * another process has the store open.
 */
export async function lockPresence(connection: SqlConnection): Promise<void> {
  await connection.query(`SET LOCAL lock_timeout = ${EXCLUSIVE_WAIT_MS}`);
  try {
    await connection.query('SELECT pg_advisory_xact_lock($1)', [PRESENCE_LOCK]);
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== '55P03') throw cause;
    throw databaseInUse(cause);
  }
  await connection.query('SET LOCAL lock_timeout = 0');
  await connection.query('UPDATE storeState SET epoch = epoch + 1');
}

/**
 * `DATA_LOCKED` if another process has the store open. Commands call it first, before they print a key that cannot be
 * used.
 */
export async function refuseOthers(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.query('SELECT pg_try_advisory_xact_lock($1) AS alone', [PRESENCE_LOCK]);
  if (rows[0]?.['alone'] !== true) throw databaseInUse();
}

function databaseInUse(cause?: unknown): EngineError {
  return new EngineError('DATA_LOCKED', 'other processes use the database, but this change needs it exclusively', {
    hint: 'stop all servers and workers of this database, run the command, then start them again, all with the same key',
    cause,
  });
}

function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => `$${++count}`);
}
