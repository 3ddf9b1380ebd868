import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolderSync } from '../../base/folder.ts';
import { isRecord } from '../../base/json.ts';
import type { Sql } from '../sql.ts';

/** Name of the file in the data folder that contains the mark of its database. */
export const MARK_FILE = 'store.json';
/** Name of the row of `keyring` that contains the mark in the database. */
const ROW = 'identity';

/**
 * Which database it is, and how far it has come. The database contains the mark, and the data folder a copy of it that
 * is never newer: it is written when the mark is on disk. So a database with an older mark, or with another id, has lost
 * commits or is another one (docs/decisions/marks-beside-the-database.md).
 */
export interface StoreMark {
  readonly id: string;
  /** Grows about every second while there are commits. */
  readonly mark: number;
}

/** The mark in the data folder; undefined if there is none or it cannot be read. */
export function readMarkFile(dir: string): StoreMark | undefined {
  try {
    return parseMark(readFileSync(join(dir, MARK_FILE), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The mark in the database; undefined in one of an older version. */
export function readMark(db: DatabaseSync): StoreMark | undefined {
  const hasTable = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'keyring'`).get() !== undefined;
  const row = hasTable ? db.prepare('SELECT body FROM keyring WHERE name = ?').get(ROW) : undefined;
  return row === undefined ? undefined : parseMark(String(row['body']));
}

/** The statement that writes the mark into the database. */
export function markSql(mark: StoreMark): Sql {
  const text = 'INSERT INTO keyring (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body';
  return { text, values: [ROW, JSON.stringify(mark)] };
}

/** Writes the mark into the database, within the open transaction if there is one. */
export function putMark(db: DatabaseSync, mark: StoreMark): void {
  const { text, values } = markSql(mark);
  db.prepare(text).run(...values);
}

/** Writes the mark of the data folder at once, and makes it durable. */
export function writeMarkFile(dir: string, mark: StoreMark): void {
  makeFolderSync(dir, 0o700);
  const temporary = join(dir, `${MARK_FILE}.tmp`);
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(mark));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(dir, MARK_FILE));
}

/** Writes marks of the data folder beside the event loop, one after the other; of several that wait only the last one. */
export class MarkWriter {
  readonly #dir: string;
  #next: StoreMark | undefined;
  #work: Promise<void> | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Writes a mark soon. A failure is left to the next mark: an older one is never wrong. */
  write(mark: StoreMark): void {
    this.#next = mark;
    this.#work ??= this.#writeAll().finally(() => (this.#work = undefined));
  }

  /** Resolves when nothing is being written. */
  async done(): Promise<void> {
    await this.#work;
  }

  async #writeAll(): Promise<void> {
    for (let mark = this.#next; mark !== undefined; mark = this.#next) {
      this.#next = undefined;
      await this.#writeOne(mark).catch(() => {});
    }
  }

  async #writeOne(mark: StoreMark): Promise<void> {
    const temporary = join(this.#dir, `${MARK_FILE}.tmp`);
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(mark));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(this.#dir, MARK_FILE));
  }
}

function parseMark(text: string): StoreMark | undefined {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) return undefined;
  const { id, mark } = value;
  return typeof id === 'string' && typeof mark === 'number' ? { id, mark } : undefined;
}
