import { statSync } from 'node:fs';
import { folderOfSetting, overlapOf, type OwnFolders } from '../own-folders.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import type { NotebookFolders } from '../permissions.ts';

/**
 * Refuses a folder for tools that is, contains or lies in the config or the data folder: a tool could read or change the
 * settings, or read the store. `path` is the value of the key `at`.
 */
export function checkRoot(path: string | undefined, at: DocumentPath, folders: OwnFolders | undefined): Finding[] {
  if (path === undefined || folders === undefined) return [];
  const overlap = overlapOf(folderOfSetting(path, folders.config), folders);
  if (overlap === undefined) return [];
  const hint = 'name a folder of its own, such as ./documents';
  return [{ code: 'CONFIG_ROOT', path: at, message: `the folder ${JSON.stringify(path)} ${overlap}`, hint }];
}

/** The same for the notebooks of the settings, with a warning for each folder that does not exist. */
export function checkNotebooks(roots: NotebookFolders, folders: OwnFolders | undefined): Finding[] {
  return Object.entries(roots).flatMap(([name, path]) => {
    const found = checkRoot(path, ['roots', name], folders);
    const isMissing = folders !== undefined && !isFolder(folderOfSetting(path, folders.config));
    return found.length === 0 && isMissing ? [missing(path, ['roots', name])] : found;
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function missing(path: string, at: DocumentPath): Finding {
  const message = `there is no folder ${JSON.stringify(path)}, so the tools open nothing there`;
  return { code: 'CONFIG_ROOT_MISSING', path: at, message, hint: 'create the folder, or correct the path' };
}
