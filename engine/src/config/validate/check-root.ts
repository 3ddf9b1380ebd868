import { statSync } from 'node:fs';
import type { DeclaredTool } from '../config.ts';
import { folderOfSetting, isOwn, overlapOf, type OwnFolders } from '../own-folders.ts';
import type { DocumentPath, Finding } from '../problem.ts';

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

/** The same for the notebooks or workspaces of the settings, with a warning for each folder that does not exist. */
export function checkNamedFolders(
  key: 'roots' | 'workspaces',
  named: Readonly<Record<string, string>>,
  folders: OwnFolders | undefined,
): Finding[] {
  return Object.entries(named).flatMap(([name, path]) => {
    const found = checkRoot(path, [key, name], folders);
    const isMissing = folders !== undefined && !isFolder(folderOfSetting(path, folders.config));
    return found.length === 0 && isMissing ? [missing(path, [key, name])] : found;
  });
}

/**
 * Refuses folders for the program of a declared tool that are the config or the data folder, or lie in one. A folder that contains
 * them is accepted: a sandbox hides them.
 */
export function checkProgramFolders(tool: DeclaredTool, folders: OwnFolders | undefined): Finding[] {
  if (tool.kind === 'http' || folders === undefined) return [];
  const named = [
    { path: tool.cwd, at: ['cwd'] },
    ...(tool.kind === 'command' ? tool.folders.map(({ path }, i) => ({ path, at: ['folders', i, 'path'] })) : []),
  ];
  return named
    .filter(({ path }) => path !== undefined && isOwn(folderOfSetting(path, folders.config), folders))
    .flatMap(({ path, at }) => checkRoot(path, at, folders));
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
