import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Abortable } from '../../base/abort.ts';
import { FolderWatcher } from '../../base/watch/folder-watcher.ts';
import { isRecord } from '../../base/json.ts';

/** Events within this time count as one change. */
const DEBOUNCE_MS = 50;

/**
 * Calls `onChange` soon after anything changed in `root` or its direct subfolders, also when `root` appears or
 * reappears. Watches folders only, never the files in them: ten thousand files would need as many system watches, and
 * the watch of the folder reports changes of its files. `onChange` gets the absolute paths of the changed files, or
 * undefined where any file may have changed. The returned function stops the watch. On abort it resolves at once,
 * whether the watch is ready or not.
 */
export async function watchFolder(
  root: string,
  onChange: (paths: readonly string[] | undefined) => void,
  { signal }: Abortable = {},
): Promise<() => Promise<void>> {
  let watcher: FolderWatcher | undefined;
  let isThere = false;
  let timer: NodeJS.Timeout | undefined;
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;
  /** Starts come one after the other, so that none leaves the watcher of another open. */
  let starts: Promise<void> = Promise.resolve();
  let paths = new Set<string>();
  let isUnknown = false;

  const debounce = (path?: string) => {
    if (path === undefined) isUnknown = true;
    else paths.add(path);
    if (!isStopped) timer ??= setTimeout(() => void notify(), DEBOUNCE_MS);
  };

  async function notify(): Promise<void> {
    timer = undefined;
    await (starts = starts.then(startIfMoved));
    const changed = isUnknown ? undefined : [...paths];
    paths = new Set();
    isUnknown = false;
    if (!isStopped) onChange(changed);
  }

  async function startIfMoved(): Promise<void> {
    if ((await isFolder(root)) === isThere) return;
    isUnknown = true;
    await start();
  }

  async function start(): Promise<void> {
    await watcher?.close();
    isThere = await isFolder(root);
    const target = isThere ? root : await nearestFolder(root);
    if (isStopped) return;
    watcher = new FolderWatcher({
      ignoreInitial: true,
      atomic: false,
      depth: isThere ? 1 : 0,
      ignored: (_path, state) => state?.isFile() ?? false,
    });
    watcher.add(target);
    watcher.on('raw', (_event, name, details) => debounce(changedPath(name, details)));
    watcher.on('all', () => debounce());
    // For example no free system watches, or a lost network drive: fetching goes on at its interval.
    watcher.on('error', () => debounce());
    const current = watcher;
    const ready = new Promise<void>((resolve) => current.once('ready', () => resolve()));
    // A folder that changes all the time may never be ready, and a watcher that is closed never is.
    await Promise.race([ready, stopped.promise]);
    // The folder may have appeared or disappeared while the watch was set up.
    if ((await isFolder(root)) !== isThere) debounce();
  }

  signal?.addEventListener('abort', () => stopped.resolve(), { once: true });
  await (starts = start());
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    stopped.resolve();
    await starts;
    await watcher?.close();
  };
}

/** The changed file of a system event; undefined where the system does not name it. */
function changedPath(name: unknown, details: unknown): string | undefined {
  const folder = isRecord(details) ? details['watchedPath'] : undefined;
  return typeof name === 'string' && name !== '' && typeof folder === 'string' ? join(folder, name) : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await isFolder(parent)) ? parent : nearestFolder(parent);
}
