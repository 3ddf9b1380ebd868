import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { EngineError } from '../base/error.ts';
import { isWithin } from '../base/no-follow.ts';
import type { FileRoot, PathOptions } from './file.ts';
import { checkPath, deniedPath, foldName, quoted } from './path-text.ts';

/** Most names of a folder that are compared with a name that is not there. */
const MAX_COMPARED = 10_000;

/** A path below a root with all links followed. */
export interface RealPath {
  /** Real path of the root. */
  readonly root: string;
  /** Real path of the file or folder. */
  readonly absolute: string;
  /** The same below the root, with `/`. Scopes and permissions compare this one: a link may have another name. */
  readonly path: string;
}

/**
 * Follows all links of a path and returns where it leads. `FILE_DENIED` where the text is refused (`checkPath`), a link leaves the
 * root or leads nowhere, or only a look-alike of the name exists; `NOT_FOUND` where nothing is there.
 */
export async function resolvePath(root: FileRoot, text: string, options: PathOptions = {}): Promise<RealPath> {
  options.signal?.throwIfAborted();
  const wanted = checkPath(text, root, options);
  const realRoot = await realRootOf(root);
  const absolute = await realpath(join(realRoot, wanted)).catch((error: unknown) =>
    explain(error, root, realRoot, wanted, text),
  );
  if (!isWithin(absolute, realRoot)) throw deniedPath(root, text, 'a link on it leads out of the root');
  const path = relative(realRoot, absolute).split(sep).join('/');
  if (path !== wanted && foldName(path) === foldName(wanted))
    throw deniedPath(root, text, `the name on the disk is ${escaped(path)}`);
  return { root: realRoot, absolute, path };
}

/** The real path of a root. `NOT_FOUND` where the folder is missing. */
export async function realRootOf(root: FileRoot): Promise<string> {
  return realpath(root.folder).catch((cause: unknown) => {
    throw new EngineError('NOT_FOUND', `the folder of ${root.name} is missing or cannot be opened`, {
      hint: 'a person must create it, or change the settings',
      cause,
    });
  });
}

/** The code of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The error of a failed system call as a caller can act on it; other errors come back as they are. */
export function fileError(error: unknown, root: FileRoot, text: string): unknown {
  switch (systemCode(error)) {
    case 'ELOOP':
    case 'EMLINK':
      return deniedPath(root, text, 'it is a link that leads out of the root, to itself or nowhere');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return deniedPath(root, text, 'the system does not allow it');
    case 'ENXIO':
      return deniedPath(root, text, 'it is neither a file nor a folder');
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
      return new EngineError('NOT_FOUND', `there is no file or folder ${quoted(text)}`, {
        hint: 'search for its name, or list the folder',
        cause: error,
      });
    default:
      return error;
  }
}

async function explain(error: unknown, root: FileRoot, realRoot: string, wanted: string, text: string): Promise<never> {
  const failure = fileError(error, root, text);
  if (!(failure instanceof EngineError) || failure.code !== 'NOT_FOUND') throw failure;
  const found = await lstat(join(realRoot, wanted)).catch(() => undefined);
  if (found?.isSymbolicLink()) throw deniedPath(root, text, 'it is a link that leads nowhere');
  const like = await lookAlike(realRoot, wanted);
  throw like === undefined ? failure : deniedPath(root, text, `the name on the disk is ${escaped(like)}`);
}

/** A path beside a missing one whose name differs only in letter case or in the form of its characters. */
async function lookAlike(realRoot: string, wanted: string): Promise<string | undefined> {
  const folder = await realpath(join(realRoot, dirname(wanted))).catch(() => undefined);
  if (folder === undefined || !isWithin(folder, realRoot)) return undefined;
  const name = foldName(basename(wanted));
  let count = 0;
  for await (const entry of await opendir(folder).catch(() => [])) {
    if (foldName(entry.name) === name) return join(dirname(wanted), entry.name).split(sep).join('/');
    if (++count >= MAX_COMPARED) return undefined;
  }
  return undefined;
}

/** A path as JSON text in ASCII, so that a model can write its exact characters. */
function escaped(path: string): string {
  return JSON.stringify(path).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
