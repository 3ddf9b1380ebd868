import { EngineError } from '../../base/error.ts';
import { CipherKey, keyIdOf } from '../cipher.ts';
import { deleteKeyringRows, putKeyringRow, readKeyringRows } from './keyring-rows.ts';
import { refuseMoved } from './move-marks.ts';
import { parseJson, type ScriptDialect, type Script, storeJson } from './script.ts';

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
 * `STORE_KEY_WRONG` for another one, `STORE_TAMPERED` where the keyring was changed; `STORE_MOVED` and `STORE_HALF_COPIED`
 * where the store is to be opened in another place.
 */
export function* readKeyring(dialect: ScriptDialect, given: CipherKey | undefined): Script<Keyring | undefined> {
  const rows = yield* readRows(dialect);
  const current = rows.get('current');
  if (current === undefined) return undefined;
  if (given === undefined)
    throw new EngineError('STORE_KEY_MISSING', `the ${dialect.name} is encrypted, and there is no key`, {
      hint: 'set VX_MAILAGENT_KEY to the 64 hex digits that it was made with; without them it cannot be read',
    });
  const previous = rows.get('previous');
  const isNext = keyIdOf(previous) === given.id;
  if (!isNext && keyIdOf(current) !== given.id)
    throw new EngineError('STORE_KEY_WRONG', `the ${dialect.name} is encrypted with another key`, {
      hint: `VX_MAILAGENT_KEY is key ${given.id}, the ${dialect.name} was written with key ${keyIdOf(current)}`,
    });
  const openRow = (by: CipherKey, name: RowName) => open(by, name, rows.get(name), dialect);
  const key = isNext ? new CipherKey(openRow(given, 'previous')) : given;
  return {
    key,
    next: isNext ? given : rows.has('next') ? new CipherKey(openRow(given, 'next')) : undefined,
    secret: openRow(key, 'current'),
    progress: parseProgress(rows.get('progress'), dialect),
  };
}

/** How a store stands to a key. */
export interface KeyState {
  /** False where nothing was stored yet, or where it is stored in plain text. */
  readonly isEncrypted: boolean;
  /** The key that a rotation, begun and not finished, goes to. */
  readonly rotatingTo: string | undefined;
}

/** How a store stands to a key, 64 hex digits. Writes nothing. Errors as `readKeyring`. */
export function* readKeyState(dialect: ScriptDialect, key: string | undefined): Script<KeyState> {
  const ring = yield* readKeyring(dialect, key === undefined ? undefined : new CipherKey(key));
  return { isEncrypted: ring !== undefined, rotatingTo: ring?.next?.hex };
}

/**
 * Row of `meta` with the secret, where the store is in plain text: look-up keys follow it. An encrypted store has it in the row
 * `current` of its keyring.
 */
export const SECRET_NAME = 'lookupSecret';

/** True where the store is encrypted, whatever its key. */
export function* isEncrypted(dialect: ScriptDialect): Script<boolean> {
  return (yield* readRows(dialect)).has('current');
}

/** How far a change of keys has come; undefined where none is under way. */
export function* readProgress(dialect: ScriptDialect): Script<Progress | undefined> {
  return parseProgress((yield* readRows(dialect)).get('progress'), dialect);
}

/** Writes one row; keys and the secret are sealed, progress holds nothing but ids and sealed names. */
export function* writeKeyring(name: Exclude<RowName, 'progress'>, by: CipherKey, value: string): Script<void> {
  yield* putKeyringRow(name, by.seal(value, aboutRow(name)));
}

/** Writes how far a change of keys has come. */
export function* writeProgress(dialect: ScriptDialect, progress: Progress): Script<void> {
  yield* putKeyringRow('progress', storeJson(dialect, progress));
}

/** Removes rows, those that a finished change of keys needs no more. */
export function* dropKeyring(...names: readonly RowName[]): Script<void> {
  yield* deleteKeyringRows(...names);
}

function* readRows(dialect: ScriptDialect): Script<Map<string, unknown>> {
  const rows = yield* readKeyringRows(dialect);
  refuseMoved(dialect, rows);
  return new Map(rows.map((row) => [String(row['name']), row['body']]));
}

function parseProgress(body: unknown, dialect: ScriptDialect): Progress | undefined {
  return body === undefined ? undefined : (parseJson(dialect, body) as Progress);
}

function open(key: CipherKey, name: RowName, sealed: unknown, dialect: ScriptDialect): string {
  const plain = sealed instanceof Uint8Array ? key.open(sealed, aboutRow(name)) : undefined;
  if (plain !== undefined) return plain.toString('utf8');
  throw new EngineError('STORE_TAMPERED', `row ${name} of table keyring is not as it was written`, {
    hint: `nothing was overwritten; put the ${dialect.name} back from a copy`,
  });
}

function aboutRow(name: RowName): string {
  return JSON.stringify(['keyring', name]);
}
