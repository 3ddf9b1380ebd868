import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CipherKey, makeKey, parseKey } from '../../../engine/src/store/cipher.ts';
import { MIGRATIONS } from '../../../engine/src/store/migrations.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { rotateKey } from '../../../engine/src/store/sqlite/rotate-key.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { digest, fill, findWords, missing, NAME, oldDatabase, rowOf, WORD } from '../folder.ts';

const KEY = makeKey();
let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'callsheet-sealed-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Changes the file behind the store's back. */
function meddle(statement: string, ...values: (string | Uint8Array)[]): void {
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  db.prepare(statement).run(...values);
  db.close();
}

/** Changes one bit of a body. */
function flip(where: string, at = 40): void {
  const db = new DatabaseSync(join(dir, 'callsheet.db'), { readOnly: true });
  const body = Buffer.from(db.prepare(`SELECT body FROM ${where}`).get()?.['body'] as Uint8Array);
  db.close();
  body[at < 0 ? body.length + at : at]! ^= 1;
  const [table, condition] = where.split(' WHERE ');
  meddle(`UPDATE ${table} SET body = ? WHERE ${condition}`, body);
}

async function filled(key: string | null = KEY, count = 3): Promise<void> {
  const store = openSqlite({ dir, key: key ?? undefined });
  await fill(store, count);
  await store.close();
}

describe('a key', () => {
  test.each([
    ['64 digits', 'ab'.repeat(32), 'ab'.repeat(32)],
    ['capitals and a line break', `${'AB'.repeat(32)}\n`, 'ab'.repeat(32)],
    ['63 digits', 'a'.repeat(63), undefined],
    ['65 digits', 'a'.repeat(65), undefined],
    ['something that is no digit', 'g'.repeat(64), undefined],
    ['nothing', '', undefined],
  ])('is %s: %s', (_name, text, key) => {
    expect(parseKey(text)).toBe(key);
  });

  test('never seals twice with the same nonce', () => {
    const key = new CipherKey(KEY);
    const nonces = Array.from({ length: 5000 }, () => key.seal('same', 'place').subarray(5, 17).toString('hex'));
    expect(new Set(nonces).size).toBe(5000);
  });

  test('opens what it sealed in its place, and nowhere else', () => {
    const key = new CipherKey(KEY);
    const sealed = key.seal('text', 'here');
    expect(key.open(sealed, 'here')?.toString()).toBe('text');
    expect(key.open(sealed, 'there')).toBeUndefined();
    expect(new CipherKey(makeKey()).open(sealed, 'here')).toBeUndefined();
    expect(key.open(sealed.subarray(0, 20), 'here')).toBeUndefined();
  });
});

describe('an encrypted store', () => {
  test('leaves no word of any table in its files, while it is open and after', async () => {
    const store = openSqlite({ dir, key: KEY });
    await fill(store, 3);
    expect(findWords(dir, [WORD, NAME])).toEqual([]);
    await store.close();
    expect(findWords(dir, [WORD, NAME])).toEqual([]);
  });

  test('in plain text leaves all these words in its files', async () => {
    await filled(null);
    expect(findWords(dir, [WORD, NAME])).toEqual([`callsheet.db: ${WORD}`, `callsheet.db: ${NAME}`]);
  });

  test('finds rows by names that lie sealed', async () => {
    const store = openSqlite({ dir, key: KEY });
    await fill(store, 3);
    const [name] = [`${NAME}/1`];
    expect(await store.list('mail', { where: [['account', '=', name]] })).toEqual([rowOf('mail', 1)]);
    expect(await store.list('mail', { where: [['account', 'in', [name, 'nobody']]] })).toEqual([rowOf('mail', 1)]);
    expect((await store.list('good')).map((row) => row.name).sort()).toEqual([0, 1, 2].map((n) => `${NAME}/${n}`));
    await store.apply([{ op: 'delete', table: 'account', where: { id: name } }]);
    expect(await store.count('account')).toBe(2);
    await store.close();
  });

  test('refuses to compare names by order, encrypted or not', async () => {
    const store = openSqlite({ dir });
    await expect(store.list('mail', { where: [['account', '<', 'm']] })).rejects.toMatchObject({ code: 'INTERNAL' });
    await store.close();
  });

  test.each([
    ['without a key', undefined, 'STORE_KEY_MISSING'],
    ['with another key', makeKey(), 'STORE_KEY_WRONG'],
  ])('%s is not opened, and nothing is written', async (_name, key, code) => {
    await filled();
    const before = digest(dir);
    expect(() => openSqlite({ dir, key })).toThrow(expect.objectContaining({ code }));
    expect(digest(dir)).toBe(before);
    const store = openSqlite({ dir, key: KEY });
    expect(await missing(store, 3)).toEqual([]);
    await store.close();
  });

  test.each([
    ['a body cut short', `UPDATE machine SET body = substr(body, 1, 60) WHERE id = 'id000001'`],
    ['a body put there in plain text', `UPDATE machine SET body = '{"n":1}' WHERE id = 'id000001'`],
    [
      'the body of another row',
      `UPDATE machine SET body = (SELECT body FROM machine WHERE id = 'id000002') WHERE id = 'id000001'`,
    ],
    [
      'the body of another table',
      `UPDATE machine SET body = (SELECT body FROM run WHERE id = 'id000001') WHERE id = 'id000001'`,
    ],
  ])('notices %s, names table and row, and overwrites nothing', async (_name, statement) => {
    await filled();
    meddle(statement);
    const store = openSqlite({ dir, key: KEY });
    const refusal = { code: 'STORE_TAMPERED', message: expect.stringContaining('row id000001 of table machine') };
    await expect(store.get('machine', { id: 'id000001' })).rejects.toMatchObject(refusal);
    await expect(store.list('machine')).rejects.toMatchObject(refusal);
    expect(await store.get('machine', { id: 'id000002' })).toEqual(rowOf('machine', 2));
    const before = digest(dir);
    await store.close();
    expect(digest(dir)).toBe(before);
  });

  test.each([
    ['at its head', 3],
    ['in its nonce', 10],
    ['in its text', 40],
    ['in its tag', -1],
  ])('notices one bit %s', async (_name, at) => {
    await filled();
    flip(`run WHERE id = 'id000001'`, at);
    const store = openSqlite({ dir, key: KEY });
    await expect(store.get('run', { id: 'id000001' })).rejects.toMatchObject({ code: 'STORE_TAMPERED' });
    await store.close();
  });

  test('notices two rows that were swapped whole', async () => {
    await filled();
    meddle(`UPDATE item SET id = 'x' WHERE id = 'id000001'`);
    meddle(`UPDATE item SET id = 'id000001', workspace = 'workspace000001' WHERE id = 'id000002'`);
    const store = openSqlite({ dir, key: KEY });
    await expect(store.get('item', { workspace: 'workspace000001', id: 'id000001' })).rejects.toMatchObject({
      code: 'STORE_TAMPERED',
    });
    await store.close();
  });

  test('notices a keyring that was changed', async () => {
    await filled();
    flip(`keyring WHERE name = 'current'`);
    expect(() => openSqlite({ dir, key: KEY })).toThrow(expect.objectContaining({ code: 'STORE_TAMPERED' }));
  });
});

