import type { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import { type CipherKey, KeyRing, makeKey, NameCipher } from './cipher.ts';
import { type Codec, createCodec, plainCodec } from './codec.ts';
import { type Keyring, readKeyring } from './keyring.ts';
import { beginEncryption, finishEncryption, finishRotation, START } from './rekey.ts';
import type { Store } from './store.ts';

/** What a store works with once its keys are known. */
export interface Unlocked {
  readonly storage: Store['storage'];
  readonly codec: Codec;
  /** What look-up keys follow. */
  readonly secret: string;
}

/** Row of `meta` with the secret, where the store is in plain text. */
const SECRET = 'lookupSecret';

/**
 * Gets a database ready for its key, or for none: what is in plain text is encrypted, and a rotation that was cut short is
 * finished where the key is the new one; under the old one it waits for its command, since only that tells the new key.
 */
export function unlock(db: DatabaseSync, key: CipherKey | undefined, log: Logger): Unlocked {
  if (key === undefined) return { storage: 'plaintext', codec: plainCodec, secret: plainSecret(db) };
  let ring = openKeyring(db, key, log);
  if (ring.next?.id === key.id) {
    log.info('finishing a change of keys that was cut short');
    finishRotation(db, ring, ring.next, ring.progress ?? START, log);
    ring = { ...ring, key: ring.next, next: undefined };
  } else if (ring.next !== undefined)
    log.warn('a change of keys was cut short', { hint: 'callsheet key rotate finishes it; then the new key holds' });
  const keys = ring.next === undefined ? new KeyRing(ring.key) : new KeyRing(ring.next, ring.key);
  return { storage: 'encrypted', codec: createCodec(keys, new NameCipher(ring.secret)), secret: ring.secret };
}

/** The keyring of a store that is encrypted, by now if not before. */
export function openKeyring(db: DatabaseSync, key: CipherKey, log: Logger): Keyring {
  // What is overwritten or removed is blotted out, so that nothing in plain text, or under an old key, stays in the file.
  db.exec('PRAGMA secure_delete = ON');
  if (readKeyring(db, key) === undefined) {
    const secret = storedSecret(db);
    beginEncryption(db, key, secret ?? makeKey(), secret === undefined);
  }
  const ring = readKeyring(db, key);
  if (ring === undefined) throw new EngineError('INTERNAL', 'the keyring was not written');
  if (ring.next !== undefined || ring.progress === undefined) return ring;
  finishEncryption(db, ring, ring.progress, log);
  return { ...ring, progress: undefined };
}

function storedSecret(db: DatabaseSync): string | undefined {
  const row = db.prepare('SELECT body FROM meta WHERE name = ?').get(SECRET);
  return row === undefined ? undefined : (JSON.parse(String(row['body'])) as string);
}

function plainSecret(db: DatabaseSync): string {
  db.prepare('INSERT INTO meta (name, body) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(
    SECRET,
    JSON.stringify(makeKey()),
  );
  return storedSecret(db) ?? '';
}
