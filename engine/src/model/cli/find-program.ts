import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Path of a program, as a start without a shell finds it: as it is where its name has a slash, else in the folders of `path`.
 * Undefined if there is none that can be executed. A relative folder in `path` is left out: it would depend on the working
 * directory.
 */
export async function findProgram(
  program: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const isWindows = platform === 'win32';
  const hasFolder = program.includes('/') || (isWindows && program.includes('\\'));
  const folders = hasFolder ? [''] : path.split(delimiter).filter(isAbsolute);
  const names = isWindows && !/\.(exe|com)$/i.test(program) ? [`${program}.exe`, program] : [program];
  for (const folder of folders)
    for (const name of names) {
      const file = folder === '' ? name : join(folder, name);
      if (await isExecutable(file)) return file;
    }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
