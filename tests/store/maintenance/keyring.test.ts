import { afterEach, beforeEach, expect, test } from 'vitest';
import { CipherKey, makeKey } from '../../../engine/src/store/cipher.ts';
import {
  dropKeyring,
  isEncrypted,
  type Progress,
  readKeyring,
  readKeyState,
  readProgress,
  writeKeyring,
  writeProgress,
} from '../../../engine/src/store/maintenance/keyring.ts';
import type { Script } from '../../../engine/src/store/maintenance/script.ts';
import { runSqliteScript, sqliteScriptDialect as dialect } from '../../../engine/src/store/sqlite/sqlite-script.ts';
import { createDatabase, type EmptyDatabase } from './database.ts';

const KEY = new CipherKey(makeKey());
const NEXT = new CipherKey(makeKey());

let database: EmptyDatabase;
beforeEach(() => void (database = createDatabase()));
afterEach(() => database.remove());
const run = <T>(script: Script<T>): T => runSqliteScript(database.db, script);

test('a store without a keyring is in plain text', () => {
  expect(run(readKeyring(dialect, undefined))).toBeUndefined();
  expect(run(readKeyring(dialect, KEY))).toBeUndefined();
  expect(run(isEncrypted(dialect))).toBe(false);
  expect(run(readKeyState(dialect, KEY.hex))).toEqual({ isEncrypted: false, rotatingTo: undefined });
});

test('the key that wrote the keyring reads the secret again', () => {
  run(writeKeyring('current', KEY, 'the secret'));
  expect(run(readKeyring(dialect, KEY))).toEqual({
    key: KEY,
    next: undefined,
    secret: 'the secret',
    progress: undefined,
  });
  expect(run(isEncrypted(dialect))).toBe(true);
  expect(run(readKeyState(dialect, KEY.hex))).toEqual({ isEncrypted: true, rotatingTo: undefined });
});

test.each([
  ['no key', undefined, 'STORE_KEY_MISSING'],
  ['another key', NEXT, 'STORE_KEY_WRONG'],
])('%s does not read the keyring', (_name, key, code) => {
  run(writeKeyring('current', KEY, 'the secret'));
  expect(() => run(readKeyring(dialect, key))).toThrow(expect.objectContaining({ code }));
});

test('a row that was sealed under another name is refused as tampered with', () => {
  run(writeKeyring('current', KEY, 'the secret'));
  run(writeKeyring('next', KEY, NEXT.hex));
  database.db.exec(`UPDATE keyring SET body = (SELECT body FROM keyring WHERE name = 'next') WHERE name = 'current'`);
  expect(() => run(readKeyring(dialect, KEY))).toThrow(expect.objectContaining({ code: 'STORE_TAMPERED' }));
});

test('during a rotation the old key and the new key read the same keyring', () => {
  run(writeKeyring('current', KEY, 'the secret'));
  run(writeKeyring('next', KEY, NEXT.hex));
  run(writeKeyring('previous', NEXT, KEY.hex));
  for (const key of [KEY, NEXT]) {
    const ring = run(readKeyring(dialect, key));
    expect([ring?.key.hex, ring?.next?.hex, ring?.secret]).toEqual([KEY.hex, NEXT.hex, 'the secret']);
    expect(run(readKeyState(dialect, key.hex))).toEqual({ isEncrypted: true, rotatingTo: NEXT.hex });
  }
});

test('progress is read as it was last written, until it is dropped', () => {
  expect(run(readProgress(dialect))).toBeUndefined();
  const steps: Progress[] = [
    { table: 'message', after: ['thread 1', 7] },
    { table: null, after: [] },
  ];
  run(writeKeyring('current', KEY, 'the secret'));
  for (const step of steps) {
    run(writeProgress(dialect, step));
    expect(run(readProgress(dialect))).toEqual(step);
    expect(run(readKeyring(dialect, KEY))?.progress).toEqual(step);
  }
  run(dropKeyring('progress'));
  expect(run(readProgress(dialect))).toBeUndefined();
});
