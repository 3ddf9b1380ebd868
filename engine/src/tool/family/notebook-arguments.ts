import { EngineError } from '../../base/error.ts';
import type { FileOperation } from '../../config/permissions.ts';
import type { FileRoot } from '../../file/file.ts';
import type { Notebooks } from '../../file/notebook/notebooks.ts';
import { expectInScope, type NotebookPath, type ScopedCaller } from '../../file/notebook/scope-check.ts';
import { mayShowFolder } from '../../file/notebook/walk.ts';
import { checkPath, quoted } from '../../file/path-text.ts';
import { resolvePath } from '../../file/resolve-path.ts';
import type { Caller } from '../tool.ts';

/** The tools after which a thread knows the content of a file. */
export const CONTENT_TOOLS: ReadonlySet<string> = new Set([
  'notebook_read_file',
  'notebook_write_file',
  'notebook_create_file',
  'notebook_update_properties',
]);

/** Arguments that name a file or a folder of a notebook. */
export interface FileArguments {
  readonly notebook?: string;
  readonly path: string;
}

/** A file that a call names, before the disk was asked. */
export interface NamedFile extends NotebookPath {
  readonly root: FileRoot;
  readonly caller: ScopedCaller;
}

/**
 * The file that a call names, in the scope of its caller as far as its text says. `TOOL_ARGUMENTS` where several notebooks are
 * open and none is named; `OUT_OF_SCOPE`; `FILE_DENIED` for a path that could leave the notebook.
 */
export function namedFile(
  notebooks: Notebooks,
  args: FileArguments,
  { files }: Caller,
  operation: FileOperation,
): NamedFile {
  const { root, caller } = namedNotebook(notebooks, args, files);
  const path = checkPath(args.path, root, { absolute: 'root' });
  expectInScope(caller, operation, { notebook: root.name, path });
  return { notebook: root.name, path, root, caller };
}

/** The folder that a call names; which of its files are in scope, the walk decides. Errors as `namedFile`. */
export function namedFolder(notebooks: Notebooks, args: FileArguments, { files }: Caller): NamedFile {
  const { root, caller } = namedNotebook(notebooks, args, files);
  if (!caller.scopes.every(({ operations }) => operations.includes('read')))
    throw outOfScope(caller.who, 'may not read files: scope.operations has no "read"');
  return { notebook: root.name, path: checkPath(args.path, root, { absolute: 'root' }), root, caller };
}

/** The real path of a named file, without a leading `/`. A link may lead out of the scope: `OUT_OF_SCOPE`. `NOT_FOUND`. */
export async function realFile(
  { root, caller, path }: NamedFile,
  operation: FileOperation,
  signal: AbortSignal | undefined,
): Promise<string> {
  const real = await resolvePath(root, path, { absolute: 'root', signal });
  expectInScope(caller, operation, { notebook: root.name, path: real.path });
  return real.path;
}

/**
 * The arguments of a call as rules see them: with the name of the notebook, and the real path, behind all links. Of a path that
 * is not there yet, the part that is. Errors as `namedFile`, and `FILE_DENIED` for a link that leads out of the notebook.
 */
export async function actualFileArguments<TArgs extends { readonly notebook?: string; readonly path?: string }>(
  notebooks: Notebooks,
  args: TArgs,
  { files }: Caller,
): Promise<TArgs> {
  const { root } = namedNotebook(notebooks, { path: '/', ...args }, files);
  if (args.path === undefined) return { ...args, notebook: root.name };
  const names = checkPath(args.path, root, { absolute: 'root' }).split('/');
  for (let there = names.length; ; there--) {
    const real = await resolvePath(root, names.slice(0, there).join('/')).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'NOT_FOUND' && there > 0) return undefined;
      throw error;
    });
    if (real === undefined) continue;
    const path = [real.path, ...names.slice(there)].filter((name) => name !== '').join('/');
    return { ...args, notebook: root.name, path };
  }
}

/**
 * Throws `OUT_OF_SCOPE` for a folder of which the caller may see nothing, with the same words whether it exists or not. The root
 * may be seen always.
 */
export async function expectShown({ root, caller, path }: NamedFile, signal: AbortSignal | undefined): Promise<void> {
  if (path === '' || (await mayShowFolder(path, { root, caller, signal }).catch(isNothing))) return;
  throw outOfScope(caller.who, `may not list ${quoted(`/${path}`)} of ${root.name}: nothing in it is in its scope`);
}

/** Whether an error says that there is no such folder: then nothing of it may be seen. */
function isNothing(error: unknown): false {
  if (error instanceof EngineError) return false;
  throw error;
}

function namedNotebook(
  notebooks: Notebooks,
  { notebook }: FileArguments,
  files: Caller['files'],
): { readonly root: FileRoot; readonly caller: ScopedCaller } {
  if (files === undefined || files.scopes.length === 0)
    throw outOfScope(files?.who ?? 'the caller', 'has no scope, so no notebook is open to it');
  const isOpen = (name: string) =>
    files.scopes.every((scope) => scope.notebooks.includes('*') || scope.notebooks.includes(name));
  const open = notebooks.names().filter(isOpen);
  const name = notebook ?? (open.length === 1 ? open[0] : undefined);
  if (name === undefined && open.length > 0)
    throw new EngineError('TOOL_ARGUMENTS', 'the call names no notebook, and several are open', {
      hint: `notebook is one of: ${open.join(', ')}`,
    });
  if (name === undefined || !open.includes(name))
    throw outOfScope(
      files.who,
      name === undefined ? 'has no notebook in its scope' : `may not open the notebook ${JSON.stringify(name)}`,
      `notebooks in its scope: ${open.join(', ') || 'none'}`,
    );
  return { root: notebooks.root(name), caller: files };
}

function outOfScope(who: string, what: string, hint?: string): EngineError {
  return new EngineError('OUT_OF_SCOPE', `${who} ${what}`, hint === undefined ? {} : { hint });
}
