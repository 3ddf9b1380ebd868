import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { EngineError } from '../base/error.ts';
import type { FileFacts, FileRoot, PathOptions } from './file.ts';
import { withFolder } from './open-folder.ts';
import { deniedPath, quoted } from './path-text.ts';
import { fileError, resolvePath } from './resolve-path.ts';

/** Most names of one folder that are read. */
const MAX_NAMES = 100_000;

/** Options of `listFolder`. */
export interface ListFolderOptions extends PathOptions {
  /** Most entries of the result. */
  readonly limit: number;
}

/** Entries of a folder in the order of their names. */
export interface FolderList {
  /** Real path of the folder below the root. */
  readonly path: string;
  readonly entries: readonly FileFacts[];
  /** True where the folder has more entries than the list. */
  readonly isTruncated: boolean;
}

/**
 * Lists the files and folders of one folder. Links, pipes and devices are left out, so every entry can be opened. Errors as
 * `resolvePath`; `BAD_REQUEST` for a file.
 */
export async function listFolder(root: FileRoot, text: string, options: ListFolderOptions): Promise<FolderList> {
  const real = await resolvePath(root, text, options);
  const list = await withFolder(real, async ({ at }) => {
    const names: string[] = [];
    let isCut = false;
    for await (const entry of await opendir(at('.'))) {
      options.signal?.throwIfAborted();
      if (!isOpenable(entry)) continue;
      if (names.length >= MAX_NAMES) {
        isCut = true;
        break;
      }
      names.push(entry.name);
    }
    const shown = names.sort().slice(0, options.limit);
    const entries: FileFacts[] = [];
    for (const name of shown)
      entries.push(...(await factsOf(at(name), real.path === '' ? name : `${real.path}/${name}`)));
    return { path: real.path, entries, isTruncated: isCut || names.length > shown.length };
  }).catch((error: unknown) => {
    throw isNoFolder(error) ? notFolder(text) : fileError(error, root, text);
  });
  if (list === undefined) throw deniedPath(root, text, 'it was replaced while it was opened');
  return list;
}

/** Whether an entry of a folder is a file or a folder, not a link. */
export function isOpenable(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory();
}

/** Empty where the entry is gone, or is no longer a file or a folder. */
async function factsOf(place: string, path: string): Promise<readonly FileFacts[]> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return [];
  const modifiedAt = Math.round(stats.mtimeMs);
  return [
    stats.isFile()
      ? { path, kind: 'file', size: stats.size, modifiedAt }
      : { path, kind: 'folder', size: 0, modifiedAt },
  ];
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
}

function notFolder(text: string): EngineError {
  return new EngineError('BAD_REQUEST', `${quoted(text)} is a file, not a folder`, { hint: 'name a folder' });
}
