import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { EngineError, type Where } from '../../base/error.ts';
import { isWithin } from '../../base/no-follow.ts';
import type { Settings } from '../../config/config.ts';
import { folderOfSetting, overlapOf, type OwnFolders } from '../../config/own-folders.ts';

/** What a folder is checked against. */
export interface FolderRules {
  readonly workspaces: Settings['workspaces'];
  readonly folders: OwnFolders;
}

/** Longest path of a folder, in characters. */
const MAX_PATH = 4096;
/** Most folders of one list. */
const MAX_FOLDERS = 1000;

/**
 * The real path of a folder in which an agent may work: it is there, is one of the workspaces or lies in one, and is not, contains or lies
 * in the config or the data folder, all by real paths. A relative path counts from the parent of the config folder. `where`: of
 * the errors. `BAD_REQUEST`, `FILE_DENIED`.
 */
export async function checkFolder(path: string, { workspaces, folders }: FolderRules, where?: Where): Promise<string> {
  const shown = JSON.stringify(path.slice(0, 200));
  if (path === '' || path.length > MAX_PATH || path.includes('\0'))
    throw new EngineError('BAD_REQUEST', `${shown} is no path of a folder`, { where });
  const real = await realpath(folderOfSetting(path, folders.config)).catch(() => undefined);
  const isFolder = real !== undefined && (await stat(real)).isDirectory();
  // A folder outside the workspaces gets the same answer whether it is there or not.
  const roots = workspaceRoots({ workspaces, folders });
  if (real === undefined || !roots.some(({ path: root }) => isWithin(real, root)))
    throw new EngineError('FILE_DENIED', `the folder ${shown} is not there, or lies in no workspace`, {
      hint: hintOf(roots),
      where,
    });
  if (!isFolder) throw new EngineError('BAD_REQUEST', `${shown} is no folder`, { where });
  const overlap = overlapOf(real, folders);
  if (overlap === undefined) return real;
  throw new EngineError('FILE_DENIED', `no agent may work in ${shown}: it ${overlap}`, {
    hint: 'choose another folder',
    where,
  });
}

/** A folder that a person can choose. */
export interface FolderChoice {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** Folders to choose from. */
export interface FolderChoices {
  /** The folder itself; null for the list of workspaces. */
  readonly path: string | null;
  /** The folder above it, where that may be chosen too. */
  readonly parent: string | null;
  readonly folders: readonly FolderChoice[];
  readonly isTruncated: boolean;
}

/** The workspaces, or the folders of one folder in them, by name. Links and hidden folders are left out. Errors as in `checkFolder`. */
export async function listChoices(path: string | undefined, rules: FolderRules): Promise<FolderChoices> {
  if (path === undefined || path === '')
    return { path: null, parent: null, folders: workspaceRoots(rules), isTruncated: false };
  const real = await checkFolder(path, rules);
  const entries = await readdir(real, { withFileTypes: true }).catch((cause: unknown) => {
    throw new EngineError('FILE_DENIED', `the folder ${JSON.stringify(path)} cannot be read`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  const own = names.filter((name) => overlapOf(join(real, name), rules.folders) === undefined).sort();
  const above = dirname(real);
  const isInside = workspaceRoots(rules).some((root) => isWithin(above, root.path));
  return {
    path: real,
    parent: isInside ? above : null,
    folders: own.slice(0, MAX_FOLDERS).map((name) => ({ name, path: join(real, name) })),
    isTruncated: own.length > MAX_FOLDERS,
  };
}

/** The workspaces that are there and may be used, by real path. */
function workspaceRoots({ workspaces, folders }: FolderRules): FolderChoice[] {
  return Object.entries(workspaces).flatMap(([name, path]) => {
    const found = folderOfSetting(path, folders.config);
    if (!isAbsolute(found) || overlapOf(found, folders) !== undefined) return [];
    try {
      return [{ name, path: realpathSync(found) }];
    } catch {
      return [];
    }
  });
}

function hintOf(roots: readonly FolderChoice[]): string {
  if (roots.length === 0) return 'name folders in settings.yaml: workspaces: { name: path }';
  return `workspaces: ${roots.map(({ name, path }) => `${name} (${path})`).join(', ')}`;
}
