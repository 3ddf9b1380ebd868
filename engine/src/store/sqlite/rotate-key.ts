import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../base/log.ts';
import { CipherKey } from '../cipher.ts';
import { asStoreError, DATABASE_FILE, openDatabase, openReadOnly } from './database-file.ts';
import { type KeyState, readKeyring, readKeyState } from '../maintenance/keyring.ts';
import type { ReEncryptedRows } from '../maintenance/re-encrypt.ts';
import { runSqliteScript, sqliteScriptDialect } from './sqlite-script.ts';
import { rotate } from '../maintenance/open-encryption.ts';

/** Looks at a data folder, and writes nothing. `STORE_KEY_MISSING`, `STORE_KEY_WRONG`, `STORE_TAMPERED`, `STORE_FAILED`. */
export function readSqliteKeyState(dir: string, key: string | undefined): KeyState {
  const file = join(dir, DATABASE_FILE);
  if (!existsSync(file)) return { isEncrypted: false, rotatingTo: undefined };
  let db: DatabaseSync | undefined;
  try {
    db = openReadOnly(file);
    return runSqliteScript(db, readKeyState(sqliteScriptDialect, key));
  } catch (cause) {
    throw asStoreError(cause, `cannot read ${file}`);
  } finally {
    db?.close();
  }
}

/**
 * Seals a store under another key; the data folder must be locked by this process. Killed at any moment it goes on at the
 * next call, and either key opens the store meanwhile. `rows` were sealed anew by this call; `left` could not be opened and
 * stay as they were. `CONFLICT` where a rotation to another key is under way; else as `openSqlite`.
 */
export function rotateKey(
  dir: string,
  keys: { readonly from: string; readonly to: string },
  log: Logger,
): ReEncryptedRows {
  const file = join(dir, DATABASE_FILE);
  const from = new CipherKey(keys.from);
  let db: DatabaseSync | undefined;
  try {
    const inspect = (found: DatabaseSync) => void runSqliteScript(found, readKeyring(sqliteScriptDialect, from));
    db = openDatabase(file, { synchronous: 'FULL', isSealed: true, inspect });
    return runSqliteScript(db, rotate(sqliteScriptDialect, from, new CipherKey(keys.to), log));
  } catch (cause) {
    throw asStoreError(cause, `cannot change the key of ${file}`);
  } finally {
    db?.close();
  }
}
