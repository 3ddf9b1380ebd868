import { CipherKey } from '../cipher.ts';
import type { Examined, Findings } from '../maintenance/inspection.ts';
import { findDamaged, refuseChange } from '../maintenance/inspection.ts';
import { readKeyring } from '../maintenance/keyring.ts';
import type { SqlDatabase } from './sql-database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { asPgError } from './pg-errors.ts';
import { PgReader } from './pg-reader.ts';
import { readVersion } from './pg-schema.ts';
import { pgFlavour, playPg } from './pg-script.ts';
import { type Unlocked, unlockedBy } from '../maintenance/open-encryption.ts';

/**
 * Looks at a PostgreSQL store, undefined where the database holds none yet. It stays open when the look is closed. Errors as
 * those of `openPostgres`, but for `STORE_TOO_NEW`: that is told by `schema`.
 */
export async function examinePostgres(database: SqlDatabase, key: string | undefined): Promise<Examined | undefined> {
  try {
    const state = await readVersion(database);
    if (state === undefined) return undefined;
    const given = key === undefined ? undefined : new CipherKey(key);
    const ring = await playPg(database, readKeyring(pgFlavour, given));
    const plain: Unlocked = { storage: 'plaintext', codec: pgFlavour.plain, secret: '' };
    return new ExaminedPostgres(database, state, ring === undefined ? plain : unlockedBy(pgFlavour, ring));
  } catch (cause) {
    throw asPgError(cause, 'cannot look at the database');
  }
}

class ExaminedPostgres extends PgReader implements Examined {
  readonly storage: Examined['storage'];
  readonly schema: Examined['schema'];
  readonly #database: SqlDatabase;
  readonly #unlocked: Unlocked;

  constructor(
    database: SqlDatabase,
    { version, readableBy }: { readonly version: number; readonly readableBy: number },
    unlocked: Unlocked,
  ) {
    super(database, unlocked);
    this.schema = { found: version, known: MIGRATIONS.length, readableBy };
    this.storage = unlocked.storage;
    this.#database = database;
    this.#unlocked = unlocked;
  }

  async faults(): Promise<string[]> {
    const { rows } = await this.#database.query(`
      SELECT checksum_failures || ' pages do not match their checksums' AS fault FROM pg_stat_database
      WHERE datname = current_database() AND checksum_failures > 0
      UNION ALL SELECT 'index ' || indexrelid::regclass || ' is not valid' FROM pg_index WHERE NOT indisvalid`);
    return rows.map(({ fault }) => String(fault));
  }

  damagedRows(timeMs: number): Promise<Findings> {
    return playPg(this.#database, findDamaged(pgFlavour, this.#unlocked.codec, timeMs));
  }

  async apply(): Promise<void> {
    throw refuseChange();
  }

  async close(): Promise<void> {}
}
