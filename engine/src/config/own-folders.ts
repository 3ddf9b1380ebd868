import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from '../base/no-follow.ts';

/** The folders of this Callsheet, which no tool may open. Absolute paths. */
export interface OwnFolders {
  readonly config: string;
  /** Absent for a process without a data folder. */
  readonly data?: string | undefined;
}

/** The folders of a process with this config folder and data folder. */
export function ownFolders({
  dir,
  dataDir,
}: {
  readonly dir: string;
  readonly dataDir?: string | undefined;
}): OwnFolders {
  return { config: resolve(dir), ...(dataDir !== undefined && { data: resolve(dataDir) }) };
}

/** The folder that a key of the settings names. Relative paths start at the parent of the config folder. */
export function folderOfSetting(path: string, configDir: string): string {
  return resolve(dirname(configDir), path);
}

/**
 * Why a folder cannot be a root for tools: it is, contains or lies in the config or the data folder, by real paths. Undefined
 * for a folder that can.
 */
export function overlapOf(folder: string, { config, data }: OwnFolders): string | undefined {
  const real = realPathOf(folder);
  for (const [name, path] of [
    ['config', config],
    ['data', data],
  ] as const) {
    if (path === undefined) continue;
    const own = realPathOf(path);
    if (own === real) return `is the ${name} folder`;
    if (isWithin(own, real)) return `contains the ${name} folder`;
    if (isWithin(real, own)) return `lies in the ${name} folder`;
  }
  return undefined;
}

/** Whether a folder is the config or the data folder, or lies in one, by real paths. */
export function isOwn(folder: string, { config, data }: OwnFolders): boolean {
  const real = realPathOf(folder);
  return [config, data].some((path) => path !== undefined && isWithin(real, realPathOf(path)));
}

/** The real path of a folder, also of one that does not exist yet. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}
