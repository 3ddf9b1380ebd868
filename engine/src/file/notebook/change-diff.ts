import { readCurrent, versionOf } from './change-file.ts';
import type { FileChange } from './change-rows.ts';
import type { Notebooks } from './notebooks.ts';
import { diffOf } from './plan-edit.ts';

/** What a change did to its file, as a unified diff. Undefined where the file was changed since, or its notebook is gone. */
export async function diffOfChange(
  { store, root }: Notebooks,
  { id, notebook, path, before, after }: FileChange,
): Promise<string | undefined> {
  try {
    const now = await readCurrent(root(notebook), path);
    if (now.mark?.sha256 !== after?.sha256) return undefined;
    const bytes = before === null ? null : await versionOf(store, id);
    return diffOf({ before: { path: path.slice(1), bytes, mark: before }, after: now.bytes });
  } catch {
    return undefined;
  }
}
