import { constants } from 'node:fs';
import { copyFile, lstat, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { EngineError } from '../../base/error.ts';

/** What a working copy of a folder may have at most. */
export interface CopyLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Limits of a working copy. */
export const COPY_LIMITS: CopyLimits = { maxFiles: 50_000, maxBytes: 1024 * 1024 * 1024 };

/**
 * Copies these files of a folder, as they lie on the disk, into an empty folder; returns the names of those that were copied. Links are
 * copied as links, and never followed. What is neither a file nor a link, is gone, or lies behind a link, is left out.
 * `names`: paths below `from`, with `/`. `TOO_LARGE`. Rejects on abort.
 */
export async function copyFiles(
  names: readonly string[],
  { from, to, limits, signal }: { from: string; to: string; limits: CopyLimits; signal?: AbortSignal | undefined },
): Promise<string[]> {
  if (names.length > limits.maxFiles) throw tooLarge(from, `${names.length} files`, `${limits.maxFiles} files`);
  const root = await realpath(from);
  const folders = new Map<string, boolean>();
  const copied: string[] = [];
  let bytes = 0;
  for (const name of names) {
    signal?.throwIfAborted();
    if (!(await isPlainFolder(root, dirname(name), folders))) continue;
    const source = join(root, name);
    const found = await lstat(source).catch(() => undefined);
    if (found === undefined || !(found.isFile() || found.isSymbolicLink())) continue;
    bytes += found.size;
    if (bytes > limits.maxBytes)
      throw tooLarge(from, 'more', `${Math.round(limits.maxBytes / (1024 * 1024))} MB of files`);
    const target = join(to, name);
    await makeFolder(dirname(target));
    if (found.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    copied.push(name);
  }
  return copied;
}

/** Whether a folder lies where its name says: no part of its path is a link. */
async function isPlainFolder(root: string, name: string, known: Map<string, boolean>): Promise<boolean> {
  const before = known.get(name);
  if (before !== undefined) return before;
  const path = join(root, name);
  const isPlain = (await realpath(path).catch(() => undefined)) === path;
  known.set(name, isPlain);
  return isPlain;
}

function tooLarge(folder: string, has: string, limit: string): EngineError {
  return new EngineError(
    'TOO_LARGE',
    `${folder} is too large to work in: it has ${has}, and a copy may have ${limit}`,
    {
      hint: 'choose a smaller folder, or name what need not be copied in its .gitignore',
    },
  );
}
