import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../../cutting-proxy.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';

const entry = (seq: number): Change => ({ op: 'insert', table: 'entry', row: { scope: 's', seq, at: 0, body: '{}' } });

describe.skipIf(longPostgres === undefined)(`a commit during which the server crashes${forPostgres}`, () => {
  let server: PostgresServer;
  let proxy: CuttingProxy;
  /** A store whose connections are cut, and one whose are not. */
  let cut: Store;
  let other: Store;
  const ends: (() => Promise<unknown>)[] = [];

  // What nobody has committed is in the log of the server only after ten seconds.
  beforeAll(async () => void (server = await startPostgres({ settings: ['wal_writer_delay=10s'] })));
  afterAll(() => server.remove());
  beforeEach(async () => {
    const url = await server.createDatabase();
    proxy = await startCuttingProxy(server.port);
    ends.push(() => proxy.close());
    const open = async (at: string) => {
      const database = openPg(at);
      const store = await openPostgres({ database });
      ends.push(async () => {
        await store.close();
        await database.close();
      });
      return store;
    };
    cut = await open(url.replace(String(server.port), String(proxy.port)));
    other = await open(url);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  test.each<{ name: string; how: Cut; kept: number; others: number }>([
    { name: 'the server has lost it', how: 'request, and no more', kept: 0, others: 0 },
    { name: 'the server has lost it and gives its number away', how: 'request, and no more', kept: 0, others: 3 },
    { name: 'the server has kept it', how: 'answer, and no more', kept: 1, others: 3 },
  ])('is written once where $name', async ({ how, kept, others }) => {
    proxy.cutNext(how);
    const written = cut.apply([entry(0)]);
    await expect.poll(() => proxy.cuts).toBe(1);
    await expect.poll(() => other.count('entry')).toBe(kept);
    await server.kill();
    await server.start();
    for (let seq = 1; seq <= others; seq++) await other.apply([entry(seq)]);
    expect(await other.count('entry')).toBe(kept + others);
    proxy.admit();
    await written;
    expect(await other.count('entry')).toBe(1 + others);
  });
});
