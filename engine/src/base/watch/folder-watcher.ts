import { lstatSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
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
/** Errors of a folder that is gone or may not be read: chokidar then looks itself for what it knew there. */
const PASSING: readonly unknown[] = ['ENOENT', 'EPERM', 'EACCES', 'ELOOP'];

/**
 * A watcher of folders alone, for folders with very many files. chokidar lists a folder when a file in it was renamed or deleted, and asks
 * for size and times of every file before it leaves it out: with 100,000 mails that took 2.4 s of processor time. This one reads
 * names and kinds, and asks about folders and links only. The library calls `createScanStream` internal, so an upgrade must pass the tests
 * of this file and of the watches.
 */
export class FolderWatcher extends FSWatcher {
  override createScanStream(root: string, options: ScanOptions = {}): Scan | undefined {
    // Where the system watches a tree as a whole, chokidar needs what it lists.
    if (this.closed || 'depth' in options) return super.createScanStream(root, options);
    const stream = Readable.from(foldersIn(root, options)) as unknown as Scan;
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
    return stream;
  }
}

/** The folders, links and special files in a folder that pass the filters. */
async function* foldersIn(root: string, { fileFilter, directoryFilter }: ScanOptions): AsyncGenerator<Entry> {
  try {
    for await (const found of await opendir(root, { bufferSize: AT_ONCE })) {
      if (found.isFile()) continue;
      const fullPath = join(root, found.name);
      const stats = lstatSync(fullPath, { throwIfNoEntry: false });
      const filter = stats?.isDirectory() === true ? directoryFilter : fileFilter;
      const entry = { path: found.name, basename: found.name, fullPath, stats };
      if (stats !== undefined && (typeof filter !== 'function' || filter(entry))) yield { ...entry, stats };
    }
  } catch (error) {
    if (!isRecord(error) || !PASSING.includes(error['code'])) throw error;
  }
}
