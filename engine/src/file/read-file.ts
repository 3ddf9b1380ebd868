import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { EngineError } from '../base/error.ts';
import type { FileFacts, FileRoot, PathOptions } from './file.ts';
import { isHandleWithin, NO_FOLLOW, withFolder } from './open-folder.ts';
import { deniedPath, quoted } from './path-text.ts';
import { fileError, type RealPath, resolvePath } from './resolve-path.ts';

/** Options of `readFileBelow`. */
export interface ReadOptions extends PathOptions {
  /** Largest file that is read. */
  readonly maxBytes: number;
}

/** Facts about a file or a folder. Errors as `resolvePath`; `FILE_DENIED` for a pipe, a device or a socket. */
export async function readFacts(root: FileRoot, text: string, options: PathOptions = {}): Promise<FileFacts> {
  return openBelow(root, text, options, async (_handle, facts) => facts);
}

/**
 * Reads a whole file. Errors as `resolvePath`; `TOO_LARGE` above `maxBytes`, `FILE_DENIED` for anything that is not a regular
 * file. The file is opened without following a link, and the open file is compared with the root again.
 */
export async function readFileBelow(
  root: FileRoot,
  text: string,
  options: ReadOptions,
): Promise<FileFacts & { readonly bytes: Uint8Array<ArrayBuffer> }> {
  return openBelow(root, text, options, async (handle, facts) => {
    if (facts.kind === 'folder') throw isFolder(text);
    const bytes = await readBytes(handle, facts.size, options);
    return { ...facts, size: bytes.byteLength, bytes };
  });
}

/** Opens a file or a folder below a root for `use`, and closes it. */
async function openBelow<Result>(
  root: FileRoot,
  text: string,
  options: PathOptions,
  use: (handle: FileHandle, facts: FileFacts) => Promise<Result>,
): Promise<Result> {
  const real = await resolvePath(root, text, options);
  const found = await openReal(root, text, real, use).catch((error: unknown) => {
    throw fileError(error, root, text);
  });
  if (found === undefined) throw deniedPath(root, text, 'it was replaced while it was opened');
  options.signal?.throwIfAborted();
  return found.result;
}

async function openReal<Result>(
  root: FileRoot,
  text: string,
  real: RealPath,
  use: (handle: FileHandle, facts: FileFacts) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const isRoot = real.path === '';
  const folder = { root: real.root, absolute: isRoot ? real.absolute : dirname(real.absolute) };
  return withFolder(folder, async ({ at }) => {
    const path = at(isRoot ? '.' : basename(real.absolute));
    const handle = await open(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      if (!(await isHandleWithin(handle, real.absolute, real.root))) return undefined;
      return { result: await use(handle, await factsOf(handle, root, text, real.path)) };
    } finally {
      await handle.close();
    }
  });
}

async function factsOf(handle: FileHandle, root: FileRoot, text: string, path: string): Promise<FileFacts> {
  const stats = await handle.stat();
  if (!stats.isFile() && !stats.isDirectory()) throw deniedPath(root, text, 'it is neither a file nor a folder');
  const kind = stats.isFile() ? 'file' : 'folder';
  return { path, kind, size: kind === 'file' ? stats.size : 0, modifiedAt: Math.round(stats.mtimeMs) };
}

/** Reads until the end of the file, which may have grown since its size was read. */
async function readBytes(handle: FileHandle, size: number, { maxBytes, signal }: ReadOptions) {
  const tooLarge = (found: string) =>
    new EngineError('TOO_LARGE', `the file has ${found} bytes; at most ${maxBytes} are read`);
  if (size > maxBytes) throw tooLarge(String(size));
  let buffer = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.slice(0, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(`more than ${maxBytes}`);
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(buffer.length * 2, maxBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
  }
}

function isFolder(text: string): EngineError {
  return new EngineError('BAD_REQUEST', `${quoted(text)} is a folder, not a file`, {
    hint: 'name a file; list the folder to see its files',
  });
}
