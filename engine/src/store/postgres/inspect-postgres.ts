import { CipherKey } from '../cipher.ts';
import type { InspectedStore, InspectionResult } from '../maintenance/inspection.ts';
import { findDamaged, refuseChange } from '../maintenance/inspection.ts';
import { readKeyring } from '../maintenance/keyring.ts';
import type { SqlDatabase } from './sql-database.ts';
import { MIGRATIONS } from '../migrations.ts';
import { asPgError } from './pg-errors.ts';
import { PgReader } from './pg-reader.ts';
import { readVersion } from './pg-schema.ts';
import { pgScriptDialect, runPgScript } from './pg-script.ts';
import { type StoreKeys, storeKeysFor } from '../maintenance/open-encryption.ts';

/**
 * Opens a read-only view of a PostgreSQL store; undefined if the database contains no store yet. `close` of the view
 * leaves the database open. Errors as `openPostgres`, except `STORE_TOO_NEW`: the property `schema` shows the version.
 */
export async function inspectPostgres(
  database: SqlDatabase,
  key: string | undefined,
): Promise<InspectedStore | undefined> {
  try {
    const state = await readVersion(database);
    if (state === undefined) return undefined;
    const cipherKey = key === undefined ? undefined : new CipherKey(key);
    const ring = await runPgScript(database, readKeyring(pgScriptDialect, cipherKey));
    const plain: StoreKeys = { storage: 'plaintext', codec: pgScriptDialect.plainCodec, secret: '' };
    return new ExaminedPostgres(database, state, ring === undefined ? plain : storeKeysFor(pgScriptDialect, ring));
  } catch (cause) {
    throw asPgError(cause, 'cannot inspect the database');
  }
}

class ExaminedPostgres extends PgReader implements InspectedStore {
  readonly storage: InspectedStore['storage'];
  readonly schema: InspectedStore['schema'];
  readonly #database: SqlDatabase;
  readonly #keys: StoreKeys;

  constructor(
    database: SqlDatabase,
    { version, readableBy }: { readonly version: number; readonly readableBy: number },
    keys: StoreKeys,
  ) {
    super(database, keys);
    this.schema = { found: version, known: MIGRATIONS.length, readableBy };
    this.storage = keys.storage;
    this.#database = database;
    this.#keys = keys;
  }

  async faults(): Promise<string[]> {
    const { rows } = await this.#database.query(`
      SELECT checksum_failures || ' pages do not match their checksums' AS fault FROM pg_stat_database
      WHERE datname = current_database() AND checksum_failures > 0
      UNION ALL SELECT 'index ' || indexrelid::regclass || ' is not valid' FROM pg_index WHERE NOT indisvalid`);
    return rows.map(({ fault }) => String(fault));
  }

  damagedRows(timeMs: number): Promise<InspectionResult> {
    return runPgScript(this.#database, findDamaged(pgScriptDialect, this.#keys.codec, timeMs));
  }

  async apply(): Promise<void> {
    throw refuseChange();
  }

  async close(): Promise<void> {}
}
