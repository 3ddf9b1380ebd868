import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Rights of the group and of all other users. */
const OTHERS = 0o077;

/** What other users of the machine may open in a folder that is meant for one user. */
export interface Exposure {
  /** Set if others may open the folder itself. */
  readonly folder?: {
    /** `0755` */
    readonly mode: string;
    /** Why the mode could not be changed: `it belongs to another user (uid 0)`. */
    readonly reason?: string;
  };
  /** Names of the exposed files in it. */
  readonly files: readonly string[];
}

/** Whether this system has modes of files; Windows has none, and its folders are private by their place. */
const hasModes = process.platform !== 'win32';

/**
 * Finds what other users may open in a folder; changes nothing. Undefined if nothing is exposed, for a missing folder, and on
 * Windows. Looks at the folder and the files in it, follows no links, and does not descend.
 */
export function findExposure(dir: string): Exposure | undefined {
  const folder = hasModes ? statSync(dir, { throwIfNoEntry: false }) : undefined;
  if (folder === undefined) return undefined;
  const files = exposedFiles(dir).map(({ name }) => name);
  if ((folder.mode & OTHERS) !== 0) return { folder: { mode: modeOf(folder) }, files };
  return files.length === 0 ? undefined : { files };
}

/**
 * Takes the rights of other users from a folder and the files in it (0700 and 0600). A folder that contains folders holds other
 * things too: then only its files change. The result says what changed, and what is still exposed. Throws nothing: a user who
 * may write to a folder of somebody else cannot change its mode.
 */
export function closeToOthers(dir: string): { readonly changed: boolean; readonly left: Exposure | undefined } {
  const before = findExposure(dir);
  if (before === undefined) return { changed: false, left: undefined };
  for (const { name, info } of exposedFiles(dir)) tighten(join(dir, name), info);
  const reason = before.folder === undefined ? undefined : closeFolder(dir);
  const after = findExposure(dir);
  const left = after?.folder && reason !== undefined ? { ...after, folder: { ...after.folder, reason } } : after;
  return { changed: JSON.stringify(after) !== JSON.stringify(before), left };
}

/** Creates an empty file for its owner only; leaves an existing file alone. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/** The reason why the folder stays open, if it does. */
function closeFolder(dir: string): string | undefined {
  const info = statSync(dir);
  if (entriesOf(dir).some(({ info }) => info.isDirectory())) return 'it contains folders that are not of Callsheet';
  if (tighten(dir, info)) return undefined;
  const isOwn = process.getuid?.() === info.uid;
  return isOwn ? 'its file system keeps no modes' : `it belongs to another user (uid ${info.uid})`;
}

/** Whether the mode is private afterwards. */
function tighten(path: string, info: Stats): boolean {
  try {
    chmodSync(path, info.mode & 0o777 & ~OTHERS);
    return (statSync(path).mode & OTHERS) === 0;
  } catch {
    return false;
  }
}

function exposedFiles(dir: string): { name: string; info: Stats }[] {
  return entriesOf(dir).filter(({ info }) => info.isFile() && (info.mode & OTHERS) !== 0);
}

/** Empty for a folder that this user may not list: the check of its rights reports that. */
function entriesOf(dir: string): { name: string; info: Stats }[] {
  try {
    return readdirSync(dir).flatMap((name) => {
      const info = lstatSync(join(dir, name), { throwIfNoEntry: false });
      return info === undefined ? [] : [{ name, info }];
    });
  } catch {
    return [];
  }
}

function modeOf(info: Stats): string {
  return (info.mode & 0o7777).toString(8).padStart(4, '0');
}

/**
 * Creates a folder and the missing ones above it; an existing one is fine. `recursive` of Node's `mkdir` never ends where the system
 * says of a folder below an existing one that it does not exist, as below `/proc`.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const isFolder = async (at: string) => (await stat(at).catch(() => undefined))?.isDirectory() === true;
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (await isFolder(path)) return;
    // The root of a drive that is not there has no parent.
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    // Where the parent is there now, somebody has just made it, or the system never makes a folder in it.
    if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path), mode);
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

/** `makeFolder` at once. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolderSync(path)) return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    if (!isFolderSync(dirname(path))) makeFolderSync(dirname(path), mode);
    try {
      mkdirSync(path, { mode });
    } catch (again) {
      if (!isFolderSync(path)) throw again;
    }
  }
}

function isFolderSync(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
