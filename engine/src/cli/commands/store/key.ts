import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rotateStoreKey } from '../../../app/rotate-key.ts';
import { EngineError, errorBody } from '../../../base/error.ts';
import { makeKey, parseKey } from '../../../store/cipher.ts';
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
  const { rows, left } = await rotateStoreKey(context, {
    newKey: namedKey(context, newKeyFile),
    // Before it is used: whatever happens from here on, the user has it.
    onNewKey: (key) => (isJson ? print({ key }) : terminal.out(`${key}\n`)),
  });
  say(`rows sealed under the new key: ${rows}; set VX_MAILAGENT_KEY to it, the old one opens nothing any more`);
  if (left > 0) log.warn('some rows could not be opened and were left as they are', { rows: left });
  return left > 0 ? EXIT.warning : EXIT.fine;
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
