import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rotateStoreKey } from '../../../app/rotate-key.ts';
import { EngineError, errorBody } from '../../../base/error.ts';
import { makeKey, parseKey } from '../../../store/cipher.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `key make`: prints a new key on stdout. Stores nothing. */
export async function printNewKey({ isJson, print, say, terminal }: CommandContext): Promise<number> {
  const key = makeKey();
  if (isJson) print({ key });
  else terminal.out(`${key}\n`);
  say(
    'put the key into .env as VX_MAILAGENT_KEY, and keep a copy elsewhere: the stored data cannot be read without it',
  );
  return EXIT.fine;
}

/**
 * `key rotate`: encrypts all stored data under another key: that of --new-key-file or VX_MAILAGENT_NEW_KEY, else a new one, which
 * is printed before anything is written. `DATA_LOCKED` if another process uses the data folder or the database. After an
 * interruption the same command continues. Exit 1 if rows could not be decrypted, 2 if nothing is encrypted, another process uses
 * the data, or a key is wrong.
 */
export async function rotate(
  context: CommandContext,
  { newKeyFile }: { readonly newKeyFile?: string },
): Promise<number> {
  const { isJson, log, print, say, terminal } = context;
  const { rows, left } = await rotateStoreKey(context, {
    newKey: namedKey(context, newKeyFile),
    // Printed before its first use, so that the user has it whatever happens.
    onNewKey: (key) => (isJson ? print({ key }) : terminal.out(`${key}\n`)),
  });
  say(`${rows} rows encrypted under the new key; set VX_MAILAGENT_KEY to it, the old key is no longer valid`);
  if (left > 0) log.warn('some rows could not be decrypted and are unchanged', { rows: left });
  return left > 0 ? EXIT.warning : EXIT.fine;
}

function namedKey({ env, terminal }: CommandContext, file: string | undefined): string | undefined {
  const text = file === undefined ? env('VX_MAILAGENT_NEW_KEY') : readKeyFile(resolve(terminal.cwd, file));
  if (text === undefined || text === '') return undefined;
  const key = parseKey(text);
  if (key !== undefined) return key;
  const where = file === undefined ? 'VX_MAILAGENT_NEW_KEY' : `the file ${file}`;
  throw new EngineError('USAGE', `${where} is not a key: expected 64 hex digits`, {
    hint: 'make one with callsheet key make',
  });
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new EngineError('USAGE', `the key file ${file} cannot be read: ${errorBody(cause).message}`, { cause });
  }
}
