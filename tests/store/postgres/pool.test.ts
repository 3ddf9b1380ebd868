import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { isLost } from '../../../engine/src/store/postgres/pg-errors.ts';
import { passwordsIn, withoutPassword } from '../../../engine/src/store/postgres/database-url.ts';
import { postgres } from '../../available.ts';
import { startCuttingProxy } from '../../cutting-proxy.ts';
import { startPostgres, type PostgresServer } from '../../postgres.ts';

describe.skipIf(postgres === undefined)('a PostgreSQL database (needs PostgreSQL)', () => {
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

  /** What a subscription hears next. */
  function hear(): { onNotice: (text: string) => void; next: () => Promise<string> } {
    const heard: string[] = [];
    let wake = () => {};
    return {
      onNotice(text) {
        heard.push(text);
        wake();
      },
      async next() {
        while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return heard.shift()!;
      },
    };
  }

  test('gives integers as numbers, bytes as bytes and column names as they are quoted', async () => {
    const bytes = Buffer.from([0, 255, 92, 10]);
    const { rows } = await database.query(
      'SELECT $1::bigint AS n, $2::bytea AS b, $3::text AS "aB", count(*) AS c, ($4::bytea[])[2] AS l',
      [9007199254740991, bytes, 'ü"\\', [Buffer.from('a'), bytes]],
    );
    expect(rows).toEqual([{ n: 9007199254740991, b: bytes, aB: 'ü"\\', c: 1, l: bytes }]);
  });

  test('returns how many rows a statement affected', async () => {
    await database.query('CREATE TABLE touched (n BIGINT)');
    expect((await database.query('INSERT INTO touched SELECT generate_series(1, 3)')).touched).toBe(3);
    expect((await database.query('UPDATE touched SET n = n + $1 WHERE n > $2', [10, 1])).touched).toBe(2);
  });

  test('applies a transaction as a whole or not at all', async () => {
    await database.query('CREATE TABLE t (id TEXT PRIMARY KEY)');
    await database.transaction(async (link) => {
      await Promise.all(['a', 'b'].map((id) => link.query('INSERT INTO t VALUES ($1)', [id])));
    });
    const failing = database.transaction(async (link) => {
      await Promise.all(['c', 'a', 'd'].map((id) => link.query('INSERT INTO t VALUES ($1)', [id])));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const thrown = database.transaction(async (link) => {
      await link.query('INSERT INTO t VALUES ($1)', ['e']);
      throw new Error('changed my mind');
    });
    await expect(thrown).rejects.toThrow('changed my mind');
    expect((await database.query('SELECT id FROM t ORDER BY id')).rows.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('rejects a transaction in which a statement has failed', async () => {
    const swallowed = database.transaction((link) => link.query('SELECT 1/0').catch(() => undefined));
    await expect(swallowed).rejects.toThrow('rolled back');
  });

  test('receives notifications of its channels only', async () => {
    const [one, two] = [hear(), hear()];
    const listening = await database.listen('One channel', one.onNotice, () => {});
    await database.listen('two', two.onNotice, () => {});
    await database.notify('One channel', 'first');
    await database.notify('two', 'second');
    expect(await one.next()).toBe('first');
    expect(await two.next()).toBe('second');
    await listening.close();
    await database.notify('One channel', 'third');
    await database.notify('two', 'fourth');
    expect(await two.next()).toBe('fourth');
  });

  test('receives notifications again after a reconnection, and reports the gap', async () => {
    const { onNotice, next } = hear();
    const gap = Promise.withResolvers<void>();
    await database.listen('again', onNotice, gap.resolve);
    await server.stop();
    await expect(database.query('SELECT 1')).rejects.toThrow();
    await server.start();
    await gap.promise;
    await database.notify('again', 'back');
    expect(await next()).toBe('back');
  });

  test('closes a connection that no longer answers, and uses another one', async () => {
    const url = new URL(await server.createDatabase());
    const proxy = await startCuttingProxy(Number(url.port));
    url.port = String(proxy.port);
    const patient = openPg(url.href, { answerTimeoutMs: 300 });
    try {
      await patient.query('CREATE TABLE silent (n BIGINT)');
      proxy.cutNext('silence');
      const commit = patient.transaction((link) => link.query('INSERT INTO silent VALUES ($1)', [1]));
      const error = await commit.then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(isLost(error)).toBe(true);
      expect((await patient.query('SELECT count(*) AS n FROM silent WHERE n > $1', [0])).rows).toEqual([{ n: 0 }]);
      expect((await patient.query('SELECT pg_sleep(0.5), 1 AS n')).rows).toMatchObject([{ n: 1 }]);
    } finally {
      await patient.close();
      await proxy.close();
    }
  });

  test('survives the loss of all connections, idle ones and those in a transaction', async () => {
    const lost = database.transaction(async (link) => {
      await link.query('SELECT 1');
      await server.kill();
      await link.query('SELECT 2');
    });
    await expect(lost).rejects.toThrow();
    await server.start();
    expect((await database.query('SELECT 3 AS n')).rows).toEqual([{ n: 3 }]);
  });
});

describe('the address of a database', () => {
  test.each([
    ['postgres://u:secret@db:5432/x', 'postgres://u:***@db:5432/x'],
    ['postgresql://u@db/x?sslmode=require&password=secret', 'postgresql://u@db/x?sslmode=require&password=***'],
    ['mysql://u:secret@db/x', undefined],
    ['u:secret@db', undefined],
  ])('%s is shown as %s', (url, shown) => {
    expect(withoutPassword(url)).toBe(shown);
  });

  test.each([
    'postgres//u:secret@db',
    'mysql://u:secret@db/x',
    'postgres://u:50%secret@db/x',
    'postgres://50%:secret@db/x',
    'postgres://u:secret@db/50%',
  ])('that is none is refused without a word of it: %s', (url) => {
    expect(() => openPg(url)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(() => openPg(url)).not.toThrow(/secret/);
  });

  test.each([
    ['postgres://u:se%2Fcret@db/x', ['se%2Fcret', 'se/cret']],
    ['postgres://u@db/x?password=secret&sslpassword=other', ['secret', 'other']],
    ['postgres://u:50%secret@db/x', ['50%secret']],
    ['mysql://u:secret@db/x', ['secret']],
    ['postgres://u@db/x', []],
    ['no address', []],
  ])('%s has the passwords %j', (url, passwords) => {
    expect(passwordsIn(url)).toEqual(passwords);
  });
});
