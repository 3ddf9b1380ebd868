import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import { type CipherKey, KeyRing, makeKey, NameCipher } from '../cipher.ts';
import { type Codec, createCodec } from '../codec.ts';
import { isEncrypted, type Keyring, readKeyring, SECRET_NAME } from './keyring.ts';
import {
  beginEncryption,
  type ReEncryptedRows,
  beginRotation,
  finishEncryption,
  finishRotation,
} from './re-encrypt.ts';
import { query, transaction, parseJson, type ScriptDialect, type Script, storeJson } from './script.ts';
import type { Store } from '../store.ts';

/** Codec and secret of an open store. */
export interface StoreKeys {
  readonly storage: Store['storage'];
  readonly codec: Codec;
  /** Look-up keys are derived from it. */
  readonly secret: string;
}

/**
 * Prepares a database for use with a key, or without one. With a key, it encrypts a store in plain text. It finishes an
 * interrupted rotation if the key is the new key. With the old key the rotation stays unfinished, and the log says that
 * `callsheet key rotate` finishes it. Errors as `readKeyring`.
 */
export function* openEncryption(dialect: ScriptDialect, key: CipherKey | undefined, log: Logger): Script<StoreKeys> {
  if (key === undefined)
    return { storage: 'plaintext', codec: dialect.plainCodec, secret: yield* plainSecret(dialect) };
  let ring = yield* openKeyring(dialect, key, log);
  if (ring.next?.id === key.id) {
    log.info('finishing an interrupted change of keys');
    yield* finishRotation(dialect, ring, ring.next, log);
    ring = { ...ring, key: ring.next, next: undefined };
  } else if (ring.next !== undefined)
    log.warn('a change of keys was interrupted', { hint: 'callsheet key rotate finishes it; then use the new key' });
  return storeKeysFor(dialect, ring);
}

/**
 * Codec and secret of a store with a keyring. During a rotation new rows are sealed with the new key, and both keys
 * open.
 */
export function storeKeysFor(dialect: ScriptDialect, { key, next, secret }: Keyring): StoreKeys {
  const ring = next === undefined ? new KeyRing(key) : new KeyRing(next, key);
  return { storage: 'encrypted', codec: dialect.wrapCodec(createCodec(ring, new NameCipher(secret))), secret };
}

/**
 * True if `openEncryption` would change existing rows. No other process may use the store at that time. Errors as
 * `readKeyring`.
 */
export function* isChangePending(dialect: ScriptDialect, key: CipherKey | undefined): Script<boolean> {
  const ring = yield* readKeyring(dialect, key);
  if (key === undefined) return false;
  if (ring === undefined) return (yield* storedSecret(dialect)) !== undefined;
  return ring.next === undefined ? ring.progress !== undefined : ring.next.id === key.id;
}

/**
 * Seals a store with another key, or continues an interrupted rotation. The result counts the rows of this call.
 * `CONFLICT` if an unfinished rotation goes to a different key. Errors as `readKeyring`.
 */
export function* rotate(dialect: ScriptDialect, from: CipherKey, to: CipherKey, log: Logger): Script<ReEncryptedRows> {
  const ring = yield* openKeyring(dialect, from, log);
  if (ring.next !== undefined && ring.next.hex !== to.hex)
    throw new EngineError('CONFLICT', `a change to key ${ring.next.id} is not finished`, {
      hint: 'finish it first: callsheet key rotate, without a new key',
    });
  if (ring.next === undefined) {
    if (ring.key.hex === to.hex) return { rows: 0, left: 0 };
    yield* beginRotation(dialect, ring.key, to);
  }
  return yield* finishRotation(dialect, ring, to, log);
}

/** Reads the keyring; first encrypts a store in plain text, and finishes an interrupted encryption. */
function* openKeyring(dialect: ScriptDialect, key: CipherKey, log: Logger): Script<Keyring> {
  if ((yield* readKeyring(dialect, key)) === undefined)
    yield* beginEncryption(dialect, key, yield* storedSecret(dialect), makeKey());
  const ring = yield* readKeyring(dialect, key);
  if (ring === undefined) throw new EngineError('INTERNAL', 'the keyring was not written');
  if (ring.next !== undefined || ring.progress === undefined) return ring;
  yield* finishEncryption(dialect, ring, log);
  return { ...ring, progress: undefined };
}

function* storedSecret(dialect: ScriptDialect): Script<string | undefined> {
  const [row] = yield* query('SELECT name, body FROM meta WHERE name = ?', SECRET_NAME);
  return row === undefined ? undefined : (parseJson(dialect, row['body']) as string);
}

/** Reads the secret of a store in plain text, and creates it on first use. */
function* plainSecret(dialect: ScriptDialect): Script<string> {
  yield* readKeyring(dialect, undefined);
  const known = yield* storedSecret(dialect);
  if (known !== undefined) return known;
  return yield* transaction(function* () {
    // Another process may have begun to encrypt the store, or may have created the secret.
    if (yield* isEncrypted(dialect)) yield* readKeyring(dialect, undefined);
    const body = storeJson(dialect, makeKey());
    yield* query('INSERT INTO meta (name, body) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', SECRET_NAME, body);
    return (yield* storedSecret(dialect)) ?? '';
  });
}
