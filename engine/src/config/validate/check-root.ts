import { folderOfSetting, overlapOf, type OwnFolders } from '../own-folders.ts';
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
