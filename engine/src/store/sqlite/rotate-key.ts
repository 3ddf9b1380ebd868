import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../base/log.ts';
import { CipherKey } from '../cipher.ts';
import { DATABASE_FILE, openDatabase, openReadOnly } from './database-file.ts';
import { asStoreError } from './sqlite-error.ts';
import { type KeyState, readKeyring, readKeyState } from '../maintenance/keyring.ts';
import type { ReEncryptedRows } from '../maintenance/re-encrypt.ts';
import { runSqliteScript, sqliteScriptDialect } from './sqlite-script.ts';
import { rotate } from '../maintenance/open-encryption.ts';

/**
 * Reads the key state of a data folder. Writes nothing. Errors as `readKeyring`, and `STORE_FAILED` if it cannot be
 * read.
 */
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
 * Seals a store with another key. This process must hold the lock of the data folder. If the process is killed at any
 * moment, the next call continues, and until then either key opens the store. The result counts the rows that this call
 * re-encrypted (`rows`), and those that could not be decrypted and were left unchanged (`left`). `CONFLICT` if an
 * unfinished rotation goes to a different key; other errors as `openSqlite`.
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
