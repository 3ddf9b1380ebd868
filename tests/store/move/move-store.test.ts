import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeKey } from '../../../engine/src/store/cipher.ts';
import { type MoveOptions, moveStore, reopenStore, tryMove } from '../../../engine/src/store/move/move-store.ts';
import { withFolder, withPostgres } from '../../../engine/src/store/move/move-endpoint.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { lockData } from '../../../engine/src/store/sqlite/data-lock.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change } from '../../../engine/src/store/store.ts';
import { forPostgres, isFull, longPostgres } from '../../available.ts';
import { type PostgresServer, startPglite, startPostgres } from '../../postgres.ts';
import { digest } from '../folder.ts';
import { Cut, databaseAt, filledFolder, folderAt, lost, move, rawRows } from './endpoints.ts';

let root: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'callsheet-copy-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const emptyFolder = () => mkdtempSync(join(root, 'new-'));

/** Code of what a promise, or a call, is refused with. */
async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
  return 'none';
}

/** Rows in every table go there and back, in plain text and encrypted. */
function thereAndBack(open: () => Promise<SqlDatabase>): void {
  let database: SqlDatabase;
  beforeEach(async () => void (database = await open()));

  test.each([
    ['in plain text', undefined],
    ['encrypted', makeKey()],
  ])('goes there and back %s, as it lies', async (_name, key) => {
    const dir = await filledFolder(root, key);
    const there = await move(folderAt(dir), databaseAt(database));
    expect(there.sums.find(({ table }) => table === 'message')).toMatchObject({ rows: 30 });
    const before = openSqlite({ dir: await reopened(dir), key });
    const store = await openPostgres({ database, key });
    expect(store.storage).toBe(before.storage);
    expect(store.lookupKey('x')).toBe(before.lookupKey('x'));
    expect(await lost(store)).toEqual([]);
    await before.close();
    await store.close();
    const back = emptyFolder();
    const sums = (await move(databaseAt(database), folderAt(back))).sums;
    expect(sums).toEqual(there.sums);
    expect(rawRows(back)).toEqual(rawRows(dir));
    const again = openSqlite({ dir: back, key });
    expect(await lost(again)).toEqual([]);
    await again.close();
  });
}

