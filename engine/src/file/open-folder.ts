import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../base/no-follow.ts';
import type { RealPath } from './resolve-path.ts';

/** Flags of an open that does not follow a link and does not wait for the other end of a pipe. Windows has neither. */
export const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A folder below a root, held open. */
export interface OpenFolder {
  /** Real path of the root. */
  readonly root: string;
  readonly handle: FileHandle | undefined;
  /**
   * Path of an entry for calls of `node:fs`. On Linux it goes through the open folder (`/proc/self/fd/7/a.md`), so that
   * it stays there even if somebody replaces the folder by a link meanwhile.
   */
  readonly at: (name: string) => string;
}

/**
 * Opens a folder without following a link, calls `use`, and closes the folder. Undefined instead of a result where the folder
 * was replaced between `resolvePath` and the open.
 */
export async function withFolder<Result>(
  { root, absolute }: Pick<RealPath, 'root' | 'absolute'>,
  use: (folder: OpenFolder) => Promise<Result>,
): Promise<Result | undefined> {
  const pathOf = (name: string) => join(absolute, name);
  // Windows cannot open a folder as a file.
  if (process.platform === 'win32') return use({ root, handle: undefined, at: pathOf });
  const handle = await open(absolute, constants.O_RDONLY | constants.O_DIRECTORY | NO_FOLLOW);
  try {
    const place = await pathOfHandle(handle);
    if (place === undefined ? !(await isSameFile(handle, absolute, root)) : !isWithin(place, root)) return undefined;
    const at = place === undefined ? pathOf : (name: string) => `/proc/self/fd/${handle.fd}/${name}`;
    return await use({ root, handle, at });
  } finally {
    await handle.close();
  }
}

/** Whether an open file is below the root: by the kernel's own path on Linux, elsewhere by the number of its inode. */
export async function isHandleWithin(handle: FileHandle, path: string, root: string): Promise<boolean> {
  const place = await pathOfHandle(handle);
  return place === undefined ? isSameFile(handle, path, root) : isWithin(place, root);
}

/** The path of an open file as the kernel knows it; undefined where the system does not say. */
async function pathOfHandle(handle: FileHandle): Promise<string | undefined> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
}

/** Whether a path leads inside the root to the file that is open. */
async function isSameFile(handle: FileHandle, path: string, root: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !isWithin(real, root)) return false;
  const [own, there] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true })]);
  return own.dev === there.dev && own.ino === there.ino;
}
