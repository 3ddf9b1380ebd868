import { constants } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/**
 * Flags to open a file for reading where its name is not a symbolic link: `ELOOP` for a link. Windows has no such flag,
 * and only administrators create links there.
 */
// Windows has no O_NOFOLLOW; the type of `constants` says otherwise.
export const READ_NO_FOLLOW = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW);

/** Whether an absolute path is the folder or below it; both are real paths. */
export function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The real path of a file below a folder; undefined where links lead out of the folder. Rejects where there is none. */
export async function realPathWithin(path: string, folder: string): Promise<string | undefined> {
  const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
  return isWithin(real, root) ? real : undefined;
}
