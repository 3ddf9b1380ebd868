import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EngineError, errorBody } from '../../../base/error.ts';
import { makeKey, parseKey } from '../../../store/cipher.ts';
import { lockData } from '../../../store/sqlite/data-lock.ts';
import { asPgError } from '../../../store/postgres/pg-errors.ts';
import { passwordsIn, withoutPassword } from '../../../store/postgres/database-url.ts';
import type { KeyState } from '../../../store/maintenance/keyring.ts';
import type { ReEncryptedRows } from '../../../store/maintenance/re-encrypt.ts';
import { readSqliteKeyState, rotateKey } from '../../../store/sqlite/rotate-key.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `key make`: a new key on stdout; nothing is stored. */
export async function printNewKey({ isJson, print, say, terminal }: CommandContext): Promise<number> {
  const key = makeKey();
  if (isJson) print({ key });
  else terminal.out(`${key}\n`);
  say('put it into .env as VX_MAILAGENT_KEY, and keep a copy elsewhere: without it what is stored cannot be read');
  return EXIT.fine;
}

/** A store that is to be put under another key. */
interface Rotating {
  /** What people call it. */
  readonly name: string;
  state(): Promise<KeyState>;
  /** `DATA_LOCKED` where others work on it. */
  refuseOthers(): Promise<void>;
  rotate(keys: { readonly from: string; readonly to: string }): Promise<ReEncryptedRows>;
  close(): Promise<void>;
}

/**
 * `key rotate`: seals everything under another key, that of --new-key-file or VX_MAILAGENT_NEW_KEY, else a new one, which is
 * printed before anything is written. No process may work on the data folder, or on the database that several share, meanwhile:
 * `DATA_LOCKED`. Killed at any moment it goes on when it is called again. Exit 1 where rows could not be opened, 2 where there is
 * nothing to rotate, somebody works on it, or a key is wrong.
 */
export async function rotate(
  context: CommandContext,
  { newKeyFile }: { readonly newKeyFile?: string },
): Promise<number> {
  const { isJson, log, print, say, terminal } = context;
  const from = parseKey(context.env('VX_MAILAGENT_KEY') ?? '');
  const named = namedKey(context, newKeyFile);
  const store = await openRotating(context, from);
  try {
    const { isEncrypted, rotatingTo } = await store.state();
    if (!isEncrypted || from === undefined) throw plaintext(store.name);
    await store.refuseOthers();
    const to = named ?? rotatingTo ?? makeKey();
    // Before it is used: whatever happens from here on, the user has it.
    if (named === undefined && isJson) print({ key: to });
    else if (named === undefined) terminal.out(`${to}\n`);
    const { rows, left } = await store.rotate({ from, to });
    say(`rows sealed under the new key: ${rows}; set VX_MAILAGENT_KEY to it, the old one opens nothing any more`);
    if (left > 0) log.warn('some rows could not be opened and were left as they are', { rows: left });
    return left > 0 ? EXIT.warning : EXIT.fine;
  } finally {
    await store.close();
  }
}

async function openRotating(context: CommandContext, from: string | undefined): Promise<Rotating> {
  const { dataDir, env, log, redactor } = context;
  const url = env('DATABASE_URL') ?? '';
  if (url === '') {
    if (!existsSync(dataDir)) throw plaintext(`data folder ${dataDir}`);
    const lock = lockData(dataDir);
    return {
      name: `data folder ${dataDir}`,
      state: async () => readSqliteKeyState(dataDir, from),
      refuseOthers: async () => {},
      rotate: async (keys) => rotateKey(dataDir, keys, log),
      close: async () => lock.release(),
    };
  }
  for (const password of passwordsIn(url)) redactor.add(password);
  const [{ openPg }, { readPgKeyState, rotatePgKey }, { refuseOthers }] = await Promise.all([
    import('../../../store/postgres/pool.ts'),
    import('../../../store/postgres/pg-encryption.ts'),
    import('../../../store/postgres/pg-script.ts'),
  ]);
  const database = openPg(url, { log });
  const asked = <T>(work: Promise<T>) =>
    work.catch((cause: unknown) => {
      throw asPgError(cause, 'cannot change the key of the database');
    });
  return {
    name: `database ${withoutPassword(url) ?? ''}`,
    state: () => asked(readPgKeyState(database, from)),
    refuseOthers: () => asked(refuseOthers(database)),
    rotate: (keys) => asked(rotatePgKey(database, keys, log)),
    close: () => database.close(),
  };
}

function namedKey({ env, terminal }: CommandContext, file: string | undefined): string | undefined {
  const text = file === undefined ? env('VX_MAILAGENT_NEW_KEY') : readKeyFile(resolve(terminal.cwd, file));
  if (text === undefined || text === '') return undefined;
  const key = parseKey(text);
  if (key !== undefined) return key;
  const where = file === undefined ? 'VX_MAILAGENT_NEW_KEY' : `the file ${file}`;
  throw new EngineError('USAGE', `${where} does not hold a key: 64 hex digits`, {
    hint: 'callsheet key make prints one',
  });
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new EngineError('USAGE', `the key file ${file} cannot be read: ${errorBody(cause).message}`, { cause });
  }
}

function plaintext(place: string): EngineError {
  return new EngineError('USAGE', `the ${place} is not encrypted: there is no key to rotate`, {
    hint: 'set VX_MAILAGENT_KEY (callsheet key make prints one) and start: everything is encrypted then',
  });
}
