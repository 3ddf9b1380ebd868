import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sha256 } from '../../base/json.ts';
import { isWithin, READ_NO_FOLLOW, realPathWithin } from '../../base/no-follow.ts';
import { type Kind, KINDS, type Problem } from '../config.ts';
import { fileProblem } from '../problem.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';

/** Folder of tests (`config/test/`): its files are no documents. */
const TESTS = /^tests(?:\/|$)/;

/** Largest file in bytes. Parsing a larger one would block the event loop, and no document is that long. */
export const MAX_FILE_BYTES = 256 * 1024;
/** Folder levels below the config folder that are read. */
const MAX_DEPTH = 4;
const KIND_OF_FOLDER = new Map<string, Kind>();
for (const [kind, folder] of Object.entries(KINDS) as [Kind, string][])
  if (folder !== '') KIND_OF_FOLDER.set(folder, kind);

/** A file that may be a document. `relative` is its path from the config folder, with `/`. */
export interface FileLocation {
  readonly relative: string;
  readonly kind: Kind;
  /** The file name without its extension; `settings` for the settings. */
  readonly id: string;
}

/** A document's text with its location. `file` is the path in problems: `config/agents/reply.yaml`. */
export interface Source extends FileLocation {
  readonly file: string;
  readonly text: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

/** Name of a document: `agents/reply`; `settings` for the settings. */
export function nameOf(kind: Kind, id: string): string {
  return kind === 'settings' ? 'settings' : `${KINDS[kind]}/${id}`;
}

/** Whether a file name can be a document. Temporary files of editors (`.x.swp`, `x~`, `x.tmp`, `.#x`) cannot. */
export function isDocumentName(name: string): boolean {
  return /^[^.#].*\.(yaml|yml|json)$/.test(name);
}

/** Whether a path below the config folder is that of the tests, or of a file among them. */
export function isTest(relative: string): boolean {
  return TESTS.test(relative);
}

/** Kind and id from a path below the config folder, or a problem if the file is in the wrong folder. */
export function locationOf(relative: string, configName: string): FileLocation | Problem {
  const parts = relative.split('/');
  const name = parts.at(-1) ?? '';
  const stem = name.replace(/\.(yaml|yml|json)$/, '');
  const file = `${configName}/${relative}`;
  if (parts.length === 1) {
    if (stem === 'settings') return { relative, kind: 'settings', id: 'settings' };
    const hint = `only settings.yaml belongs here; move the file into ${listOf(KIND_OF_FOLDER.keys())}`;
    return fileProblem(
      'CONFIG_WRONG_FOLDER',
      file,
      `"${name}" does not belong directly in the config folder${didYouMean(stem, ['settings'])}`,
      hint,
    );
  }
  const folder = parts[0] ?? '';
  const kind = KIND_OF_FOLDER.get(folder);
  if (kind === undefined) {
    const hint = `move the file into ${listOf(KIND_OF_FOLDER.keys())}`;
    return fileProblem(
      'CONFIG_WRONG_FOLDER',
      file,
      `"${folder}" is not a folder for documents${didYouMean(folder, KIND_OF_FOLDER.keys())}`,
      hint,
    );
  }
  if (parts.length > 2) {
    const hint = `move it to ${configName}/${folder}/${name}`;
    return fileProblem(
      'CONFIG_WRONG_FOLDER',
      file,
      `documents belong directly in "${folder}", not in a subfolder`,
      hint,
    );
  }
  return { relative, kind, id: stem };
}

/** A file with its stamp. Equal stamps mean an unchanged file. */
export interface FileStamp {
  readonly relative: string;
  readonly stamp: string;
}

/** Stamp of a link to a folder outside: it is never read, and `readSource` reports it. */
const OUTSIDE = 'outside';

/**
 * Lists all files below `dir` that may be documents, with their stamps, and links to folders outside. A missing or
 * unreadable folder counts as empty. A link to a folder is followed only inside `dir`.
 */
export async function listFiles(dir: string): Promise<FileStamp[]> {
  const found: string[] = [];
  const stamps: FileStamp[] = [];
  const root = await realpath(dir).catch(() => dir);
  const walk = async (relative: string, depth: number): Promise<void> => {
    const entries = await readdir(join(dir, relative), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (isTest(path)) continue;
      if (isDocumentName(entry.name) && !entry.isDirectory()) found.push(path);
      else if (depth >= MAX_DEPTH || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      else if (entry.isDirectory()) await walk(path, depth + 1);
      else if (entry.isSymbolicLink()) {
        const real = await realpath(join(dir, path)).catch(() => undefined);
        // A link to a folder that contains it would be read again and again.
        if (real !== undefined && isWithin(join(root, path), real)) stamps.push({ relative: path, stamp: OUTSIDE });
        else if (real !== undefined && isWithin(real, root)) await walk(path, depth + 1);
        else if (real !== undefined && (await isFolder(real))) stamps.push({ relative: path, stamp: OUTSIDE });
      }
    }
  };
  await walk('', 1);
  // In groups: ten thousand calls at once would only wait for each other.
  for (let i = 0; i < found.length; i += 64) {
    const group = found
      .slice(i, i + 64)
      .map(async (relative) => ({ relative, stamp: await stampOf(join(dir, relative)) }));
    for (const { relative, stamp } of await Promise.all(group))
      if (stamp !== undefined) stamps.push({ relative, stamp });
  }
  return stamps;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** Size, times and inode of a file as one text; undefined if there is no such file. */
export async function stampOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ? `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}` : undefined;
}

/** Reads a document: its text, a problem with the file, or undefined if the file does not exist. */
export async function readSource(dir: string, relative: string): Promise<Source | Problem | undefined> {
  const configName = basename(dir);
  const file = `${configName}/${relative}`;
  try {
    const found = join(dir, relative);
    const path = await realPathWithin(found, dir);
    if (path === undefined || (await isLinkToFolder(found))) return linkProblem(file);
    const location = locationOf(relative, configName);
    const stats = await stat(path);
    if (!stats.isFile()) return undefined;
    if ('code' in location) return location;
    if (stats.size > MAX_FILE_BYTES) return tooLarge(file, stats.size);
    const bytes = await readFile(path, { flag: READ_NO_FOLLOW });
    return sourceOf(location, file, bytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const why = error instanceof Error ? error.message : String(error);
    return fileProblem('CONFIG_UNREADABLE', file, `the file cannot be read: ${why}`, 'check its permissions');
  }
}

async function isLinkToFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isSymbolicLink() && (await isFolder(path));
}

function linkProblem(file: string): Problem {
  return fileProblem(
    'CONFIG_LINK_OUTSIDE',
    file,
    'this symbolic link leads out of the config folder, or back to it; it is not followed',
    'replace the link by a copy',
  );
}

/** Converts bytes to a source; a problem if they are not UTF-8. */
export function sourceOf(location: FileLocation, file: string, bytes: Uint8Array): Source | Problem {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { ...location, file, text, hash: sha256(bytes) };
  } catch {
    return fileProblem('CONFIG_UNREADABLE', file, 'the file is not UTF-8 text', 'save it as UTF-8');
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/** The problem of a document above `MAX_FILE_BYTES`. */
export function tooLarge(file: string, bytes: number): Problem {
  const message = `the file has ${bytes} bytes; a document may have at most ${MAX_FILE_BYTES / 1024} KB`;
  return fileProblem('CONFIG_TOO_LARGE', file, message, 'split it into several documents');
}
