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

/** Codec and secret of an open store, and the values that protect it from a change of keys by another process. */
export interface OpenPgStore extends StoreKeys {
  /**
   * Epoch of the database when the store was opened. It grows with each change of the whole store, after which this
   * store is outdated.
   */
  readonly epoch: number;
  /** Releases the presence lock, so that a process may change the whole store. */
  releasePresence(): Promise<void>;
}

/**
 * Opens the encryption of a database with a key, or without one, and holds the presence lock while the store is open,
 * so that no process changes the whole store meanwhile. First encrypts rows in plain text, or finishes an interrupted
 * rotation, if necessary: `DATA_LOCKED` if another process uses the database then. `onGap` is called after the lock was
 * lost and taken again.
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

/** Reads the current epoch of the database. */
export async function readEpoch(connection: SqlConnection): Promise<number> {
  const { rows } = await connection.query('SELECT epoch FROM storeState WHERE one = $1', [true]);
  return Number(rows[0]?.['epoch']);
}

/** Reads the key state of a database with a key of 64 hex digits. Writes nothing. Errors as `readKeyring`. */
export function readPgKeyState(database: SqlDatabase, key: string | undefined): Promise<KeyState> {
  return runPgScript(database, readKeyState(pgScriptDialect, key));
}

/** As `rotateKey`, for a database. `DATA_LOCKED` if another process uses it. */
export async function rotatePgKey(
  database: SqlDatabase,
  keys: { readonly from: string; readonly to: string },
  log: Logger,
): Promise<ReEncryptedRows> {
  await migratePostgres(database);
  const script = rotate(pgScriptDialect, new CipherKey(keys.from), new CipherKey(keys.to), log);
  return withKeysLock(database, () => runPgScript(database, script));
}

/**
 * Runs `work` while this process holds the keys lock. `DATA_LOCKED` if another process changes the keys or moves the
 * database.
 */
export async function withKeysLock<T>(database: SqlDatabase, work: () => Promise<T>): Promise<T> {
  const keys = await database.holdLock(
    `SELECT pg_try_advisory_lock(${KEYS_LOCK}) AS got`,
    `SELECT pg_advisory_unlock(${KEYS_LOCK})`,
    () => {},
  );
  try {
    if (keys.rows[0]?.['got'] !== true)
      throw new EngineError('DATA_LOCKED', 'another process changes the keys of the database or moves it', {
        hint: 'run this command again when the other process has finished',
      });
    return await work();
  } finally {
    await keys.close();
  }
}
