import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Abortable } from '../base/abort.ts';
import { EngineError } from '../base/error.ts';
import { realPathWithin } from '../base/no-follow.ts';
import type { Snapshot } from '../config/config.ts';
import type { NotebookFolders } from '../config/permissions.ts';

/** Most files of a chat, and bytes of all together. */
export const MAX_CHAT_FILES = 20;
export const MAX_CHAT_FILE_BYTES = 256 * 1024;

/** A file of a chat. */
export interface ChatFile {
  /** As the chat names it. */
  readonly path: string;
  /** Its real path, below a folder of `roots`. */
  readonly realPath: string;
  readonly bytes: number;
}

/**
 * Finds the files of a chat: `NOTEBOOK:/PATH`, or a path that starts at `baseDir`. `BAD_REQUEST` for a file that is not there, that leads out of the
 * folders of `roots`, or is no file, and for more than 20 or 256 KB together. Aborts between files.
 */
export async function findChatFiles(
  paths: readonly string[],
  { settings, baseDir }: { readonly settings: Snapshot['settings']; readonly baseDir: string },
  { signal }: Abortable = {},
): Promise<ChatFile[]> {
  if (paths.length > MAX_CHAT_FILES) throw refuse(`a chat has at most ${MAX_CHAT_FILES} files`);
  const files: ChatFile[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    const found = await findFile(path, settings.roots, baseDir);
    if (found === undefined)
      throw refuse(`${JSON.stringify(path.slice(0, 200))} is no file in a folder of "roots"`, hintOf(settings));
    files.push({ path, ...found });
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MAX_CHAT_FILE_BYTES)
    throw refuse(`the files of a chat have ${Math.ceil(total / 1024)} KB together; the most is 256 KB`);
  return files;
}

function findFile(path: string, roots: NotebookFolders, baseDir: string): ReturnType<typeof findIn> {
  const [, notebook = '', below = ''] = /^([A-Za-z0-9_-]+):\/(.*)$/s.exec(path) ?? [];
  const folder = Object.hasOwn(roots, notebook) ? roots[notebook] : undefined;
  if (folder !== undefined) return findIn([resolve(baseDir, folder)], resolve(baseDir, folder, below));
  const folders = Object.values(roots).map((one) => resolve(baseDir, one));
  return findIn(folders, resolve(baseDir, path));
}

async function findIn(roots: readonly string[], path: string): Promise<Omit<ChatFile, 'path'> | undefined> {
  for (const root of roots) {
    try {
      const realPath = await realPathWithin(path, root);
      if (realPath === undefined) continue;
      const info = await stat(realPath);
      if (info.isFile()) return { realPath, bytes: info.size };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(String(error.code))
  );
}

function hintOf({ roots }: Snapshot['settings']): string {
  const known = Object.entries(roots).map(([name, folder]) => `${name} (${folder})`);
  return known.length === 0 ? 'add its folder to roots in settings.yaml' : `folders of roots: ${known.join(', ')}`;
}

function refuse(message: string, hint?: string): EngineError {
  return new EngineError('BAD_REQUEST', message, hint === undefined ? {} : { hint });
}
