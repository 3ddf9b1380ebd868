import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../base/error.ts';
import { READ_NO_FOLLOW } from '../../base/no-follow.ts';
import type { FetchingStore } from '../source.ts';

/** File in the folder of an account with the keys of the stores that have fetched it, one per line. */
export const STORES_FILE = '.callsheet-stores';

/** Bytes of the file that are read; a key has 33. */
const MAX_BYTES = 64 * 1024;

/**
 * Notes in an account's folder that this store fetches it. A store that knows no mail of a folder that another store has
 * fetched would answer every mail again: `STORE_LOST`, unless the store may be new. A folder that cannot be written, or
 * a list that cannot be read, is taken as it is.
 */
export async function noteStore(folder: string, store: FetchingStore): Promise<void> {
  const path = join(folder, STORES_FILE);
  const keys = await readKeys(path);
  if (keys === undefined || keys.includes(store.key)) return;
  if (keys.length > 0 && store.knowsNothing && !store.mayBeNew)
    throw new EngineError('STORE_LOST', `the mails in ${folder} were fetched into another store before`, {
      hint:
        'this store does not know which of them are answered. Put the data folder back from a copy; or, if all of them ' +
        `are to be worked on again, start with --accept-new-store or delete ${path}`,
    });
  const file = await open(path, 'a', 0o600).catch(() => undefined);
  try {
    await file?.writeFile(`${store.key}\n`);
  } finally {
    await file?.close();
  }
}

/** The keys in the list; none where there is no list, undefined where it cannot be read. */
async function readKeys(path: string): Promise<string[] | undefined> {
  try {
    const text = await readFile(path, { encoding: 'utf8', flag: READ_NO_FOLLOW });
    return text.length > MAX_BYTES ? undefined : text.split('\n').filter((line) => line !== '');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : undefined;
  }
}
