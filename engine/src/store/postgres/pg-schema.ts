import { EngineError } from '../../base/error.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { lockForOpening, lockPresence } from './pg-script.ts';
import { TABLES } from '../tables.ts';

/**
 * For each version of the schema the oldest one whose code can still work with it: with a table more, or a column that has a
 * default, processes of the version before may go on while all are brought up to date one by one. A step that they could
 * not work with names its own version.
 */
export const READABLE_BY: readonly number[] = [4, 4, 4, 4, 4, 4, 4, 4];

/**
 * What PostgreSQL needs besides the steps that all databases share. Rows that change with every step of a run leave room on
 * their page, so that a new version of one lies beside the old one and no index is touched, and are swept often.
 */
const OWN_STEPS: readonly (readonly string[])[] = [
  [],
  [],
  [],
  [
    `CREATE INDEX timer_root ON timer (root)`,
    ...['machine', 'run', 'timer', 'approval', 'ledger'].map((table) => `ALTER TABLE ${table} SET (fillfactor = 80)`),
    ...['lease', 'claim', 'counter'].map((table) => `ALTER TABLE ${table} SET (fillfactor = 50)`),
    ...['machine', 'timer', 'lease', 'claim', 'counter'].map(
      (table) => `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
    ),
  ],
];

/** One row: the version of the schema, who can read it, and a number that grows when nobody may go on as before. */
const STATE_TABLE = `CREATE TABLE IF NOT EXISTS storeState (
  one BOOLEAN PRIMARY KEY CHECK (one), version BIGINT NOT NULL, readableBy BIGINT NOT NULL, epoch BIGINT NOT NULL)`;

/** A step of the common schema in PostgreSQL's words. Ids sort by their bytes, as everywhere else, not by a language. */
export function translate(statement: string): string {
  return statement
    .replace(/ WITHOUT ROWID$/, '')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replace(/\bBLOB\b/g, 'BYTEA');
}

/**
 * Brings the schema to this version. Processes that start at once wait for each other. `STORE_TOO_NEW` where a newer version
 * wrote it and says that this one cannot work with it; `DATA_LOCKED` where processes are at work that could not go on after it.
 */
export async function migratePostgres(database: SqlDatabase): Promise<void> {
  if ((await readUsableVersion(database)) === MIGRATIONS.length) return;
  await database.transaction(async (connection) => {
    await lockForOpening(connection);
    const found = await readUsableVersion(connection);
    const readableBy = READABLE_BY[MIGRATIONS.length - 1] ?? MIGRATIONS.length;
    if (found > 0 && found < readableBy) await lockPresence(connection);
    if (found === 0) {
      await connection.query(STATE_TABLE);
      await connection.query('INSERT INTO storeState (one, version, readableBy, epoch) VALUES (TRUE, 0, 0, 0)');
    }
    for (let version = found; version < MIGRATIONS.length; version++)
      for (const statement of [...MIGRATIONS[version]!, ...(OWN_STEPS[version] ?? [])])
        await connection.query(translate(statement));
    // Nothing is looked up by a body, and what is known about its values would lie open beside an encrypted one.
    for (const [table, { columns }] of Object.entries(TABLES))
      if ('body' in columns) await connection.query(`ALTER TABLE ${table} ALTER COLUMN body SET STATISTICS 0`);
    if (found < MIGRATIONS.length)
      await connection.query('UPDATE storeState SET version = $1, readableBy = $2', [MIGRATIONS.length, readableBy]);
  });
}

/** Version of the schema, 0 of an empty database. `STORE_TOO_NEW` where this code cannot work with it. */
async function readUsableVersion(connection: SqlConnection): Promise<number> {
  const known = MIGRATIONS.length;
  const { version, readableBy } = (await readVersion(connection)) ?? { version: 0, readableBy: 0 };
  if (version > known && readableBy > known)
    throw new EngineError(
      'STORE_TOO_NEW',
      `the database was brought to schema ${version} by a newer version, which needs schema ${readableBy} at least; this one knows ${known}`,
      { hint: 'update Callsheet, or name another database in DATABASE_URL' },
    );
  return version;
}

/** Version of the schema and who can still work with it; undefined of an empty database. */
export async function readVersion(
  connection: SqlConnection,
): Promise<{ version: number; readableBy: number } | undefined> {
  const { rows: tables } = await connection.query(`SELECT to_regclass('storeState') IS NOT NULL AS has`);
  if (tables[0]?.['has'] !== true) return undefined;
  const { rows } = await connection.query('SELECT version, readableBy AS "readableBy" FROM storeState');
  return rows[0] as { version: number; readableBy: number };
}
