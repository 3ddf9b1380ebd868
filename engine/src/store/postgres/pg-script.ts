import { EngineError } from '../../base/error.ts';
import { type Bound, plainCodec } from '../codec.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { createPgCodec } from './pg-codec.ts';
import { OPENING_LOCK, PRESENCE_LOCK } from './advisory-locks.ts';
import type { ScriptDialect, Script } from '../maintenance/script.ts';
import type { SqlDialect } from '../sql.ts';
import { TABLE_NAMES } from '../tables.ts';

/** The language of PostgreSQL. Unquoted names are folded to lower case there, hence the names of columns that are read. */
export const pgDialect: SqlDialect<Bound | readonly Bound[]> = {
  placeholder: (number) => `$${number}`,
  inList: (column, values, add) => `${column} = ANY(${add(values)})`,
  readColumn: (column) => (column === column.toLowerCase() ? column : `${column} AS "${column}"`),
};

/**
 * A table is written anew whole: that leaves nothing of rows that were overwritten in its file, nor in what the server knows
 * about its values. The write-ahead log of the server still holds them, until it is overwritten, and so do backups.
 */
const PURGE = [
  ...['keyring', ...TABLE_NAMES].map((table) => `VACUUM (FULL, ANALYZE) ${table}`),
  // Passed over with a warning where the user does not own the database.
  'VACUUM FULL pg_statistic',
];

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

/** How long others may take to finish what they are in the middle of, before they count as being at work. */
const EXCLUSIVE_WAIT_MS = 3_000;

/** Runs a script to its end. Its transactions follow each other, those of other processes included. */
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

/** Waits for whoever else changes schema or keys, for as long as it takes; until the end of the transaction. */
export async function lockForOpening(connection: SqlConnection): Promise<void> {
  await connection.query('SET LOCAL lock_timeout = 0');
  await connection.query('SELECT pg_advisory_xact_lock($1)', [OPENING_LOCK]);
}

/**
 * Makes sure, until the end of the transaction, that no store is open beside it, and that one which had lost its connection
 * meanwhile commits no more. `DATA_LOCKED` where one is open.
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

/** `DATA_LOCKED` where a store is open beside, as one would find later: before anything is said that would not hold then. */
export async function refuseOthers(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.query('SELECT pg_try_advisory_xact_lock($1) AS alone', [PRESENCE_LOCK]);
  if (rows[0]?.['alone'] !== true) throw databaseInUse();
}

function databaseInUse(cause?: unknown): EngineError {
  return new EngineError('DATA_LOCKED', 'other processes work on the database, which is to be changed as a whole', {
    hint: 'stop all servers and workers of this database, do it, then start them again, all with the same key',
    cause,
  });
}

function numbered(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => `$${++count}`);
}
