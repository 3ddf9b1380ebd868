import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { type Logger, silentLogger } from '../../../engine/src/base/log.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { asPgError } from '../../../engine/src/store/postgres/pg-errors.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../../cutting-proxy.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';

const RESTARTS = 40;

const entry = (scope: string, seq: number): Change => ({
  op: 'insert',
  table: 'entry',
  row: { scope, seq, at: 0, body: '{}' },
});

describe.skipIf(longPostgres === undefined)(`a PostgreSQL store whose server goes away${forPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  let database: SqlDatabase;
  let store: Store;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    database = openPg(url);
    store = await openPostgres({ database });
  });
  afterEach(async () => {
    await store.close();
    await database.close();
  });

  describe('in the middle of a commit', () => {
    let proxy: CuttingProxy;
    let through: Store;
    let cut: SqlDatabase;
    beforeEach(async () => {
      proxy = await startCuttingProxy(server.port);
      cut = openPg(url.replace(String(server.port), String(proxy.port)));
    });
    afterEach(async () => {
      await through.close();
      await cut.close();
      await proxy.close();
    });

    /** The error of lists that are applied together, while the time passes that the store waits between its questions. */
    async function failing(clock: SimulatedClock, ...lists: Change[][]): Promise<unknown> {
      let end: unknown;
      const ends = Promise.allSettled(lists.map((list) => through.apply(list)));
      void ends.then((all) => (end = all.map((one) => (one.status === 'rejected' ? one.reason : 'written'))));
      while (end === undefined) {
        clock.advance(20);
        await new Promise(setImmediate);
      }
      return end;
    }

    test('reports an unknown result and does not write again if the server stays unreachable', async () => {
      const clock = new SimulatedClock();
      through = await openPostgres({ database: cut, clock });
      proxy.cutNext('answer, and no more');
      const unknown = { code: 'STORE_FAILED', retryable: false };
      expect(await failing(clock, [entry('s', 1)], [entry('s', 2)])).toMatchObject([unknown, unknown]);
      expect(await store.count('entry')).toBe(2);
      proxy.admit();
      await through.apply([entry('s', 3)]);
      expect(await store.count('entry')).toBe(3);
    });

    test('reports an unknown result after a failover to another server', async () => {
      const clock = new SimulatedClock();
      through = await openPostgres({ database: cut, clock });
      proxy.cutNext('answer');
      // A standby that is promoted begins a history of its own.
      const query = cut.query.bind(cut);
      cut.query = async (text, values) => {
        const result = await query(text, values);
        return text.includes('timeline') ? { ...result, rows: [{ timeline: '00000002' }] } : result;
      };
      expect(await failing(clock, [entry('s', 1)])).toMatchObject([{ code: 'STORE_FAILED', retryable: false }]);
    });

    test.each([
      ['the first question', 'timeline'],
      ['the second question', 'pg_xact_status'],
    ])(
      'asks again if the server has no connection free for %s',
      async (_name, question) => {
        through = await openPostgres({ database: cut });
        proxy.cutNext('answer');
        // A server that has just started gets the connections of all processes at once.
        const query = cut.query.bind(cut);
        let refusals = 0;
        cut.query = (text, values) => {
          if (!text.includes(question) || refusals++ > 1) return query(text, values);
          return Promise.reject(Object.assign(new Error('sorry, too many clients already'), { code: '53300' }));
        };
        await through.apply([entry('s', 1)]);
        expect(refusals).toBeGreaterThan(1);
        expect(await store.count('entry')).toBe(1);
      },
      8_000,
    );

    test.each<[string, Cut]>([
      ['the answer is lost', 'answer'],
      ['the request is lost', 'request'],
      ['the request is lost and the server does not notice', 'request, unnoticed'],
    ])(
      'finds out what became of it and writes it once, where %s',
      async (_name, how) => {
        through = await openPostgres({ database: cut });
        await through.apply([{ op: 'put', table: 'counter', row: { name: 'c', rev: 0, body: '{}' } }]);
        proxy.cutNext(how);
        const bump: Change = {
          op: 'update',
          table: 'counter',
          key: { name: 'c' },
          set: { rev: 1 },
          expect: { rev: 0 },
        };
        await Promise.all([through.apply([entry('s', 1), bump]), through.apply([entry('s', 2)])]);
        expect(proxy.cuts).toBe(1);
        expect((await store.get('counter', { name: 'c' }))?.rev).toBe(1);
        expect((await store.list('entry', { order: [['seq', 'asc']] })).map(({ seq }) => seq)).toEqual([1, 2]);
        // Well before the server ends by itself what a silent client has begun.
      },
      8_000,
    );
  });

  test(
    `writes each list once or says that it did not, while the server is killed or restarted ${RESTARTS} times`,
    async () => {
      let isOver = false;
      let failures = 0;
      /** Writes one list after the other, each again until it is written: one that was there already would be a conflict. */
      const writer = async (scope: string): Promise<number> => {
        for (let seq = 0; ; seq++) {
          if (isOver) return seq;
          for (let isWritten = false; !isWritten;)
            try {
              await store.apply([
                entry(scope, seq),
                { op: 'put', table: 'counter', row: { name: scope, rev: seq, body: '' } },
              ]);
              isWritten = true;
            } catch (error) {
              if (!(error instanceof EngineError) || error.code !== 'STORE_FAILED' || !error.retryable) throw error;
              failures++;
            }
        }
      };
      const writers = Array.from({ length: 20 }, (_, n) => writer(`w${n}`));
      for (let n = 0; n < RESTARTS; n++) {
        const before = await countOf(store);
        while ((await countOf(store)) < before + 100);
        await (n % 2 === 0 ? server.kill() : server.stop());
        await server.start();
      }
      isOver = true;
      const counts = await Promise.all(writers);
      for (const [n, count] of counts.entries()) {
        expect(await store.count('entry', [['scope', '=', `w${n}`]])).toBe(count);
        expect((await store.get('counter', { name: `w${n}` }))?.rev).toBe(count - 1);
      }
    },
    RESTARTS * 15_000 + 30_000,
  );

  test('reports a retryable error while the server is unreachable, and works when it is back', async () => {
    await server.stop();
    await expect(store.apply([entry('s', 1)])).rejects.toMatchObject({ code: 'STORE_FAILED', retryable: true });
    await expect(store.get('entry', { scope: 's', seq: 1 })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      retryable: true,
    });
    await server.start();
    await store.apply([entry('s', 1)]);
    expect(await store.count('entry')).toBe(1);
  });

  test('reports a retryable error if the database is read-only', async () => {
    const name = new URL(url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const standby = openPg(url);
    const refused = (await openPostgres({ database: standby })).apply([entry('s', 1)]);
    await expect(refused).rejects.toMatchObject({
      code: 'STORE_FAILED',
      retryable: true,
      hint: expect.stringContaining('read-only'),
    });
    await standby.close();
  });

  describe('or was never there for it', () => {
    const SECRET = 'hunter2-marmalade';
    beforeAll(async () => {
      const admin = openPg(server.url());
      await admin.query(`CREATE ROLE guest LOGIN PASSWORD '${SECRET}' IN ROLE locked`);
      await admin.close();
    });

    test.each<[string, (given: URL) => void, boolean, RegExp]>([
      ['a wrong password', (given) => (given.password = `${SECRET}-not`), false, /password/],
      ['an unknown user', (given) => (given.username = 'nobody-here'), false, /nobody-here/],
      ['an unknown database', (given) => (given.pathname = '/nowhere'), false, /createdb|create the database/],
      ['a port where nothing listens', (given) => (given.port = '1'), true, /port/],
      ['an unknown host', (given) => (given.hostname = 'no.such.host.invalid'), true, /host/],
      ['no right to make tables', () => {}, false, /GRANT/],
    ])('says what is wrong with %s, and never the password', async (_name, spoil, retryable, pattern) => {
      const given = new URL(url);
      given.username = 'guest';
      given.password = SECRET;
      spoil(given);
      const said: string[] = [];
      const note = (message: string, fields?: unknown) => void said.push(message, JSON.stringify(fields));
      const log: Logger = { ...silentLogger, debug: note, info: note, warn: note, error: note };
      const other = openPg(given.href, { log });
      const error = await openPostgres({ database: other, log }).catch((caught: unknown) => caught as EngineError);
      await other.close();
      expect(error).toMatchObject({ code: 'STORE_FAILED', retryable });
      const text = `${(error as EngineError).message} ${(error as EngineError).hint}`;
      expect(text).toMatch(pattern);
      for (const words of [text, said.join(), JSON.stringify(error), String((error as EngineError).cause)])
        expect(words).not.toContain(SECRET);
    });
  });
});

async function countOf(store: Store): Promise<number> {
  return store.count('entry').catch(() => 0);
}

describe('an error of PostgreSQL', () => {
  test.each([
    ['a taken key', '23505', 'STORE_CONFLICT', false],
    ['a deadlock', '40P01', 'STORE_FAILED', true],
    ['a lock that takes too long', '55P03', 'STORE_FAILED', true],
    ['a full disk', '53100', 'STORE_FAILED', true],
    ['too many connections', '53300', 'STORE_FAILED', true],
    ['a server that is starting', '57P03', 'STORE_FAILED', true],
    ['a server that stops', '57P01', 'STORE_FAILED', true],
    ['a standby', '25006', 'STORE_FAILED', true],
    ['a refused connection', 'ECONNREFUSED', 'STORE_FAILED', true],
    ['a reset connection', 'ECONNRESET', 'STORE_FAILED', true],
    ['a wrong certificate', 'ERR_TLS_CERT_ALTNAME_INVALID', 'STORE_FAILED', false],
    ['a wrong password', '28P01', 'STORE_FAILED', false],
    ['a damaged page', 'XX001', 'STORE_DAMAGED', false],
    ['a value that it does not take', '22001', 'STORE_INVALID', false],
    ['a value that is missing', '23502', 'STORE_INVALID', false],
    ['a key that is too long', '54000', 'STORE_INVALID', false],
  ])('for %s (%s) is %s, retryable %s', (_name, code, ours, retryable) => {
    const error = asPgError(Object.assign(new Error('text'), { code }), 'cannot write');
    expect(error).toMatchObject({ code: ours, retryable });
  });

  test('that combines several errors contains all their messages', () => {
    const causes = ['connect ECONNREFUSED ::1', 'connect ECONNREFUSED 127.0.0.1'].map((text) => new Error(text));
    expect(asPgError(new AggregateError(causes), 'cannot read').message).toBe(
      'cannot read: connect ECONNREFUSED ::1; connect ECONNREFUSED 127.0.0.1',
    );
  });
});
