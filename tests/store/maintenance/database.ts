import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE, openDatabase } from '../../../engine/src/store/sqlite/database-file.ts';

/** An empty store with its schema, in a folder of its own, before any key is known. */
export interface EmptyDatabase {
  readonly dir: string;
  readonly db: DatabaseSync;
  remove(): void;
}

export function createDatabase(): EmptyDatabase {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-maintenance-'));
  const db = openDatabase(join(dir, DATABASE_FILE), { synchronous: 'NORMAL', isSealed: false, inspect: () => {} });
  return {
    dir,
    db,
    remove() {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
