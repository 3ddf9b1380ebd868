import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { isDocumentName } from '../parse/read.ts';

/** Silence after which what came together is one change: an editor's save is several events. */
const DEBOUNCE_MS = 15;
/** Longest that a stream of events can put off a change. */
const MAX_WAIT_MS = 45;

/** What may have changed: paths below the folder with `/`, or `all` where only a look at every file can tell. */
export type ChangedPaths = ReadonlySet<string> | 'all';

export interface WatchOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called once what comes in has been silent for 15 ms. */
  readonly onChange: (hint: ChangedPaths) => void;
}

/**
 * Watches the config folder; it may be missing, come later or go. The library keeps the tree of watched folders. It is
 * kept from looking at files: at every save by rename it would look at each file of the folder before it tells of one
 * (40 to 100 ms with 1,000 files, 350 ms with 10,000). The system's own events, which it passes on as `raw`, name the file
 * at once. A hint costs one read; whether anything changed is for the reader to say.
 */
export function watchFolder({ dir, clock, log, onChange }: WatchOptions): {
  ready: Promise<void>;
  close: () => Promise<void>;
} {
  const collect = collector(clock, onChange);
  const watcher = watch(dir, {
    atomic: false,
    ignoreInitial: true,
    // The folder itself and what lies above it are watched: it may not be there yet.
    ignored: (path, stats) => {
      const below = relative(dir, path);
      return isInside(below) && (isForeign(below) || isDocumentName(basename(path)) || stats?.isFile() === true);
    },
  });
  watcher.on('raw', (_event, name, details: unknown) => {
    const changed = changedPath(dir, name, details);
    if (changed !== undefined) collect(changed);
  });
  watcher.on('addDir', () => collect('all'));
  watcher.on('unlinkDir', () => collect('all'));
  watcher.on('error', (error) => {
    const why = error instanceof Error ? error.message : String(error);
    log.warn('the config folder is not watched as it should be; restart after changes', { folder: dir, why });
  });
  const ready = new Promise<void>((resolve) => {
    watcher.once('ready', () => {
      // Whatever changed between the first reading and now made no event.
      collect('all');
      resolve();
    });
  });
  const close = () => {
    collect.stop();
    return watcher.close();
  };
  return { ready, close };
}

/** The document that an event of the system names, `all` where it names no file, undefined for other files. */
function changedPath(dir: string, name: unknown, details: unknown): string | undefined {
  const folder =
    details !== null && typeof details === 'object' && 'watchedPath' in details ? details.watchedPath : undefined;
  if (typeof name !== 'string' || typeof folder !== 'string') return 'all';
  // A mounted Kubernetes volume changes all its files by one rename of `..data`.
  if (name.startsWith('..')) return 'all';
  const below = relative(dir, join(folder, name)).split(sep).join('/');
  return isInside(below) && isDocumentName(basename(below)) && !isForeign(below) ? below : undefined;
}

/** Whether a relative path leads below the folder. */
function isInside(below: string): boolean {
  return below !== '' && below !== '..' && !below.startsWith('../') && !below.startsWith('..\\') && !isAbsolute(below);
}

/** Dot files, dot folders and node_modules. */
function isForeign(below: string): boolean {
  return below.split(/[\\/]/).some((part) => part === 'node_modules' || part.startsWith('.'));
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