/** What moves keep, however they go. */
function moves(open: () => Promise<SqlDatabase>): void {
  let database: SqlDatabase;
  beforeEach(async () => void (database = await open()));

  test('leaves the old place closed, until somebody opens it again', async () => {
    const dir = await filledFolder(root);
    await move(folderAt(dir), databaseAt(database));
    expect(await refusal(() => openSqlite({ dir }))).toBe('STORE_MOVED');
    expect(await move(folderAt(dir), databaseAt(database))).toMatchObject({ isDone: true, sums: [] });
    const back = emptyFolder();
    await move(databaseAt(database), folderAt(back));
    expect(await refusal(() => openPostgres({ database }))).toBe('STORE_MOVED');
    expect(await databaseAt(database).use(reopenStore)).toBe(true);
    expect(await databaseAt(database).use(reopenStore)).toBe(false);
    await (await openPostgres({ database })).close();
  });

  test.each([
    ['to a database', true],
    ['to a folder', false],
  ])(
    'that is cut at any call %s goes on, and never are both places open',
    async (_name, isThere) => {
      const first = await filledFolder(root, undefined, 3);
      const places = [folderAt(first), databaseAt(database)];
      if (!isThere) {
        await move(places[0]!, places[1]!);
        places.splice(0, 1, places[1]!);
        places[1] = folderAt(emptyFolder());
      }
      const [from, to] = places as [(typeof places)[0], (typeof places)[0]];
      const isOpen = async ({ address }: typeof from) =>
        (await refusal(async () =>
          address.startsWith('postgres:')
            ? (await openPostgres({ database })).close()
            : openSqlite({ dir: address }).close(),
        )) === 'none';
      let cuts = 0;
      for (let n = 0; ; n++) {
        const at = 1 + Math.floor(n / 2);
        try {
          await move(from, to, { cut: { at, isDone: n % 2 === 1 } });
          break;
        } catch (error) {
          if (!(error instanceof Cut)) throw error;
          cuts++;
        }
        // The first call only looks, the second begins.
        if (at > 2) expect([await isOpen(from), await isOpen(to)]).not.toEqual([true, true]);
        if (at === 3) expect([await isOpen(from), await isOpen(to)]).toEqual([false, false]);
      }
      expect(cuts).toBeGreaterThan(20);
      expect([await isOpen(from), await isOpen(to)]).toEqual([false, true]);
      const store = isThere ? await openPostgres({ database }) : openSqlite({ dir: to.address });
      expect(await lost(store, 3)).toEqual([]);
      await store.close();
    },
    60_000,
  );

  test('finds a row that is not as it was, and stays closed', async () => {
    const dir = await filledFolder(root);
    await expect(move(folderAt(dir), databaseAt(database), { onProgress: atComparing })).rejects.toThrow(Cut);
    await database.query(`UPDATE message SET at = at + 1 WHERE seq = 7`);
    await expect(move(folderAt(dir), databaseAt(database))).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/differ in message \(30 rows \w{12}, 30 rows \w{12}\)/) as string,
    });
    expect(await refusal(() => openPostgres({ database }))).toBe('STORE_HALF_COPIED');
    await folderAt(dir).use(reopenStore);
    await move(folderAt(dir), databaseAt(database));
    const store = await openPostgres({ database });
    expect(await lost(store)).toEqual([]);
    await store.close();
  });

  test('finds a row that is missing, or one too many', async () => {
    const dir = await filledFolder(root);
    await expect(move(folderAt(dir), databaseAt(database), { onProgress: atComparing })).rejects.toThrow(Cut);
    await database.query(`DELETE FROM mailRaw WHERE seq = 3`);
    await database.query(`INSERT INTO good (name, hash) VALUES ('x', 'y')`);
    await expect(move(folderAt(dir), databaseAt(database))).rejects.toThrow(/differ in good .*, mailRaw /);
  });

  test('goes on in the middle of a table', async () => {
    const dir = await filledFolder(root, undefined, 3);
    const store = openSqlite({ dir });
    const entry = (seq: number): Change => ({
      op: 'insert',
      table: 'entry',
      row: { scope: 's', seq, at: 0, body: '{}' },
    });
    await store.apply(Array.from({ length: 500 }, (_, seq) => entry(seq)));
    await store.close();
    const atEntries: MoveOptions['onProgress'] = ({ table }) => {
      if (table === 'entry') throw new Cut('cut after the first batch');
    };
    await expect(move(folderAt(dir), databaseAt(database), { onProgress: atEntries })).rejects.toThrow(Cut);
    const { rows } = await database.query('SELECT count(*) AS n FROM entry');
    expect(Number(rows[0]?.['n'])).toBe(64);
    const { isResumed, sums } = await move(folderAt(dir), databaseAt(database));
    expect([isResumed, sums.find(({ table }) => table === 'entry')?.rows]).toEqual([true, 503]);
  });

  test('stops where another process has gone on with it', async () => {
    const dir = await filledFolder(root, undefined, 3);
    let calls = 0;
    const disturbed = folderAt(dir).use((old) =>
      databaseAt(database).use((fresh) => {
        const run: typeof fresh.run = async (script) => {
          if (++calls === 5) await database.query(FURTHER);
          return fresh.run(script);
        };
        return moveStore(old, { ...fresh, run }, { id: 'm', at: 0, onProgress: () => {} });
      }),
    );
    await expect(disturbed).rejects.toMatchObject({ code: 'DATA_LOCKED' });
  });

  test('that was given up begins anew with what the store is then', async () => {
    const dir = await filledFolder(root);
    await expect(move(folderAt(dir), databaseAt(database), { cut: { at: 30, isDone: true } })).rejects.toThrow(Cut);
    await folderAt(dir).use(reopenStore);
    const store = openSqlite({ dir });
    await store.apply([{ op: 'delete', table: 'meta', where: { name: 'name000001' } }]);
    await store.close();
    expect(await move(folderAt(dir), databaseAt(database))).toMatchObject({ isResumed: false });
    const moved = await openPostgres({ database });
    expect(await lost(moved)).toEqual(['meta 1: undefined']);
    await moved.close();
  });

  test('is refused by a place that holds another store, whole or half', async () => {
    const [one, other] = [await filledFolder(root), await filledFolder(root)];
    const held = await openPostgres({ database });
    await held.apply([{ op: 'put', table: 'toolset', row: { hash: 'h', body: '[]' } }]);
    await held.close();
    await expect(move(folderAt(one), databaseAt(database))).rejects.toMatchObject({ code: 'CONFLICT' });
    await database.query(`DELETE FROM toolset`);
    await expect(move(folderAt(one), databaseAt(database), { cut: { at: 20, isDone: true } })).rejects.toThrow(Cut);
    await expect(move(folderAt(other), databaseAt(database))).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(move(databaseAt(database), folderAt(emptyFolder()))).rejects.toMatchObject({
      code: 'STORE_HALF_COPIED',
    });
    // Nothing was done to the one that was refused.
    await openSqlite({ dir: other }).close();
    await move(folderAt(one), databaseAt(database));
  });

  test('is refused where the store moves elsewhere, has no secret yet, or is changing its keys', async () => {
    const dir = await filledFolder(root);
    await expect(move(folderAt(dir), databaseAt(database), { cut: { at: 20, isDone: true } })).rejects.toThrow(Cut);
    await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await expect(move(folderAt(dir), databaseAt(database))).rejects.toMatchObject({ code: 'STORE_MOVED' });
    await expect(move(folderAt(emptyFolder()), databaseAt(database))).rejects.toMatchObject({ code: 'USAGE' });
    const changing = await filledFolder(root);
    const db = new DatabaseSync(join(changing, 'callsheet.db'));
    db.exec(`INSERT INTO keyring (name, body) VALUES ('progress', '{"table":"run","after":[]}')`);
    db.close();
    await expect(move(folderAt(changing), databaseAt(database))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('can be tried, which writes nothing', async () => {
    const dir = await filledFolder(root);
    const [before, dry] = [digest(dir), { isDry: true, isNew: false }];
    const counts = await withFolder(dir, dry, (old) =>
      withPostgres(database, 'db', dry, (fresh) => tryMove(old!, fresh)),
    );
    expect([counts.get('message'), counts.get('ledger')]).toEqual([30, 36]);
    expect(digest(dir)).toBe(before);
    const { rows } = await database.query(`SELECT to_regclass('meta') IS NULL AS none`);
    expect(rows).toEqual([{ none: true }]);
    expect(await withFolder(join(root, 'nowhere'), dry, async (side) => side)).toBeUndefined();
  });

  test('is refused where a process works on the folder', async () => {
    const dir = await filledFolder(root);
    const lock = lockData(dir);
    await expect(move(folderAt(dir), databaseAt(database))).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    lock.release();
  });
}

/** Changes how far the copy in a database is. */
const FURTHER = `UPDATE keyring SET body = convert_to(replace(convert_from(body, 'UTF8'), '"table":"', '"table":"x'), 'UTF8')
  WHERE name = 'copy'`;

/** Cuts a move once all is copied. */
function atComparing({ phase }: { readonly phase: string }): void {
  if (phase === 'compare') throw new Cut('cut before the end');
}

describe('a move between a folder and PGlite', () => {
  let lite: Awaited<ReturnType<typeof startPglite>>;
  beforeAll(async () => void (lite = await startPglite()));
  afterAll(() => lite.stop());
  const open = async () => {
    await lite.database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    return lite.database;
  };
  thereAndBack(open);
  // Long; and a server answers faster.
  if (isFull && longPostgres === undefined) moves(open);
});

describe.skipIf(longPostgres === undefined)(`a move between a folder and a server${forPostgres}`, () => {
  let server: PostgresServer;
  const closing: (() => Promise<void>)[] = [];
  const open = async () => {
    const database = openPg(await server.createDatabase());
    closing.push(() => database.close());
    return database;
  };
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  thereAndBack(open);
  moves(open);

  test('is refused where a process works on the database, in either direction', async () => {
    const database = await open();
    const dir = await filledFolder(root);
    const store = await openPostgres({ database });
    await expect(move(folderAt(dir), databaseAt(database))).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    await expect(move(databaseAt(database), folderAt(emptyFolder()))).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    await store.apply([{ op: 'put', table: 'meta', row: { name: 'x', body: '{}' } }]);
    await store.close();
    await openSqlite({ dir }).close();
  });

  test('is refused while another process moves the same database', async () => {
    const database = await open();
    await databaseAt(database).use(async () => {
      const other = openPg((await server.createDatabase()).replace(/[^/]*$/, await nameOf(database)));
      closing.push(() => other.close());
      await expect(databaseAt(other).use(async () => {})).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    });
  });
});

async function nameOf(database: SqlDatabase): Promise<string> {
  return String((await database.query('SELECT current_database() AS name')).rows[0]?.['name']);
}

/** A folder whose store can be opened beside its copy. */
async function reopened(dir: string): Promise<string> {
  await folderAt(dir).use(reopenStore);
  return dir;
}
