import { EngineError, type ErrorBody, errorBody } from '../../base/error.ts';
import { makeKey } from '../../store/cipher.ts';
import { readSqliteKeyState } from '../../store/sqlite/rotate-key.ts';
import { expectRewritable } from '../../store/sqlite/sole-use.ts';
import { openSqlite } from '../../store/sqlite/sqlite-store.ts';
import type { ProcessContext } from '../process-context.ts';
import { removeKeyLine, writeKeyLine } from './env-key.ts';

export interface EncryptFolderOptions extends Pick<ProcessContext, 'dataDir' | 'log' | 'redactor'> {
  /** Absolute path of the env file that the next start reads. */
  readonly envPath: string;
}

/**
 * Makes a key, writes it to the env file, and encrypts a data folder in plain text. This process must hold the lock of the folder
 * and have the store closed. The key is on the disk before the first row is sealed: a process that is killed at any moment leaves
 * a plain store, or a store whose key is in the file, and the next start finishes the work.
 *
 * Resolves with the error of an attempt that changed nothing, whose key line is taken out again, and with undefined after a
 * success. `STORE_FAILED` if some rows are encrypted and others not: the key then stays in the file.
 */
export async function encryptFolder({
  dataDir,
  envPath,
  log,
  redactor,
}: EncryptFolderOptions): Promise<ErrorBody | undefined> {
  const key = makeKey();
  redactor.add(key);
  try {
    expectRewritable(dataDir);
    writeKeyLine(envPath, key);
    log.info('a new key is in the env file', { file: envPath });
    await openSqlite({ dir: dataDir, key, log }).close();
    return undefined;
  } catch (error) {
    if (readSqliteKeyState(dataDir, key).isEncrypted) throw halfDone(dataDir, envPath, error);
    removeKeyLine(envPath, key);
    return errorBody(error);
  }
}

function halfDone(dataDir: string, envPath: string, cause: unknown): EngineError {
  const { message, hint } = errorBody(cause);
  return new EngineError('STORE_FAILED', `the data folder ${dataDir} is not completely encrypted yet: ${message}`, {
    hint: `${hint === undefined ? '' : `${hint}; `}then start again: the key is in ${envPath}, and the start finishes the work`,
    cause,
  });
}
