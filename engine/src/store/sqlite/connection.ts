import type { DatabaseSync } from 'node:sqlite';

/** How a connection writes. */
export interface Durability {
  /** With FULL a committed change survives a power cut; with NORMAL only a crash of the process. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** True if the store is encrypted or will be. */
  readonly isSealed: boolean;
}

/** What a connection is given beside that. */
interface ConnectionOptions extends Durability {
  /** KB of pages that the connection keeps in memory. */
  readonly cacheKb: number;
}

/** Sets what each connection to the database of a data folder sets for itself. */
export function configureConnection(db: DatabaseSync, { synchronous, isSealed, cacheKb }: ConnectionOptions): void {
  db.exec(
    `PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -${cacheKb}; PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = OFF`,
  );
  // Sorting must not write data into temporary files.
  db.exec('PRAGMA temp_store = MEMORY');
  // SQLite overwrites deleted content with zeros, so that no plain text and nothing sealed with an old key stays in
  // the file.
  if (isSealed) db.exec('PRAGMA secure_delete = ON');
}
