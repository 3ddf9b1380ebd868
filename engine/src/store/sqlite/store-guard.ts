import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../base/error.ts';
import { DATABASE_FILE, openReadOnly } from './database-file.ts';
import { MARK_FILE, MarkWriter, putMark, readMark, readMarkFile, type StoreMark, writeMarkFile } from './store-mark.ts';

/** A mark is written at most once in this time, in milliseconds, and at the latest this long after a commit. */
const MARK_MS = 1000;
/** How often the open files are looked for, in milliseconds: less than another process needs to start on an emptied folder. */
const WATCH_MS = 100;
const WAL_FILE = `${DATABASE_FILE}-wal`;

/** How a store is guarded against the loss of its database. */
export interface GuardOptions {
  /** True where a person has confirmed that the database is another one or an older one. */
  readonly acceptsNewStore?: boolean | undefined;
  /** Called once when the open database was removed or replaced: nothing can be stored any more. */
  readonly onLost?: ((error: EngineError) => void) | undefined;
}

/**
 * Compares the database of a data folder with the mark in the folder, before it is opened for writing. `STORE_LOST` if
 * the database is missing or empty, another one, or older than the mark. `db` is undefined for a missing database.
 */
export function checkMark(dir: string, db: DatabaseSync | undefined, { acceptsNewStore = false }: GuardOptions): void {
  const known = readMarkFile(dir);
  if (known === undefined) return;
  const found = db && readMark(db);
  const isSame = found !== undefined && found.id === known.id && found.mark >= known.mark;
  if (isSame) return;
  if (acceptsNewStore) return rmSync(join(dir, MARK_FILE), { force: true });
  const file = join(dir, DATABASE_FILE);
  throw lost(
    db === undefined
      ? `the database ${file} is missing or empty, although this data folder had one`
      : found?.id === known.id
        ? `the database ${file} lacks its newest commits: it is an older copy, or its file ${WAL_FILE} was lost`
        : `the database ${file} is not the one that this data folder had`,
  );
}

/** As `checkMark`, for a data folder that another process may use. Writes nothing. */
export function inspectMark(dir: string): void {
  const file = join(dir, DATABASE_FILE);
  if (!existsSync(file)) return checkMark(dir, undefined, {});
  // The mark is read first: it may grow while the database is read.
  const db = openReadOnly(file);
  try {
    checkMark(dir, db, {});
  } finally {
    db.close();
  }
}

function lost(what: string): EngineError {
  return new EngineError('STORE_LOST', what, {
    hint:
      'put the whole data folder back from a copy; or, if this is what you want, callsheet start --accept-new-store: ' +
      'what the database does not know is done again, such as answering a mail',
  });
}

/** Keeps the mark of an open database, and notices that its files were removed or replaced. */
export class StoreGuard {
  readonly #dir: string;
  readonly #db: DatabaseSync;
  readonly #options: GuardOptions;
  readonly #writer: MarkWriter;
  /** Inodes of the open files by path, as numbers: an inode that a number cannot hold is rounded the same way each time. */
  readonly #inodes = new Map<string, number>();
  readonly #database: string;
  #mark: StoreMark;
  #markedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lost: EngineError | undefined;

  /** Writes the first mark of a database that has none. The process holds the lock of the folder. */
  constructor(dir: string, db: DatabaseSync, options: GuardOptions) {
    this.#dir = dir;
    this.#database = join(dir, DATABASE_FILE);
    this.#db = db;
    this.#options = options;
    this.#writer = new MarkWriter(dir);
    const found = readMark(db);
    // An accepted database gets a new id: the old one may come back from a copy, and is another one then.
    const isKnown = found !== undefined && options.acceptsNewStore !== true;
    this.#mark = isKnown ? { id: found.id, mark: found.mark + 1 } : { id: randomUUID(), mark: 1 };
    putMark(db, this.#mark);
    writeMarkFile(dir, this.#mark);
    for (const path of [this.#database, join(dir, WAL_FILE), join(dir, 'lock.db')]) {
      const inode = inodeOf(path);
      if (inode !== undefined) this.#inodes.set(path, inode);
    }
    this.#watch = setInterval(() => this.#lookAgain(), WATCH_MS).unref();
  }

  /** Called before a commit. Throws `STORE_LOST` if the files are gone. Returns the mark that the transaction has to write, if one is due. */
  beforeCommit(isLast = false): StoreMark | undefined {
    // The other files are looked at by the watch: each look costs some microseconds.
    if (inodeOf(this.#database) !== this.#inodes.get(this.#database)) this.#look();
    if (this.#lost !== undefined) throw this.#lost;
    if (!isLast && performance.now() - this.#markedAt < MARK_MS) return undefined;
    return { id: this.#mark.id, mark: Math.max(this.#mark.mark, readMark(this.#db)?.mark ?? 0) + 1 };
  }

  /** Called when a commit is on disk. `commitMark` commits a mark alone, where no other commit follows in time. */
  committed(mark: StoreMark | undefined, commitMark: () => void): void {
    if (mark !== undefined) {
      this.#mark = mark;
      this.#markedAt = performance.now();
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writer.write(mark);
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      commitMark();
    }, MARK_MS).unref();
  }

  /** Stops watching; the last mark is durable when it resolves. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    await this.#writer.done();
    if (this.#lost === undefined && existsSync(this.#database)) writeMarkFile(this.#dir, this.#mark);
  }

  /** An error, as of a network drive that is away, says neither that the files are there nor that they are gone. */
  #lookAgain(): void {
    try {
      this.#look();
    } catch {
      // The next look tells, and until then each commit does.
    }
  }

  #look(): void {
    if (this.#lost !== undefined) return;
    for (const [path, inode] of this.#inodes) {
      const found = inodeOf(path);
      // As SQLite does in its other journal modes: a path that names another file than the open one is refused.
      if (found !== inode) return this.#lose(path, found === undefined);
    }
  }

  #lose(path: string, isGone: boolean): void {
    this.#lost = new EngineError(
      'STORE_LOST',
      `${path} was ${isGone ? 'removed' : 'replaced'} while this process uses it: nothing can be stored`,
      { hint: 'put the whole data folder back from a copy and start again' },
    );
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    // The next process must not take the empty folder for a new one.
    try {
      if (!existsSync(this.#database)) writeMarkFile(this.#dir, this.#mark);
    } catch {
      // The disk itself may be gone.
    }
    this.#options.onLost?.(this.#lost);
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
