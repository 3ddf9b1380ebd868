import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../base/no-follow.ts';

const MAX_DEPTH = 64;
const IS_LINUX = process.platform === 'linux';
const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The start of the file that was read last. */
const START = new Uint8Array(64 * 1024);

/** A file that a walk has reached. Its methods work only until the walk goes on. */
export interface WalkedFile {
  /** Path below the start of the walk, with `/` between folders. */
  readonly path: string;
  readonly name: string;
  /** Size in bytes and time of the last change in epoch milliseconds; undefined where the file is gone. */
  readonly facts: () => { readonly size: number; readonly modifiedAt: number } | undefined;
  /** The content, until the next file is read; undefined for a file above `maxBytes` and for one that cannot be read. */
  readonly read: (maxBytes: number) => Uint8Array | undefined;
}

/**
 * Visits every file below a folder of a root (real paths) in the order of the names, until `visit` returns false. Follows no link, and opens each folder through
 * its open parent, so that a folder that is replaced meanwhile leads nowhere else. Leaves out names that begin with a dot.
 * Works synchronously, for a worker thread. Returns true where it has seen everything.
 */
export function walkFiles(
  { root, folder }: { readonly root: string; readonly folder: string },
  visit: (file: WalkedFile) => boolean,
): boolean {
  let isWhole = true;
  const walk = (place: string, real: string, path: string, depth: number): boolean => {
    const opened = depth > MAX_DEPTH ? undefined : open(place, constants.O_DIRECTORY);
    if (opened === undefined) {
      isWhole = false;
      return true;
    }
    try {
      const at = IS_LINUX ? `/proc/self/fd/${opened}` : real;
      if (!isWithin(IS_LINUX ? readlinkSync(at) : realpathSync(real), root)) return true;
      for (const entry of entriesOf(at)) {
        const below = path === '' ? entry.name : `${path}/${entry.name}`;
        const inside = `${at}/${entry.name}`;
        const goesOn = entry.isDirectory()
          ? walk(inside, join(real, entry.name), below, depth + 1)
          : visit(walkedFile(inside, below, entry.name));
        if (!goesOn) return false;
      }
      return true;
    } finally {
      closeSync(opened);
    }
  };
  return walk(folder, folder, '', 0) && isWhole;
}

/** Files and folders in the order of their names, without links, devices and hidden names. */
function entriesOf(place: string): Dirent[] {
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function walkedFile(place: string, path: string, name: string): WalkedFile {
  const withFile = <Result>(use: (handle: number) => Result): Result | undefined => {
    const handle = open(place, 0);
    if (handle === undefined) return undefined;
    try {
      return use(handle);
    } catch {
      return undefined;
    } finally {
      closeSync(handle);
    }
  };
  return {
    path,
    name,
    facts() {
      const stats = lstatSync(place, { throwIfNoEntry: false });
      return stats?.isFile() === true ? { size: stats.size, modifiedAt: Math.round(stats.mtimeMs) } : undefined;
    },
    read: (maxBytes) =>
      withFile((handle) => {
        // Small files, which most are, need no other call.
        let length = readSync(handle, START);
        if (length < START.length) return START.subarray(0, length);
        const stats = fstatSync(handle);
        if (!stats.isFile() || stats.size > maxBytes) return undefined;
        const bytes = new Uint8Array(stats.size);
        bytes.set(START.subarray(0, bytes.length));
        length = Math.min(length, bytes.length);
        return bytes.subarray(0, length + readSync(handle, bytes, length, bytes.length - length, null));
      }),
  };
}

/** Undefined where the entry is gone, became a link or may not be opened. */
function open(place: string, flags: number): number | undefined {
  try {
    return openSync(place, constants.O_RDONLY | flags | NO_FOLLOW);
  } catch {
    return undefined;
  }
}
