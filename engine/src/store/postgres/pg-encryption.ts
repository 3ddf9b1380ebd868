import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import { CipherKey } from '../cipher.ts';
import { type KeyState, readKeyState } from '../maintenance/keyring.ts';
import type { SqlDatabase, SqlConnection } from './sql-database.ts';
import { KEYS_LOCK, PRESENCE_LOCK } from './advisory-locks.ts';
import { migratePostgres } from './pg-schema.ts';
import { pgScriptDialect, runPgScript } from './pg-script.ts';
import type { ReEncryptedRows } from '../maintenance/re-encrypt.ts';
import { isChangePending, rotate, type StoreKeys, openEncryption } from '../maintenance/open-encryption.ts';

/** What a store works with, and what tells it that this no longer holds. */
export interface OpenPgStore extends StoreKeys {
  /** Of the database when it was opened: it grows when nobody may go on as before. */
  readonly epoch: number;
  /** Lets changes of keys begin that need the database for themselves. */
  releasePresence(): Promise<void>;
}

/**
 * Unlocks a database for its key, or for none, and keeps it from being changed as a whole while the store is open. Where rows
 * must be encrypted, or a rotation be finished, that is done first: `DATA_LOCKED` where others work on the database.
 */
export async function openPgEncryption(
  database: SqlDatabase,
  key: CipherKey | undefined,
  log: Logger,
  onGap: () => void,
): Promise<OpenPgStore> {
  for (;;) {
    const presence = await database.holdLock(
      `SELECT pg_advisory_lock_shared(${PRESENCE_LOCK})`,
      `SELECT pg_advisory_unlock_shared(${PRESENCE_LOCK})`,
      onGap,
    );
    try {
      if (!(await runPgScript(database, isChangePending(pgScriptDialect, key)))) {
        const keys = await runPgScript(database, openEncryption(pgScriptDialect, key, log));
        return { ...keys, epoch: await readEpoch(database), releasePresence: () => presence.close() };
      }
    } catch (error) {
      await presence.close();
      throw error;
    }
    await presence.close();
    await withKeysLock(database, () => runPgScript(database, openEncryption(pgScriptDialect, key, log)));
  }
}

/** As `epoch` of an entry, now. */
export async function readEpoch(connection: SqlConnection): Promise<number> {
  const { rows } = await connection.query('SELECT epoch FROM storeState WHERE one = $1', [true]);
  return Number(rows[0]?.['epoch']);
}

/** Looks at a database, and writes nothing. Errors as `readKeyring`. */
export function readPgKeyState(database: SqlDatabase, key: string | undefined): Promise<KeyState> {
  return runPgScript(database, readKeyState(pgScriptDialect, key));
}

/** As `rotateKey`, on a database that no process works on: else `DATA_LOCKED`. */
export async function rotatePgKey(
  database: SqlDatabase,
  keys: { readonly from: string; readonly to: string },
  log: Logger,
): Promise<ReEncryptedRows> {
  await migratePostgres(database);
  const script = rotate(pgScriptDialect, new CipherKey(keys.from), new CipherKey(keys.to), log);
  return withKeysLock(database, () => runPgScript(database, script));
}

/** Does `work` while no other process changes the keys of the database, or moves it: `DATA_LOCKED` where one does. */
export async function withKeysLock<T>(database: SqlDatabase, work: () => Promise<T>): Promise<T> {
  const keys = await database.holdLock(
    `SELECT pg_try_advisory_lock(${KEYS_LOCK}) AS got`,
    `SELECT pg_advisory_unlock(${KEYS_LOCK})`,
    () => {},
  );
  try {
    if (keys.rows[0]?.['got'] !== true)
      throw new EngineError('DATA_LOCKED', 'another process is changing the keys of the database, or moves it', {
        hint: 'start this one again when that one is done',
      });
    return await work();
  } finally {
    await keys.close();
  }
}
