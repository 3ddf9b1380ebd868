import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import type { FileRoot, PathOptions } from './file.ts';
import { isHandleWithin, NO_FOLLOW, type OpenFolder, withFolder } from './open-folder.ts';
import { checkPath, deniedPath, quoted } from './path-text.ts';
import { fileError, type RealPath, realRootOf, resolvePath, systemCode } from './resolve-path.ts';

/** Options of `writeFileBelow` and `removeFileBelow`. */
export interface WriteOptions extends PathOptions {
  /**
   * What must be there: the SHA-256 of the content (hex), null for no file. Left out: anything. `FILE_CHANGED` where the content
   * is another one, or is gone; `CONFLICT` where a file exists that must not.
   */
  readonly expected?: string | null;
}

/** A file after a write. */
export interface WrittenFile {
  /** Real path below the root. */
  readonly path: string;
  /** SHA-256 of the new content, hex. */
  readonly sha256: string;
  /** False where the file was new. */
  readonly hasReplaced: boolean;
}

/**
 * Writes a whole file in one step: a reader sees the old content or the new one. The content goes to a temporary file in the
 * same folder, to the disk, and then takes the name. Makes missing folders. Errors as `resolvePath`, and those of `expected`.
 * An abort leaves the old content.
 */
export async function writeFileBelow(
  root: FileRoot,
  text: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<WrittenFile> {
  const target = await resolveTarget(root, text, options);
  return inFolderOf(root, text, target, async (folder) => {
    const name = basename(target.absolute);
    const before = await contentOf(folder, name, root, text);
    expect(before, options, text);
    const temporary = `.${randomBytes(9).toString('base64url')}.tmp`;
    const mode = before === undefined ? 0o666 : before.mode & 0o777;
    try {
      await writeTemporary(folder, target, temporary, bytes, before === undefined ? undefined : mode);
      options.signal?.throwIfAborted();
      if (before === undefined && options.expected === null) await claimName(folder, temporary, name, text);
      else await rename(folder.at(temporary), folder.at(name));
    } catch (error) {
      await unlink(folder.at(temporary)).catch(() => undefined);
      throw error;
    }
    await folder.handle?.sync();
    return { path: target.path, sha256: sha256(bytes), hasReplaced: before !== undefined };
  });
}

/** Deletes a file. Errors as `writeFileBelow`; `NOT_FOUND` where there is none. */
export async function removeFileBelow(root: FileRoot, text: string, options: WriteOptions = {}): Promise<void> {
  const target = await resolvePath(root, text, options);
  await inFolderOf(root, text, target, async (folder) => {
    const name = basename(target.absolute);
    expect(await contentOf(folder, name, root, text), options, text);
    await unlink(folder.at(name));
    await folder.handle?.sync();
  });
}

/** The file that a text names, which may not exist yet; makes the folders on its way. */
async function resolveTarget(root: FileRoot, text: string, options: PathOptions): Promise<RealPath> {
  const wanted = checkPath(text, root, options);
  if (wanted === '')
    throw new EngineError('BAD_REQUEST', `${quoted(text)} is a folder, not a file`, { hint: 'name a file' });
  const found = await existing(root, text, options);
  if (found !== undefined) return found;
  const parent = await makeFolders(root, text, wanted.split('/').slice(0, -1));
  const name = basename(wanted);
  return { root: parent.root, absolute: join(parent.absolute, name), path: joined(parent.path, name) };
}

/** Makes each missing folder of a path in its open parent, so that no link is followed out of the root. */
async function makeFolders(root: FileRoot, text: string, names: readonly string[]): Promise<RealPath> {
  const realRoot = await realRootOf(root);
  let at: RealPath = { root: realRoot, absolute: realRoot, path: '' };
  for (const name of names) {
    const parent = at;
    const path = joined(parent.path, name);
    const make = ({ at: place }: OpenFolder) =>
      mkdir(place(name)).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
    at = (await existing(root, path)) ?? (await inFolder(root, text, parent, make), await resolvePath(root, path));
  }
  return at;
}

/** Where a path leads; undefined where nothing is there. */
async function existing(root: FileRoot, text: string, options: PathOptions = {}): Promise<RealPath | undefined> {
  return resolvePath(root, text, options).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

async function writeTemporary(
  folder: OpenFolder,
  target: RealPath,
  temporary: string,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
  const handle = await open(folder.at(temporary), flags, 0o666);
  try {
    if (!(await isHandleWithin(handle, join(dirname(target.absolute), temporary), folder.root)))
      throw new EngineError('FILE_DENIED', 'the folder was replaced while the file was written', { hint: 'try again' });
    if (mode !== undefined) await handle.chmod(mode);
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a name to the temporary file if no file has the name; atomic where the file system has hard links. */
async function claimName(folder: OpenFolder, temporary: string, name: string, text: string): Promise<void> {
  try {
    await link(folder.at(temporary), folder.at(name));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw exists(text);
    await rename(folder.at(temporary), folder.at(name));
    return;
  }
  await unlink(folder.at(temporary));
}

/** Digest and mode of the file that a name has in an open folder; undefined where there is none. */
async function contentOf(folder: OpenFolder, name: string, root: FileRoot, text: string) {
  const found = await lstat(folder.at(name)).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (found.isDirectory())
    throw new EngineError('BAD_REQUEST', `${quoted(text)} is a folder, not a file`, { hint: 'name a file' });
  if (!found.isFile()) throw deniedPath(root, text, 'it is not a regular file');
  const handle = await open(folder.at(name), constants.O_RDONLY | NO_FOLLOW);
  try {
    return { sha256: await digestOf(handle), mode: found.mode };
  } finally {
    await handle.close();
  }
}

function expect(before: { readonly sha256: string } | undefined, { expected }: WriteOptions, text: string): void {
  if (expected === undefined || before?.sha256 === (expected ?? undefined)) return;
  if (expected === null) throw exists(text);
  throw new EngineError(
    'FILE_CHANGED',
    `the file ${quoted(text)} ${before === undefined ? 'is gone' : 'was changed'} since it was read`,
    {
      hint: 'read it again, then write',
    },
  );
}

function exists(text: string): EngineError {
  return new EngineError('CONFLICT', `there is a file ${quoted(text)} already`, { hint: 'choose another name' });
}

function inFolderOf<Result>(
  root: FileRoot,
  text: string,
  { root: realRoot, absolute }: RealPath,
  use: (folder: OpenFolder) => Promise<Result>,
) {
  return inFolder(root, text, { root: realRoot, absolute: dirname(absolute) }, use);
}

async function inFolder<Result>(
  root: FileRoot,
  text: string,
  place: Pick<RealPath, 'root' | 'absolute'>,
  use: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | undefined;
  try {
    done = await withFolder(place, async (folder) => ({ result: await use(folder) }));
  } catch (error) {
    throw fileError(error, root, text);
  }
  if (done === undefined) throw deniedPath(root, text, 'its folder was replaced while it was opened');
  return done.result;
}

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
  return hash.digest('hex');
}
