import { statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Calls `onSwap` when a path leads to another folder than before: another one was renamed to it, or it is a link that was switched. A watch
 * of the folder itself says nothing of that. The returned function ends the watch. `onError` where the folder above cannot be watched.
 */
export function watchSwaps(dir: string, onSwap: () => void, onError: (error: unknown) => void): () => void {
  const name = basename(dir);
  let known = folderAt(dir);
  const look = () => {
    const found = folderAt(dir);
    // One that is gone may come back.
    if (found === undefined || found === known) return;
    const isSwap = known !== undefined;
    known = found;
    if (isSwap) onSwap();
  };
  try {
    const watcher = watch(dirname(dir), { persistent: false }, (_event, changed) => {
      if (changed === null || changed === name) look();
    });
    watcher.on('error', onError);
    return () => watcher.close();
  } catch (error) {
    // A folder that comes later is found by other means.
    if (!isMissing(error)) onError(error);
    return () => {};
  }
}

/** Device and inode of the folder to which a path leads; undefined where it leads to none. */
function folderAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
