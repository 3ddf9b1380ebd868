import ignore from 'ignore';
import { EngineError } from '../../base/error.ts';
import type { FileOperation, Scope } from '../../config/permissions.ts';
import { quoted } from '../path-text.ts';

/** What one caller may do in notebooks: every scope must permit it. */
export interface ScopedCaller {
  /** The caller as people read it: `agent research-assistant`. */
  readonly who: string;
  readonly scopes: readonly Scope[];
}

/** A file or a folder of a notebook. */
export interface NotebookPath {
  readonly notebook: string;
  /** Path below the root of the notebook, with `/`, without a leading one; `''` for the root. */
  readonly path: string;
}

interface Patterns {
  readonly folders: (path: string) => boolean;
  readonly names: (name: string) => boolean;
}

/** A scope is frozen, so its patterns are compiled once. */
const compiled = new WeakMap<Scope, Patterns>();

/**
 * Why a scope does not permit an operation on a file (seed 002, Scope Guard): checked are the operation, the notebook, the
 * folder, then the name of the file. Undefined where it permits it. Names that begin with a dot are never open.
 */
export function whyOutOfScope(
  scope: Scope,
  operation: FileOperation,
  { notebook, path }: NotebookPath,
): string | undefined {
  if (!scope.operations.includes(operation)) return `scope.operations has no "${operation}"`;
  if (!scope.notebooks.includes('*') && !scope.notebooks.includes(notebook))
    return `scope.notebooks does not name "${notebook}"`;
  if (isHidden(path)) return 'files and folders whose names begin with a dot are closed';
  const { folders, names } = patternsOf(scope);
  if (!folders(path)) return `scope.folders has only ${scope.folders.join(', ')}`;
  return names(nameOf(path)) ? undefined : `scope.fileTypes has only ${scope.fileTypes.join(', ')}`;
}

/** Whether all scopes of a caller permit an operation on a file. */
export function isInScope({ scopes }: ScopedCaller, operation: FileOperation, file: NotebookPath): boolean {
  return scopes.length > 0 && scopes.every((scope) => whyOutOfScope(scope, operation, file) === undefined);
}

/** Throws `OUT_OF_SCOPE` where a scope of the caller does not permit an operation on a file. */
export function expectInScope(
  { who, scopes }: ScopedCaller,
  operation: FileOperation,
  { notebook, path }: NotebookPath,
): void {
  for (const scope of scopes) {
    const reason = whyOutOfScope(scope, operation, { notebook, path });
    if (reason === undefined) continue;
    throw new EngineError(
      'OUT_OF_SCOPE',
      `${who} may not ${operation} ${quoted(`/${path}`)} of ${notebook}: ${reason}`,
      {
        hint: 'stay inside your scope, or tell the user what you cannot do and why',
      },
    );
  }
}

/** Whether a folder is in scope as a whole, so that its name may be shown. */
export function isFolderInScope({ scopes }: ScopedCaller, path: string): boolean {
  return !isHidden(path) && scopes.every((scope) => patternsOf(scope).folders(path));
}

/** Whether a name in a path begins with a dot, such as `.git` or `.env`. */
export function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}

/** Makes a test of paths for a pattern of .gitignore. Letter case counts. */
export function gitignoreTest(patterns: readonly string[]): (path: string) => boolean {
  const rules = ignore({ ignorecase: false }).add([...patterns]);
  return (path) => path !== '' && rules.ignores(path);
}

function patternsOf(scope: Scope): Patterns {
  let patterns = compiled.get(scope);
  if (patterns === undefined) {
    patterns = { folders: gitignoreTest(scope.folders), names: gitignoreTest(scope.fileTypes) };
    compiled.set(scope, patterns);
  }
  return patterns;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
