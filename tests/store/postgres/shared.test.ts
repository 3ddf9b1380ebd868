import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '../../../engine/src/base/log.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { keyIdOf, makeKey } from '../../../engine/src/store/cipher.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { MIGRATIONS } from '../../../engine/src/store/migrations.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { inspectPostgres } from '../../../engine/src/store/postgres/inspect-postgres.ts';
import { READABLE_BY } from '../../../engine/src/store/postgres/pg-schema.ts';
import { readPgKeyState, rotatePgKey } from '../../../engine/src/store/postgres/pg-encryption.ts';
import { openPostgres, type PostgresOptions } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { TABLE_NAMES, TABLES } from '../../../engine/src/store/tables.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { fill, findWords, missing, NAME, WORD } from '../folder.ts';

const KEY = makeKey();

test('every schema version names the oldest version that can use it', () => {
  expect(READABLE_BY).toHaveLength(MIGRATIONS.length);
});

describe.skipIf(longPostgres === undefined)(`a PostgreSQL store that several processes share${forPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  let admin: SqlDatabase;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    admin = openPg(url);
    closing.push(() => admin.close());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A store as a process of its own would open it. */
  async function open(options: Omit<PostgresOptions, 'database'> = {}, at = url): Promise<Store> {
    const database = openPg(at);
    closing.push(() => database.close());
    const store = await openPostgres({ database, ...options });
    let isOpen = true;
    const close = store.close.bind(store);
    store.close = async () => {
      if (isOpen) await close();
      isOpen = false;
    };
    closing.push(() => store.close());
    return store;
  }

  const lease = (run: string, worker = 'w'): Change => ({
    op: 'insert',
    table: 'lease',
    row: { run, worker, job: '', rev: 0, at: 0 },
  });
  const step = (run: string, from: number): Change => ({
    op: 'update',
    table: 'lease',
    key: { run },
    set: { rev: from + 1 },
    expect: { rev: from },
  });
  const entry = (seq: number): Change => ({
    op: 'insert',
    table: 'entry',
    row: { scope: 's', seq, at: 0, body: '{}' },
  });

  test('lets exactly one of two processes commit the same step of a run', async () => {
    const stores = await Promise.all([open(), open()]);
    await stores[0]!.apply([lease('r')]);
    for (let rev = 0; rev < 100; rev++) {
      const ends = await Promise.allSettled(
        stores.map((store, n) => store.apply([entry(rev * 2 + n), step('r', rev)])),
      );
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(ends.find((end) => end.status === 'rejected')?.reason).toMatchObject({ code: 'STORE_CONFLICT' });
    }
    expect((await stores[0]!.get('lease', { run: 'r' }))?.rev).toBe(100);
    expect(await stores[0]!.count('entry')).toBe(100);
  });

  test('commits the lists of processes that change the same rows in opposite order', async () => {
    const stores = await Promise.all([open(), open()]);
    const counter = (name: string): Change => ({ op: 'put', table: 'counter', row: { name, rev: 0, body: '{}' } });
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const [a, b] = n % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
        // The same row twice in a list makes two statements, which cannot be put in order.
        return stores[n % 2]!.apply([counter(a!), counter(b!), counter(b!), counter(a!), counter(`own${n}`)]);
      }),
    );
    expect(await stores[0]!.count('counter')).toBe(52);
  });

  test('gives wakes to the queue in the transaction of their list, and none where that fails', async () => {
    await admin.query('CREATE TABLE woken (run TEXT)');
    const store = await open({
      onWakes: async (link, wakes) => {
        for (const { run } of wakes) await link.query('INSERT INTO woken VALUES ($1)', [run]);
      },
    });
    const wake = (run: string): Change => ({ op: 'wake', run, at: 0, priority: 0 });
    await store.apply([lease('a'), wake('a')]);
    const ends = await Promise.allSettled([
      store.apply([lease('b'), wake('b')]),
      store.apply([step('a', 7), wake('no')]),
      store.apply([wake('c')]),
      store.apply([lease('a'), wake('neither')]),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    const { rows } = await admin.query('SELECT run FROM woken ORDER BY run');
    expect(rows.map(({ run }) => run)).toEqual(['a', 'b', 'c']);
  });

  test('writes nothing of a list whose wakes the queue refuses', async () => {
    await admin.query('CREATE TABLE woken (run TEXT)');
    const store = await open({
      onWakes: async (link) => {
        await link.query(`INSERT INTO woken VALUES ('a')`);
        throw new Error('the queue is full');
      },
    });
    await expect(store.apply([lease('a'), { op: 'wake', run: 'a', at: 0, priority: 0 }])).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
    await store.apply([lease('b')]);
    expect((await store.list('lease')).map(({ run }) => run)).toEqual(['b']);
    expect((await admin.query('SELECT run FROM woken')).rows).toEqual([]);
  });

  test.each([['in plain text', undefined] as const, ['encrypted', KEY] as const])(
    'is made once by processes that start at once, %s',
    async (_name, key) => {
      const stores = await Promise.all([open({ key }), open({ key }), open({ key }), open({ key })]);
      expect(new Set(stores.map((store) => store.lookupKey('jane'))).size).toBe(1);
      await stores[0]!.apply([lease('a')]);
      expect((await stores[3]!.get('lease', { run: 'a' }))?.worker).toBe('w');
    },
  );

  test('has the columns and keys that the catalogue says', async () => {
    await open();
    const { rows } = await admin.query(`
      SELECT c.table_name AS t, c.column_name AS c, k.ordinal_position AS k FROM information_schema.columns c
      LEFT JOIN information_schema.key_column_usage k
        ON k.table_name = c.table_name AND k.column_name = c.column_name AND k.table_schema = 'public'
      WHERE c.table_schema = 'public'`);
    for (const [table, { columns, key }] of Object.entries(TABLES)) {
      const found = rows.filter(({ t }) => t === table.toLowerCase());
      const keys = found.filter(({ k }) => k !== null).sort((a, b) => Number(a['k']) - Number(b['k']));
      const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
      expect(found.map(({ c }) => c).sort(), table).toEqual(lower(Object.keys(columns)).sort());
      expect(
        keys.map(({ c }) => c),
        table,
      ).toEqual(lower(key));
    }
  });

  test('uses an index for every list that a page, a step or a recovery reads', async () => {
    const store = await open();
    await fill(store, 1000);
    await admin.query('ANALYZE');
    const plans = [
      `SELECT id FROM run WHERE status = 'x' ORDER BY id LIMIT 5`,
      `SELECT id FROM run WHERE id < 'x' ORDER BY id DESC LIMIT 50`,
      `SELECT id FROM mail WHERE identity = 'x'`,
      `SELECT id FROM machine WHERE root = 'x' AND status = 'y'`,
      `SELECT name FROM timer WHERE root = 'x'`,
      `SELECT name FROM timer WHERE due <= 5 ORDER BY due LIMIT 200`,
      `SELECT id FROM approval WHERE status = 'x' AND id < 'x' ORDER BY id DESC LIMIT 50`,
      `SELECT seq FROM entry WHERE scope = 'r' AND seq > 0 ORDER BY seq`,
      `SELECT id FROM thread WHERE run = ANY('{r,s}')`,
      `UPDATE lease SET rev = v1 FROM unnest('{a,b}'::text[], '{1,2}'::bigint[]) AS given (v0, v1) WHERE lease.run = v0`,
      `DELETE FROM entry USING unnest('{a,b}'::text[]) AS given (v0) WHERE entry.scope = v0`,
    ];
    for (const plan of plans) {
      const { rows } = await admin.query(`EXPLAIN ${plan}`);
      const text = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(text, plan).toMatch(/Index/);
      expect(text, plan).not.toMatch(/Seq Scan|Sort/);
    }
  });

  describe('of another version', () => {
    test('is refused if this version cannot use it', async () => {
      await open();
      await admin.query('UPDATE storeState SET version = $1, readableBy = $1', [MIGRATIONS.length + 1]);
      await expect(open()).rejects.toMatchObject({ code: 'STORE_TOO_NEW' });
    });

    test('is opened unchanged if this version can use it', async () => {
      await open();
      await admin.query('UPDATE storeState SET version = $1, readableBy = $2', [
        MIGRATIONS.length + 1,
        MIGRATIONS.length,
      ]);
      const store = await open();
      await store.apply([lease('a')]);
      expect((await admin.query('SELECT version FROM storeState')).rows).toEqual([{ version: MIGRATIONS.length + 1 }]);
    });
  });

  describe('with a key', () => {
    test('is encrypted in place, and no plain text stays in its tables', async () => {
      const [row] = (await admin.query('SELECT oid FROM pg_database WHERE datname = current_database()')).rows;
      const base = join(server.data, 'base', String(row?.['oid']));
      const plain = await open();
      await fill(plain, 120);
      const lookup = plain.lookupKey('jane');
      await plain.close();
      await admin.query('CHECKPOINT');
      expect(findWords(base, [WORD, NAME])).not.toEqual([]);
      const store = await open({ key: KEY });
      expect(store.storage).toBe('encrypted');
      expect(store.lookupKey('jane')).toBe(lookup);
      await admin.query('CHECKPOINT');
      expect(findWords(base, [WORD, NAME])).toEqual([]);
      expect(await missing(store, 120)).toEqual([]);
      await expect(open()).rejects.toMatchObject({ code: 'STORE_KEY_MISSING' });
      await expect(open({ key: makeKey() })).rejects.toMatchObject({ code: 'STORE_KEY_WRONG' });
    });

    test('is neither encrypted nor rotated while another process uses it', async () => {
      const plain = await open();
      await plain.apply([lease('a')]);
      await expect(open({ key: KEY })).rejects.toMatchObject({ code: 'DATA_LOCKED' });
      await plain.apply([step('a', 0)]);
      expect(plain.storage).toBe('plaintext');
      await plain.close();
      const sealed = await open({ key: KEY });
      const rotation = () => rotatePgKey(admin, { from: KEY, to: makeKey() }, silentLogger);
      await expect(rotation()).rejects.toMatchObject({ code: 'DATA_LOCKED' });
      await sealed.apply([step('a', 1)]);
      await sealed.close();
      await rotation();
    });

    test('is sealed with the new key by a rotation, and the old key no longer opens it', async () => {
      const before = await open({ key: KEY });
      await fill(before, 120);
      await before.close();
      const to = makeKey();
      const { rows, left } = await rotatePgKey(admin, { from: KEY, to }, silentLogger);
      expect(rows).toBeGreaterThan(120 * 15);
      expect(left).toBe(0);
      await expect(open({ key: KEY })).rejects.toMatchObject({ code: 'STORE_KEY_WRONG' });
      expect(await missing(await open({ key: to }), 120)).toEqual([]);
    });

    test('continues an interrupted rotation: at the start with the new key, by command with the old key', async () => {
      const before = await open({ key: KEY });
      await fill(before, 120);
      await before.close();
      const to = makeKey();
      await expect(cutShort(admin, (cut) => rotatePgKey(cut, { from: KEY, to }, silentLogger))).rejects.toThrow('cut');
      expect((await readPgKeyState(admin, KEY)).rotatingTo).toBe(to);
      expect((await keysIn(admin)).size).toBe(2);
      const old = await open({ key: KEY });
      expect(await missing(old, 120)).toEqual([]);
      await old.close();
      const store = await open({ key: to });
      expect(await missing(store, 120)).toEqual([]);
      expect((await keysIn(admin)).size).toBe(1);
      await expect(open({ key: KEY })).rejects.toMatchObject({ code: 'STORE_KEY_WRONG' });
    });

    test('continues an interrupted encryption', async () => {
      const plain = await open();
      await fill(plain, 120);
      await plain.close();
      const cut = cutShort(admin, (database) => openPostgres({ database, key: KEY }));
      await expect(cut).rejects.toThrow('cut');
      await expect(open()).rejects.toMatchObject({ code: 'STORE_KEY_MISSING' });
      expect(await missing(await open({ key: KEY }), 120)).toEqual([]);
      expect((await keysIn(admin)).size).toBe(1);
    });

    test('notices a body that was put in the place of another', async () => {
      const store = await open({ key: KEY });
      await fill(store, 2);
      await admin.query(`UPDATE run SET body = (SELECT body FROM run WHERE id = 'id000000') WHERE id = 'id000001'`);
      await expect(store.get('run', { id: 'id000001' })).rejects.toMatchObject({ code: 'STORE_TAMPERED' });
      expect(await store.get('run', { id: 'id000000' })).toBeDefined();
    });
  });

  describe('that is inspected', () => {
    test('is described without a change while another process uses it', async () => {
      const store = await open({ key: KEY });
      await fill(store, 150);
      await admin.query(`UPDATE run SET body = (SELECT body FROM run WHERE id = 'id000002') WHERE id = 'id000140'`);
      const look = await inspectPostgres(admin, KEY);
      expect(look?.schema).toMatchObject({ found: MIGRATIONS.length, known: MIGRATIONS.length });
      expect(look?.storage).toBe('encrypted');
      expect(await look?.faults()).toEqual([]);
      const { damaged, isComplete } = (await look?.damagedRows(60_000))!;
      expect(damaged.map(({ table, key }) => `${table} ${key}`)).toEqual(['run id000140']);
      expect(isComplete).toBe(true);
      expect(await look?.count('run')).toBe(150);
      await expect(look?.apply([lease('a')])).rejects.toMatchObject({ code: 'STORE_FAILED' });
      expect(look?.lookupKey('jane')).toBe(store.lookupKey('jane'));
    });

    test('differs from a store with another key, a newer version, or no store', async () => {
      expect(await inspectPostgres(admin, undefined)).toBeUndefined();
      await (await open({ key: KEY })).close();
      await expect(inspectPostgres(admin, undefined)).rejects.toMatchObject({ code: 'STORE_KEY_MISSING' });
      await expect(inspectPostgres(admin, makeKey())).rejects.toMatchObject({ code: 'STORE_KEY_WRONG' });
      await admin.query('UPDATE storeState SET version = 99, readableBy = 99');
      expect((await inspectPostgres(admin, KEY))?.schema.found).toBe(99);
    });
  });

  test('writes nothing more after another process changed keys or schema, and asks for a restart', async () => {
    const errors: string[] = [];
    const log: Logger = { ...silentLogger, error: (message) => errors.push(message) };
    const store = await open({ log });
    await admin.query('UPDATE storeState SET epoch = epoch + 1');
    await expect(store.apply([lease('a')])).rejects.toMatchObject({
      code: 'STORE_OUTDATED',
      hint: expect.stringContaining('restart this process'),
    });
    expect((await admin.query('SELECT * FROM lease')).rows).toEqual([]);
  });
});

/** A database that fails at the 30th transaction. */
async function cutShort<T>(database: SqlDatabase, work: (cut: SqlDatabase) => Promise<T>): Promise<T> {
  let count = 0;
  const cut: SqlDatabase = {
    query: database.query.bind(database),
    listen: database.listen.bind(database),
    holdLock: database.holdLock.bind(database),
    notify: database.notify.bind(database),
    close: async () => {},
    async transaction(inner) {
      if (++count === 30) throw new Error('cut');
      return database.transaction(inner);
    },
  };
  return work(cut);
}

/** Ids of the keys that rows are under; undefined for rows in plain text. */
async function keysIn(database: SqlDatabase): Promise<Set<string | undefined>> {
  const ids = new Set<string | undefined>();
  for (const table of TABLE_NAMES.filter((name) => 'body' in TABLES[name].columns))
    for (const { body } of (await database.query(`SELECT body FROM ${table}`)).rows) ids.add(keyIdOf(body));
  return ids;
}
