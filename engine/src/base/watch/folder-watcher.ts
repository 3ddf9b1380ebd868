import { lstatSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { FSWatcher } from 'chokidar';
import { isRecord } from '../json.ts';

type Scan = NonNullable<ReturnType<FSWatcher['createScanStream']>>;
type ScanOptions = NonNullable<Parameters<FSWatcher['createScanStream']>[1]>;

/** What chokidar uses of an entry of a folder. */
interface Entry {
  readonly path: string;
  readonly fullPath: string;
  readonly basename: string;
  readonly stats: Stats;
}

/** Names of a folder that are read at once. */
const AT_ONCE = 1000;
/** A folder rests this many times as long as its last listing took: listings take at most a twentieth of the time. */
const REST = 19;
/** Errors of a folder that is gone or may not be read: chokidar then looks itself for what it knew there. */
const PASSING: readonly unknown[] = ['ENOENT', 'EPERM', 'EACCES', 'ELOOP'];

/** Events in one turn of the event loop after which some may be missing. */
const MANY = 1000;
/** All open watchers: they share the queue of the system. */
const watchers = new Set<FolderWatcher>();
let events = 0;

/**
 * Linux drops events while 16,384 wait (`fs.inotify.max_queued_events`), as in a process that was paused, and Node does not say so. After
 * very many at once each watcher gets an event without a name: anything may have changed.
 */
function noteEvent(): void {
  if (events++ === 0) setImmediate(() => (events = 0));
  if (events === MANY) for (const watcher of [...watchers]) watcher.emit('raw', 'rename', null, {});
}

/**
 * A watcher of folders alone, for folders with very many files. chokidar lists a folder when a file in it was renamed or deleted, and asks
 * for size and times of every file before it leaves it out: with 100,000 mails that took 2.4 s of processor time. This one reads
 * names and kinds, asks about folders and links only, and lists a folder once for all that waits for it. The library calls
 * `createScanStream` internal, so an upgrade must pass the tests of this file and of the watches.
 */
export class FolderWatcher extends FSWatcher {
  /** Listings that have not begun yet, by folder: what is asked for later is in none that has. */
  readonly #waiting = new Map<string, Promise<readonly Entry[]>>();
  /** The last listing of a folder that has begun, and its rest. */
  readonly #last = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options?: ConstructorParameters<typeof FSWatcher>[0]) {
    super(options);
    watchers.add(this);
    this.on('raw', noteEvent);
  }

  override createScanStream(root: string, options: ScanOptions = {}): Scan | undefined {
    // Where the system watches a tree as a whole, chokidar needs what it lists.
    if (this.closed || 'depth' in options) return super.createScanStream(root, options);
    const stream = Readable.from(this.#passing(root, options)) as unknown as Scan;
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
    return stream;
  }

  override close(): Promise<void> {
    watchers.delete(this);
    this.#closing.abort();
    return super.close();
  }

  /** The folders, links and special files in a folder that pass the filters. */
  async *#passing(root: string, { fileFilter, directoryFilter }: ScanOptions): AsyncGenerator<Entry> {
    for (const entry of await this.#foldersIn(root)) {
      const filter = entry.stats.isDirectory() ? directoryFilter : fileFilter;
      if (typeof filter !== 'function' || filter(entry)) yield entry;
    }
  }

  #foldersIn(root: string): Promise<readonly Entry[]> {
    let listing = this.#waiting.get(root);
    if (listing === undefined) this.#waiting.set(root, (listing = this.#listAfterRest(root)));
    return listing;
  }

  async #listAfterRest(root: string): Promise<readonly Entry[]> {
    await this.#last.get(root);
    this.#waiting.delete(root);
    const began = performance.now();
    const listing = foldersIn(root);
    const rest = async () => {
      await listing.catch(() => {});
      const tookMs = performance.now() - began;
      // Rejects at the close.
      await pause(tookMs * REST, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    };
    this.#last.set(root, rest());
    return listing;
  }
}

async function foldersIn(root: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const found of await opendir(root, { bufferSize: AT_ONCE })) {
      if (found.isFile()) continue;
      const fullPath = join(root, found.name);
      const stats = lstatSync(fullPath, { throwIfNoEntry: false });
      if (stats !== undefined) entries.push({ path: found.name, basename: found.name, fullPath, stats });
    }
  } catch (error) {
    if (!isRecord(error) || !PASSING.includes(error['code'])) throw error;
  }
  return entries;
}