describe('a store of plain text', () => {
  test('is encrypted in place when it is opened with a key, and no plain text stays in its files', async () => {
    const plain = openSqlite({ dir });
    await fill(plain, 250);
    const key = plain.lookupKey('jane');
    await plain.close();
    const store = openSqlite({ dir, key: KEY });
    expect(store.storage).toBe('encrypted');
    expect(findWords(dir, [WORD, NAME])).toEqual([]);
    expect(await missing(store, 250)).toEqual([]);
    expect(store.lookupKey('jane')).toBe(key);
    await store.close();
    expect(findWords(dir, [WORD, NAME])).toEqual([]);
    expect(() => openSqlite({ dir })).toThrow(expect.objectContaining({ code: 'STORE_KEY_MISSING' }));
  });

  test('leaves nothing of rows that were removed while it was in plain text', async () => {
    const plain = openSqlite({ dir });
    await fill(plain, 50);
    for (let n = 0; n < 50; n++) {
      const thread = `thread${String(n).padStart(6, '0')}`;
      await plain.apply([{ op: 'delete', table: 'message', where: { thread } }]);
    }
    await plain.close();
    expect(findWords(dir, [WORD])).not.toEqual([]);
    await openSqlite({ dir, key: KEY }).close();
    expect(findWords(dir, [WORD])).toEqual([]);
  });

  test.each(MIGRATIONS.slice(1).map((_, n) => n + 1))(
    'of schema version %i is migrated, with a key and without',
    async (version) => {
      const db = oldDatabase(dir, version);
      db.prepare('INSERT INTO meta (name, body) VALUES (?, ?)').run('lookupSecret', JSON.stringify('ab'.repeat(32)));
      db.prepare('INSERT INTO account (id, body) VALUES (?, ?)').run(NAME, JSON.stringify({ text: WORD }));
      db.prepare('INSERT INTO message (thread, seq, at, body) VALUES (?, 1, 1, ?)').run('t', JSON.stringify(WORD));
      db.close();
      const plain = openSqlite({ dir });
      expect((await plain.get('account', { id: NAME }))?.body).toContain(WORD);
      expect(await plain.count('secret')).toBe(0);
      await plain.close();
      const store = openSqlite({ dir, key: KEY });
      expect((await store.get('account', { id: NAME }))?.body).toContain(WORD);
      expect((await store.get('message', { thread: 't', seq: 1 }))?.body).toContain(WORD);
      await store.close();
      expect(findWords(dir, [WORD, NAME])).toEqual([]);
    },
  );
});

describe('a rotation', () => {
  test('seals every row with the new key, and the old key no longer opens the store', async () => {
    await filled(KEY, 150);
    const to = makeKey();
    const { rows, left } = rotateKey(dir, { from: KEY, to }, silentLogger);
    expect(rows).toBeGreaterThan(150 * 15);
    expect(left).toBe(0);
    expect(() => openSqlite({ dir, key: KEY })).toThrow(expect.objectContaining({ code: 'STORE_KEY_WRONG' }));
    const store = openSqlite({ dir, key: to });
    expect(await missing(store, 150)).toEqual([]);
    await store.close();
    expect(findWords(dir, [KEY, to])).toEqual([]);
  });

  test('does nothing if the store has that key already', async () => {
    await filled();
    expect(rotateKey(dir, { from: KEY, to: KEY }, silentLogger)).toEqual({ rows: 0, left: 0 });
  });

  test('leaves a row that it cannot decrypt unchanged, and counts it', async () => {
    await filled();
    meddle(`UPDATE item SET body = (SELECT body FROM item WHERE id = 'id000002') WHERE id = 'id000001'`);
    const to = makeKey();
    expect(rotateKey(dir, { from: KEY, to }, silentLogger).left).toBe(1);
    const store = openSqlite({ dir, key: to });
    await expect(store.get('item', { workspace: 'workspace000001', id: 'id000001' })).rejects.toMatchObject({
      code: 'STORE_TAMPERED',
    });
    await store.close();
  });
});
