import type { Abortable } from '../../base/abort.ts';
import { createYielder } from '../../base/yielding.ts';
import type { FileFacts, FileRoot } from '../file.ts';
import { listFolder } from '../list-folder.ts';
import { isFolderInScope, isHidden, isInScope, type ScopedCaller } from './scope-check.ts';

/** Most entries that one walk looks at. */
const MAX_VISITED = 200_000;
/** Most entries that are looked at to decide whether a folder holds a file that may be shown. */
const MAX_PROBED = 5_000;

/** A walk through a notebook as its caller may see it. */
export interface WalkOptions extends Abortable {
  readonly root: FileRoot;
  readonly caller: ScopedCaller;
  /** Budget of the walk; `left` counts down. */
  readonly budget?: { left: number };
}

/** A budget of `WalkOptions` for a whole notebook. */
export function fullBudget(): { left: number } {
  return { left: MAX_VISITED };
}

/**
 * All files below a folder that the caller may read, folder by folder in the order of their names. Links are not followed, names
 * with a dot at the start are left out. Errors as `listFolder` for the first folder; a folder that is gone meanwhile is
 * left out.
 */
export async function* walkFiles(
  folder: string,
  { root, caller, signal, budget = fullBudget() }: WalkOptions,
): AsyncGenerator<FileFacts> {
  const breathe = createYielder();
  const waiting = [folder];
  for (let at = waiting.pop(), isFirst = true; at !== undefined; at = waiting.pop(), isFirst = false) {
    const options = { absolute: 'root', limit: Math.max(1, budget.left), signal } as const;
    const list = await listFolder(root, at, options).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (isFirst) throw error;
      return undefined;
    });
    const below: string[] = [];
    for (const entry of list?.entries ?? []) {
      if (budget.left <= 0) return;
      budget.left--;
      await breathe();
      signal?.throwIfAborted();
      if (isHidden(entry.path)) continue;
      if (entry.kind === 'folder') below.push(entry.path);
      else if (isInScope(caller, 'read', { notebook: root.name, path: entry.path })) yield entry;
    }
    waiting.push(...below.reverse());
  }
}

/** Whether a folder may be shown: it is in scope, or a file below it is. */
export async function mayShowFolder(path: string, { root, caller, signal }: WalkOptions): Promise<boolean> {
  if (isHidden(path)) return false;
  if (isFolderInScope(caller, path)) return true;
  for await (const _file of walkFiles(path, { root, caller, signal, budget: { left: MAX_PROBED } })) return true;
  return false;
}
