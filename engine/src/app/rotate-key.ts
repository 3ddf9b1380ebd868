import { existsSync } from 'node:fs';
import { EngineError } from '../base/error.ts';
import { makeKey, parseKey } from '../store/cipher.ts';
import type { KeyState } from '../store/maintenance/keyring.ts';
import type { ReEncryptedRows } from '../store/maintenance/re-encrypt.ts';
import { passwordsIn, withoutPassword } from '../store/postgres/database-url.ts';
import { asPgError } from '../store/postgres/pg-errors.ts';
import { lockData } from '../store/sqlite/data-lock.ts';
import { readSqliteKeyState, rotateKey } from '../store/sqlite/rotate-key.ts';
import type { ProcessContext } from './process-context.ts';

type Context = Pick<ProcessContext, 'dataDir' | 'env' | 'log' | 'redactor'>;

export interface RotateOptions {
  /** Default: the key of a rotation that was interrupted, else a new one. */
  readonly newKey: string | undefined;
  /** Called with a key that was not given, before anything is written under it. */
  readonly onNewKey: (key: string) => void;
}

/**
 * Encrypts everything stored under another key. `DATA_LOCKED` if another process uses the data folder or the
 * shared database. An interrupted rotation continues at the next call. `USAGE` if nothing is encrypted.
 */
export async function rotateStoreKey(context: Context, { newKey, onNewKey }: RotateOptions): Promise<ReEncryptedRows> {
  const from = parseKey(context.env('VX_MAILAGENT_KEY') ?? '');
  const store = await openRotation(context, from);
  try {
    const { isEncrypted, rotatingTo } = await store.state();
    if (!isEncrypted || from === undefined) throw notEncrypted(store.name);
    await store.refuseOthers();
    const to = newKey ?? rotatingTo ?? makeKey();
    if (newKey === undefined) onNewKey(to);
    return await store.rotate({ from, to });
  } finally {
    await store.close();
  }
}

/** A store whose key is to be rotated. */
interface Rotation {
  /** As messages name it. */
  readonly name: string;
  state(): Promise<KeyState>;
  /** `DATA_LOCKED` if another process uses the store. */
  refuseOthers(): Promise<void>;
  rotate(keys: { readonly from: string; readonly to: string }): Promise<ReEncryptedRows>;
  close(): Promise<void>;
}

function openRotation(context: Context, from: string | undefined): Promise<Rotation> {
  const url = context.env('DATABASE_URL') ?? '';
  return url === '' ? openFolderRotation(context, from) : openDatabaseRotation(url, context, from);
}

async function openFolderRotation({ dataDir, log }: Context, from: string | undefined): Promise<Rotation> {
  const name = `data folder ${dataDir}`;
  if (!existsSync(dataDir)) throw notEncrypted(name);
  const lock = lockData(dataDir, log);
  return {
    name,
    state: async () => readSqliteKeyState(dataDir, from),
    refuseOthers: async () => {},
    rotate: async (keys) => rotateKey(dataDir, keys, log),
    close: async () => lock.release(),
  };
}

async function openDatabaseRotation(
  url: string,
  { log, redactor }: Context,
  from: string | undefined,
): Promise<Rotation> {
  for (const password of passwordsIn(url)) redactor.add(password);
  const [{ openPg }, { readPgKeyState, rotatePgKey }, { refuseOthers }] = await Promise.all([
    import('../store/postgres/pool.ts'),
    import('../store/postgres/pg-encryption.ts'),
    import('../store/postgres/pg-script.ts'),
  ]);
  const database = openPg(url, { log });
  const asPgErrors = <T>(work: Promise<T>) =>
    work.catch((cause: unknown) => {
      throw asPgError(cause, 'cannot change the key of the database');
    });
  return {
    name: `database ${withoutPassword(url) ?? ''}`,
    state: () => asPgErrors(readPgKeyState(database, from)),
    refuseOthers: () => asPgErrors(refuseOthers(database)),
    rotate: (keys) => asPgErrors(rotatePgKey(database, keys, log)),
    close: () => database.close(),
  };
}

function notEncrypted(name: string): EngineError {
  return new EngineError('USAGE', `the ${name} is not encrypted: no key to rotate`, {
    hint: 'set VX_MAILAGENT_KEY (see callsheet key make): the next start encrypts everything',
  });
}
