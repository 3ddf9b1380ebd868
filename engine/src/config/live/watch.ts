import { lstatSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { FolderWatcher } from '../../base/watch/folder-watcher.ts';
import type { Logger } from '../../base/log.ts';
import { isWithin } from '../../base/no-follow.ts';
import { isDocumentName, isTest } from '../parse/read.ts';
import { watchSwaps } from './watch-swaps.ts';

/** Milliseconds without events that end a change, since one save of an editor causes several events. */
const DEBOUNCE_MS = 15;
/** Longest delay of a change by further events, in milliseconds. */
const MAX_WAIT_MS = 45;

/** Paths that may have changed, below the folder and with `/`; `all` if every file must be checked. */
export type ChangedPaths = ReadonlySet<string> | 'all';

/** Options of `watchFolder`. */
export interface WatchOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called after 15 ms without events. */
  readonly onChange: (hint: ChangedPaths) => void;
}

/**
 * Watches the config folder, which may be missing, appear later or disappear. The library manages the watched folders, but
 * it ignores files: at every save by rename it would stat each file of the folder before it reports one (40 to 100 ms with
 * 1,000 files, 350 ms with 10,000). The raw events of the operating system name the file at once. An event causes one read,
 * and the reader finds out whether the file changed.
 */
export function watchFolder({ dir, clock, log, onChange }: WatchOptions): {
  ready: Promise<void>;
  close: () => Promise<void>;
} {
  const collect = collector(clock, onChange);
  const onError = (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    log.warn('the config folder cannot be watched completely; restart after changes', { folder: dir, why });
  };
  let tree = watchTree(dir, collect, onError);
  let closed: Promise<unknown> = Promise.resolve();
  const stopLooking = watchSwaps(
    dir,
    () => {
      closed = Promise.all([closed, tree.close()]);
      tree = watchTree(dir, collect, onError);
    },
    onError,
  );
  const { ready } = tree;
  const close = async () => {
    stopLooking();
    collect.stop();
    await Promise.all([closed, tree.close()]);
  };
  return { ready, close };
}

/** Watches the folder that is at the path now. */
function watchTree(dir: string, collect: (path: string) => void, onError: (error: unknown) => void) {
  const watcher = new FolderWatcher({
    atomic: false,
    ignoreInitial: true,
    // The folder and its parents are watched, since the folder may not exist yet.
    ignored: (path, stats) => {
      const below = relative(dir, path);
      if (!isInside(below)) return false;
      return isForeign(below) || isDocumentName(basename(path)) || stats?.isFile() === true || isLinkOutside(path, dir);
    },
  });
  watcher.add(dir);
  watcher.on('raw', (_event, name, details: unknown) => {
    const changed = changedPath(dir, name, details);
    if (changed !== undefined) collect(changed);
  });
  watcher.on('addDir', () => collect('all'));
  watcher.on('unlinkDir', () => collect('all'));
  watcher.on('error', onError);
  const ready = new Promise<void>((resolve) => {
    watcher.once('ready', () => {
      // A change between the first reading and this moment caused no event.
      collect('all');
      resolve();
    });
  });
  return { ready, close: () => watcher.close() };
}

/** The document that a raw event names; `all` if it names no file; undefined for other files. */
function changedPath(dir: string, name: unknown, details: unknown): string | undefined {
  const folder =
    details !== null && typeof details === 'object' && 'watchedPath' in details ? details.watchedPath : undefined;
  if (typeof name !== 'string' || typeof folder !== 'string') return 'all';
  // A mounted Kubernetes volume changes all its files with one rename of `..data`.
  if (name.startsWith('..')) return 'all';
  const below = relative(dir, join(folder, name)).split(sep).join('/');
  return isInside(below) && isDocumentName(basename(below)) && !isForeign(below) ? below : undefined;
}

/** Whether a path is a link that leads out of the folder, or to a folder around it: watching `/` would never end. */
function isLinkOutside(path: string, dir: string): boolean {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
    const [real, root] = [realpathSync(path), realpathSync(dir)];
    return !isWithin(real, root) || isWithin(root, real);
  } catch {
    // The link leads nowhere, or somebody has just removed it.
    return true;
  }
}

/** Whether a relative path is below the folder. */
function isInside(below: string): boolean {
  return below !== '' && below !== '..' && !below.startsWith('../') && !below.startsWith('..\\') && !isAbsolute(below);
}

/** Whether a path contains a dot file, a dot folder or node_modules, or is among the tests. */
function isForeign(below: string): boolean {
  return (
    isTest(below.replaceAll('\\', '/')) ||
    below.split(/[\\/]/).some((part) => part === 'node_modules' || part.startsWith('.'))
  );
}

function collector(clock: Clock, onHint: (hint: ChangedPaths) => void): { (path: string): void; stop: () => void } {
  let paths = new Set<string>();
  let isAll = false;
  let since: number | undefined;
  let cancel = () => {};
  let isStopped = false;
  const flush = () => {
    const hint: ChangedPaths = isAll ? 'all' : paths;
    [paths, isAll, since] = [new Set(), false, undefined];
    onHint(hint);
  };
  const collect = (path: string) => {
    if (isStopped) return;
    if (path === 'all') isAll = true;
    else paths.add(path);
    since ??= clock.now();
    cancel();
    cancel = clock.delay(flush, Math.min(DEBOUNCE_MS, Math.max(0, since + MAX_WAIT_MS - clock.now())));
  };
  const stop = () => {
    isStopped = true;
    cancel();
  };
  return Object.assign(collect, { stop });
}
