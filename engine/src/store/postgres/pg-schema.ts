import { EngineError } from '../../base/error.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { lockForOpening, lockPresence } from './pg-script.ts';
import { TABLES } from '../tables.ts';

/**
 * For each schema version, the oldest version whose code can still use it. After a step that adds a table, or a column
 * with a default, processes of older versions can go on, so that processes can be updated one by one. A step that older
 * code cannot work with has its own version here. 11: older code would call tools past the guards. 12: older
 * code does not know the machines of objectives and plans. 13: older code cannot run turns of group chats. 14: older code
 * would store mails that searches do not find. 16: the same of runs.
 */
export const READABLE_BY: readonly number[] = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 11, 12, 13, 14, 14, 16];

/**
 * Statements that only PostgreSQL needs, by schema version. Tables whose rows change with every step of a run have a
 * lower fillfactor: a page keeps room for the new version of a row, so that the update changes no index (HOT).
 * Autovacuum cleans them often.
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
  ...Array.from({ length: 9 }, () => []),
  // The pieces are as dense as random bytes: trying to compress them is in vain, and a second table is a second look-up.
  [`ALTER TABLE searchChunk ALTER COLUMN body SET STORAGE PLAIN`],
];

/**
 * A table with one row: schema version, oldest version that can use it, and the epoch, which grows when open stores are
 * outdated.
 */
const STATE_TABLE = `CREATE TABLE IF NOT EXISTS storeState (
  one BOOLEAN PRIMARY KEY CHECK (one), version BIGINT NOT NULL, readableBy BIGINT NOT NULL, epoch BIGINT NOT NULL)`;

/**
 * Translates a statement of the common schema to PostgreSQL. Texts sort by their bytes, as in SQLite, not by a
 * language.
 */
export function translate(statement: string): string {
  return statement
    .replace(/ WITHOUT ROWID$/, '')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replace(/\bBLOB\b/g, 'BYTEA');
}

/**
 * Migrates the schema to this version. Processes that start at the same time wait for each other. `STORE_TOO_NEW` if a
 * newer version wrote the schema and this version cannot use it; `DATA_LOCKED` if running processes could not use the
 * new schema.
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
    // No query searches bodies, and the planner's statistics would contain values of them in plain text.
    for (const [table, { columns }] of Object.entries(TABLES))
      if ('body' in columns) await connection.query(`ALTER TABLE ${table} ALTER COLUMN body SET STATISTICS 0`);
    if (found < MIGRATIONS.length)
      await connection.query('UPDATE storeState SET version = $1, readableBy = $2', [MIGRATIONS.length, readableBy]);
  });
}

/** Reads the schema version; 0 for an empty database. `STORE_TOO_NEW` if this code cannot use it. */
async function readUsableVersion(connection: SqlConnection): Promise<number> {
  const known = MIGRATIONS.length;
  const { version, readableBy } = (await readVersion(connection)) ?? { version: 0, readableBy: 0 };
  if (version > known && readableBy > known)
    throw new EngineError(
      'STORE_TOO_NEW',
      `a newer version migrated the database to schema ${version}, which needs at least schema ${readableBy}; this version knows ${known}`,
      { hint: 'update Callsheet, or name another database in DATABASE_URL' },
    );
  return version;
}

/** Reads the schema version and the oldest version that can use it; undefined for an empty database. */
export async function readVersion(
  connection: SqlConnection,
): Promise<{ version: number; readableBy: number } | undefined> {
  const { rows: tables } = await connection.query(`SELECT to_regclass('storeState') IS NOT NULL AS has`);
  if (tables[0]?.['has'] !== true) return undefined;
  const { rows } = await connection.query('SELECT version, readableBy AS "readableBy" FROM storeState');
  return rows[0] as { version: number; readableBy: number };
}
