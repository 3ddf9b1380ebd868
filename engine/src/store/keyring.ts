import type { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../base/error.ts';
import { CipherKey, keyIdOf } from './cipher.ts';

/**
 * What opens an encrypted store. Rows of the table `keyring`: `current`, the store's own secret under the key; during a
 * rotation `next`, the new key under the old one, and `previous`, the old key under the new one, so that either opens the
 * store; `progress`, how far a change of keys has come. A store without `current` is in plain text.
 */
export interface Keyring {
  /** The key that the store is under, during a rotation the old one. */
  readonly key: CipherKey;
  /** The key that a rotation goes to. */
  readonly next: CipherKey | undefined;
  /** What look-up keys and sealed names follow; the same for the life of the store. */
  readonly secret: string;
  /** Set while rows are still to be changed. */
  readonly progress: Progress | undefined;
}

/** Rows of the tables before `table`, and those of `table` up to the key `after`, are done. Null: all are done. */
export interface Progress {
  readonly table: string | null;
  readonly after: readonly (string | number)[];
}

type RowName = 'current' | 'next' | 'previous' | 'progress';

/**
 * The keyring of a store, undefined where it is in plain text. Writes nothing. `STORE_KEY_MISSING` without a key,
 * `STORE_KEY_WRONG` for another one, `STORE_TAMPERED` where the keyring was changed.
 */
export function readKeyring(db: DatabaseSync, given: CipherKey | undefined): Keyring | undefined {
  const rows = readRows(db);
  const current = rows.get('current');
  if (current === undefined) return undefined;
  if (given === undefined)
    throw new EngineError('STORE_KEY_MISSING', 'the data folder is encrypted, and there is no key', {
      hint: 'set VX_MAILAGENT_KEY to the 64 hex digits that it was made with; without them it cannot be read',
    });
  const previous = rows.get('previous');
  const isNext = keyIdOf(previous) === given.id;
  if (!isNext && keyIdOf(current) !== given.id)
    throw new EngineError('STORE_KEY_WRONG', 'the data folder is encrypted with another key', {
      hint: `VX_MAILAGENT_KEY is key ${given.id}, the folder was written with key ${keyIdOf(current)}`,
    });
  const key = isNext ? new CipherKey(open(given, 'previous', previous)) : given;
  const next = isNext ? given : rows.has('next') ? new CipherKey(open(given, 'next', rows.get('next'))) : undefined;
  const progress = rows.get('progress');
  return {
    key,
    next,
    secret: open(key, 'current', current),
    progress: progress === undefined ? undefined : (JSON.parse(String(progress)) as Progress),
  };
}

/** Writes one row; keys and the secret are sealed, progress holds nothing but ids and sealed names. */
export function writeKeyring(db: DatabaseSync, name: Exclude<RowName, 'progress'>, by: CipherKey, value: string): void {
  put(db, name, by.seal(value, aboutRow(name)));
}

export function writeProgress(db: DatabaseSync, progress: Progress): void {
  put(db, 'progress', JSON.stringify(progress));
}

export function dropKeyring(db: DatabaseSync, ...names: readonly RowName[]): void {
  for (const name of names) db.prepare('DELETE FROM keyring WHERE name = ?').run(name);
}

function put(db: DatabaseSync, name: RowName, body: string | Uint8Array): void {
  db.prepare(
    'INSERT INTO keyring (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body',
  ).run(name, body);
}

function readRows(db: DatabaseSync): Map<string, unknown> {
  // A store of the first schema has no such table, and a fresh file has none at all.
  const hasTable = db.prepare(`SELECT name FROM sqlite_master WHERE name = 'keyring'`).get() !== undefined;
  const rows = hasTable ? db.prepare('SELECT name, body FROM keyring').all() : [];
  return new Map(rows.map((row) => [String(row['name']), row['body']]));
}

function open(key: CipherKey, name: RowName, sealed: unknown): string {
  const plain = sealed instanceof Uint8Array ? key.open(sealed, aboutRow(name)) : undefined;
  if (plain !== undefined) return plain.toString('utf8');
  throw new EngineError('STORE_TAMPERED', `row ${name} of table keyring is not as it was written`, {
    hint: 'nothing was overwritten; put the data folder back from a copy',
  });
}

function aboutRow(name: RowName): string {
  return JSON.stringify(['keyring', name]);
}
