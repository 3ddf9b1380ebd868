import { EngineError } from '../../base/error.ts';
import { CipherKey, keyIdOf } from '../cipher.ts';
import { deleteKeyringRows, putKeyringRow, readKeyringRows } from './keyring-rows.ts';
import { refuseMoved } from './move-marks.ts';
import { parseJson, type ScriptDialect, type Script, storeJson } from './script.ts';

/**
 * The keys and the secret of an encrypted store. They are rows of the table `keyring`: `current` is the secret of the
 * store, sealed with the key. During a rotation, `next` is the new key sealed with the old one, and `previous` is the
 * old key sealed with the new one, so that either key opens the store. `progress` is how far a change of keys has come.
 * A store without `current` is in plain text.
 */
export interface Keyring {
  /** The key of the store; during a rotation, the old key. */
  readonly key: CipherKey;
  /** During a rotation, the new key. */
  readonly next: CipherKey | undefined;
  /** Look-up keys and sealed names are derived from it; it never changes. */
  readonly secret: string;
  /** Set while rows must still be converted. */
  readonly progress: Progress | undefined;
}

/**
 * Progress of a change of keys: all tables before `table` are done, and `table` up to the key `after`. Null: all are
 * done.
 */
export interface Progress {
  readonly table: string | null;
  readonly after: readonly (string | number)[];
}

type RowName = 'current' | 'next' | 'previous' | 'progress';

/**
 * Reads the keyring of a store; undefined if the store is in plain text. Writes nothing. `STORE_KEY_MISSING` if the
 * store is encrypted and no key is given, `STORE_KEY_WRONG` for a different key, `STORE_TAMPERED` if the keyring was
 * changed, `STORE_MOVED` if the store was moved away, `STORE_HALF_COPIED` if it is an incomplete copy.
 */
export function* readKeyring(dialect: ScriptDialect, given: CipherKey | undefined): Script<Keyring | undefined> {
  const rows = yield* readRows(dialect);
  const current = rows.get('current');
  if (current === undefined) return undefined;
  if (given === undefined)
    throw new EngineError('STORE_KEY_MISSING', `the ${dialect.name} is encrypted, and no key is set`, {
      hint: 'set VX_MAILAGENT_KEY to the 64 hex digits of its key; without the key nobody can read it',
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

/** Whether a store is encrypted, and whether a rotation is unfinished. */
export interface KeyState {
  /** False if nothing is stored yet, or if the store is in plain text. */
  readonly isEncrypted: boolean;
  /** The new key of an unfinished rotation, 64 hex digits. */
  readonly rotatingTo: string | undefined;
}

/** Reads the key state of a store with a key of 64 hex digits. Writes nothing. Errors as `readKeyring`. */
export function* readKeyState(dialect: ScriptDialect, key: string | undefined): Script<KeyState> {
  const ring = yield* readKeyring(dialect, key === undefined ? undefined : new CipherKey(key));
  return { isEncrypted: ring !== undefined, rotatingTo: ring?.next?.hex };
}

/**
 * Name of the row of `meta` that contains the secret of a store in plain text. An encrypted store keeps its secret in
 * the row `current` of its keyring.
 */
export const SECRET_NAME = 'lookupSecret';

/** True if the store is encrypted, with any key. */
export function* isEncrypted(dialect: ScriptDialect): Script<boolean> {
  return (yield* readRows(dialect)).has('current');
}

/** Reads how far a change of keys has come; undefined if there is none. */
export function* readProgress(dialect: ScriptDialect): Script<Progress | undefined> {
  return parseProgress((yield* readRows(dialect)).get('progress'), dialect);
}

/** Writes a key or the secret, sealed with the key `by`. */
export function* writeKeyring(name: Exclude<RowName, 'progress'>, by: CipherKey, value: string): Script<void> {
  yield* putKeyringRow(name, by.seal(value, aboutRow(name)));
}

/** Writes how far a change of keys has come, in plain text: it contains only ids and sealed names. */
export function* writeProgress(dialect: ScriptDialect, progress: Progress): Script<void> {
  yield* putKeyringRow('progress', storeJson(dialect, progress));
}

/** Deletes rows of the keyring that a finished change of keys no longer needs. */
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
  throw new EngineError('STORE_TAMPERED', `row ${name} of table keyring is not as it was written: it was changed`, {
    hint: `nothing was overwritten; restore the ${dialect.name} from a backup`,
  });
}

function aboutRow(name: RowName): string {
  return JSON.stringify(['keyring', name]);
}
