import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Events that fall into so short a time are one change. */
const DEBOUNCE_MS = 50;

/**
 * Calls `onChange` soon after anything changed in `root` or its direct subfolders, also when `root` appears or comes
 * back. Only folders are watched, never the files in them: ten thousand files would need as many system watches, and
 * the folder's own watch reports what happens to them. The returned function stops it.
 */
export async function watchFolder(root: string, onChange: () => void): Promise<() => Promise<void>> {
  let watcher: FSWatcher | undefined;
  let isThere = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const later = () => {
    timer ??= setTimeout(() => void settle(), DEBOUNCE_MS);
  };

  async function settle(): Promise<void> {
    timer = undefined;
    if ((await isFolder(root)) !== isThere) await start();
    if (!isStopped) onChange();
  }

  async function start(): Promise<void> {
    await watcher?.close();
    isThere = await isFolder(root);
    const place = isThere ? root : await nearestFolder(root);
    if (isStopped) return;
    watcher = watch(place, {
      ignoreInitial: true,
      atomic: false,
      depth: isThere ? 1 : 0,
      ignored: (_path, state) => state?.isFile() ?? false,
    });
    watcher.on('raw', later);
    watcher.on('all', later);
    // Too few system watches, a lost network drive: fetching goes on at its interval.
    watcher.on('error', later);
    const current = watcher;
    await new Promise<void>((resolve) => current.once('ready', () => resolve()));
    // It may have come or gone while the watch was being set up.
    if ((await isFolder(root)) !== isThere) later();
  }

  await start();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await watcher?.close();
  };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isFolder(parent)) ? parent : nearestFolder(parent);
}
