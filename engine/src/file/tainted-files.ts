import { join } from 'node:path';
import type { Change, Store } from '../store/store.ts';
import type { FileRoot } from './file.ts';

type Root = Pick<FileRoot, 'folder'>;

/**
 * The change that notes that a run which had read text of strangers has written a file, or that the file is gone. `path` is the real path
 * below the root, `now` in epoch milliseconds.
 */
export function noteTaintedFile(store: Store, { root, path, now }: { root: Root; path: string; now: number }): Change {
  return { op: 'put', table: 'taintedFile', row: { file: keyOf(store, root, path), at: now } };
}

/** The change that forgets a file which was deleted; none where it was noted anew since `at`: there is another file in its place. */
export function forgetTaintedFile(store: Store, { root, path, at }: { root: Root; path: string; at: number }): Change {
  return { op: 'delete', table: 'taintedFile', where: { file: keyOf(store, root, path), at } };
}

/** When it was noted that text of a file may be of strangers, in epoch milliseconds; undefined where it was not. */
export async function taintedSince(store: Store, root: Root, path: string): Promise<number | undefined> {
  return (await store.get('taintedFile', { file: keyOf(store, root, path) }))?.at;
}

/** The part of a result that says whether text of these files may be of strangers. */
export async function trustOfFiles(
  store: Store,
  root: Root,
  paths: readonly string[],
): Promise<{ readonly trust?: 'untrusted' }> {
  if (paths.length === 0) return {};
  const files = [...new Set(paths.map((path) => keyOf(store, root, path)))];
  const found = await store.list('taintedFile', { where: [['file', 'in', files]], limit: 1 });
  return found.length > 0 ? { trust: 'untrusted' } : {};
}

function keyOf(store: Pick<Store, 'lookupKey'>, { folder }: Root, path: string): string {
  return store.lookupKey(`tainted file\0${join(folder, path)}`);
}
