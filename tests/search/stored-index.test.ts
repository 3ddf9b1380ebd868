import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../engine/src/base/log.ts';
import { updateIndex } from '../../engine/src/search/update-index.ts';
import { makeKey } from '../../engine/src/store/cipher.ts';
import type { SqlDatabase } from '../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { rotateKey } from '../../engine/src/store/sqlite/rotate-key.ts';
import { openMemorySqlite, openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { type PostgresServer, startPglite, startPostgres } from '../postgres.ts';
import { findWords, oldDatabase } from '../store/folder.ts';
import { databaseAt, folderAt, move } from '../store/move/endpoints.ts';
import { MAILS, openRun, RUNS, TINY } from './records.ts';

const { signal } = new AbortController();
/** As `TINY`, but nothing is merged. */
const FLAT = { small: 8, factor: 32 };
/** The first chunk with ids instead of slices. */
const FIRST_IDS = 4096;

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'callsheet-search-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Bodies of chunks as they are on the disk. */
function storedChunks(): Buffer[] {
  const db = new DatabaseSync(join(dir, 'callsheet.db'), { readOnly: true });
  const rows = db.prepare('SELECT body FROM searchChunk').all();
  db.close();
  return rows.map(({ body }) => Buffer.from(body as Uint8Array));
}

describe.each([
  ['mails', MAILS],
  ['runs', RUNS],
])('the index over %s', (_name, { searched, add, remove, find, scan, idOf, letters }) => {
  const update = (store: Store, shape = FLAT) => updateIndex(store, searched, { signal, shape });

  test('an encrypted store has no bits and no ids of the index in plain text, and all slices have the same length', async () => {
    const store = openSqlite({ dir, key: makeKey(), synchronous: 'NORMAL' });
    // All mails have the same words: in plain text, each slice is all ones or all zeros.
    await add(store, ...letters(0, 40).map(({ id }) => ({ id, subject: 'quokka' })));
    await update(store);
    const slices = await store.list('searchChunk', { where: [['chunk', '<', FIRST_IDS]] });
    const zeros = Buffer.alloc(16);
    expect(slices.filter(({ body }) => Buffer.from(body).includes(zeros)).length).toBeGreaterThan(100);
    await store.close();
    const stored = storedChunks();
    expect(stored.filter((body) => body.includes(zeros) || body.includes(`${searched.kind}_`))).toEqual([]);
    expect(findWords(dir, ['quokka', 'uokk'])).toEqual([]);
    expect(slices).toHaveLength(5 * 128);
    expect(new Set(slices.map(({ body }) => body.length)).size).toBe(1);
  });

  test('a rotation of the key keeps the index', async () => {
    const [from, to] = [makeKey(), makeKey()];
    let store = openSqlite({ dir, key: from, synchronous: 'NORMAL' });
    await add(store, ...letters(0, 45));
    await update(store);
    await store.close();
    expect(rotateKey(dir, { from, to }, silentLogger).left).toBe(0);
    store = openSqlite({ dir, key: to });
    const found = await find(store, ['number7x'], { shape: FLAT });
    expect(found?.ids).toEqual([idOf(7)]);
    expect(found?.looked.length).toBeLessThan(20);
    await store.close();
  });

  test('PostgreSQL has the same index, and a move keeps it', async () => {
    const lite = await startPglite();
    try {
      let store: Store = openSqlite({ dir, synchronous: 'NORMAL' });
      await add(store, ...letters(0, 13));
      await update(store);
      await store.close();
      await move(folderAt(dir), databaseAt(lite.database));
      store = await openPostgres({ database: lite.database });
      const moved = await find(store, ['number7x'], { shape: FLAT });
      expect(moved?.ids).toEqual([idOf(7)]);
      expect(moved?.looked.length).toBeLessThan(20);
      await add(store, ...letters(70, 3), { id: `${idOf(5)}a`, subject: 'late order' });
      await remove(store, idOf(9));
      await Promise.allSettled([update(store), update(store)]);
      await update(store);
      expect((await store.list('searchBlock')).map(({ state, size }) => `${state} ${size}`)).toEqual([
        'ready 8',
        'ready 8',
      ]);
      expect((await find(store, ['number9x'], { shape: FLAT }))?.looked).not.toContain(idOf(9));
      expect((await find(store, ['order'], { shape: FLAT }))?.ids).toEqual(await scan(store, ['order']));
      await store.close();
    } finally {
      await lite.stop();
    }
  }, 60_000);

  describe.skipIf(longPostgres === undefined)(`on a server${forPostgres}`, () => {
    let server: PostgresServer;
    let database: SqlDatabase;
    beforeAll(async () => {
      server = await startPostgres();
      database = openPg(await server.createDatabase());
    });
    afterAll(async () => {
      await database.close();
      await server.remove();
    });

    test('the index finds what a look at every mail finds', async () => {
      const store = await openPostgres({ database, key: makeKey() });
      await add(store, ...letters(0, 61));
      await Promise.allSettled([update(store, TINY), update(store, TINY)]);
      await update(store, TINY);
      await add(store, { id: `${idOf(5)}a`, subject: 'late order' });
      await remove(store, idOf(9));
      await update(store, TINY);
      expect((await find(store, ['order']))?.ids).toEqual(await scan(store, ['order']));
      expect((await find(store, ['late']))?.ids).toEqual([`${idOf(5)}a`]);
      expect((await find(store, ['number9x']))?.looked).not.toContain(idOf(9));
      expect((await store.list('searchBlock')).map(({ size }) => size).toSorted((a, b) => a - b)).toEqual([
        8, 8, 8, 32,
      ]);
      await store.close();
    });
  });
});

const updateAll = async (store: Store) => {
  for (const { searched } of [MAILS, RUNS]) await updateIndex(store, searched, { signal, shape: FLAT });
};

/** Rows of mails and runs as an earlier version has them: one mail is deleted, and one run is open. */
function fillOld(db: DatabaseSync): void {
  const mail = db.prepare(`INSERT INTO mail VALUES (?, 'inbox', ?, '', '', ?, 0, ?, 0)`);
  for (const { id, subject } of MAILS.letters(0, 20)) {
    const summary = { id, subject, snippet: '', from: [], to: [] };
    mail.run(id, id, id === MAILS.idOf(3) ? 'deleted' : 'kept', JSON.stringify({ summary }));
  }
  const run = db.prepare(`INSERT INTO run VALUES (?, ?, 'boss', '', ?)`);
  for (const { id, subject } of RUNS.letters(0, 20))
    run.run(id, id === RUNS.idOf(4) ? 'waiting' : 'completed', JSON.stringify(openRun(id, subject)));
}

test('the mails and runs of a store of an earlier version are found, and get their blocks', async () => {
  const db = oldDatabase(dir, 13);
  fillOld(db);
  db.close();
  const store = openSqlite({ dir, synchronous: 'NORMAL' });
  const counts = async () => {
    for (const { find, scan } of [MAILS, RUNS])
      expect((await find(store, ['order'], { shape: FLAT }))?.ids).toEqual(await scan(store, ['order']));
    return [await store.count('searchAdded', [['kind', '=', 'mail']]), await store.count('searchAdded')];
  };
  expect(await counts()).toEqual([19, 39]);
  await updateAll(store);
  // The open run waits, with three of those that are over.
  expect(await counts()).toEqual([3, 7]);
  expect(await store.count('searchAdded', [['settled', '=', 0]])).toBe(1);
  await store.close();
});

test('the blocks of mails that the version before had are used', async () => {
  const later = openMemorySqlite();
  await MAILS.add(later, ...MAILS.letters(0, 20));
  await updateAll(later);
  const [blocks, chunks] = [await later.list('searchBlock'), await later.list('searchChunk')];
  await later.close();
  const db = oldDatabase(dir, 14);
  fillOld(db);
  const insertBlock = db.prepare('INSERT INTO searchBlock VALUES (?, ?, ?, ?, ?)');
  for (const { id, state, size, firstId, lastId } of blocks) insertBlock.run(id, state, size, firstId, lastId);
  const insertChunk = db.prepare('INSERT INTO searchChunk VALUES (?, ?, ?)');
  for (const { block, chunk, body } of chunks) insertChunk.run(block, chunk, body);
  for (let n = 16; n < 20; n++) db.prepare('INSERT INTO searchAdded VALUES (?)').run(MAILS.idOf(n));
  db.prepare('INSERT INTO searchDeleted VALUES (?)').run(MAILS.idOf(3));
  db.prepare(`INSERT INTO counter VALUES ('mail-search', 99, '{}')`).run();
  db.close();
  const store = openSqlite({ dir, synchronous: 'NORMAL' });
  const found = await MAILS.find(store, ['number7x'], { shape: FLAT });
  expect(found?.ids).toEqual([MAILS.idOf(7)]);
  expect(found?.looked.length).toBeLessThan(10);
  expect((await MAILS.find(store, ['number3x'], { shape: FLAT }))?.looked).toContain(MAILS.idOf(3));
  await updateAll(store);
  expect((await MAILS.find(store, ['number3x'], { shape: FLAT }))?.looked).not.toContain(MAILS.idOf(3));
  for (const { find, scan } of [MAILS, RUNS])
    expect((await find(store, ['order'], { shape: FLAT }))?.ids).toEqual(await scan(store, ['order']));
  await store.close();
});
