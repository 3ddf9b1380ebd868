import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { type ThreadSlots, reserveSlot, type OutgoingMail } from '../../../engine/src/mail/send/outgoing-store.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';

const NOW = Date.UTC(2026, 10, 22, 10);
const places: ThreadSlots = { threadKey: 'thread', perDay: 5 };

const mail = (id: string): Omit<OutgoingMail, 'slot' | 'state'> => ({
  ...{ id, at: NOW, dateMs: NOW, accountId: 'team', messageId: `<${id}@x>`, worker: 'w' },
});
const outcome = (work: Promise<OutgoingMail>) =>
  work.then(
    ({ slot }) => slot,
    (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
  );

describe.skipIf(longPostgres === undefined)(`the places of a thread on PostgreSQL${forPostgres}`, () => {
  let server: PostgresServer;
  let stores: Store[];
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    stores = [];
    for (let n = 0; n < 3; n++) {
      const database = openPg(url);
      const store = await openPostgres({ database, log: silentLogger });
      stores.push(store);
      ends.push(
        () => store.close(),
        () => database.close(),
      );
    }
  }, 60_000);
  afterAll(async () => {
    for (const end of ends) await end();
    await server.remove();
  });

  test('are each taken once by processes that ask at the same time', async () => {
    const asked = Array.from({ length: 30 }, (_, n) => outcome(reserveSlot(stores[n % 3]!, mail(`m${n}`), places)));
    const told = await Promise.all(asked);
    const taken = told.filter((one) => one.startsWith('thread/'));
    expect(taken.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => `thread/2026-11-22/${n}`));
    expect(new Set(told.filter((one) => !one.startsWith('thread/')))).toEqual(new Set(['REPLY_LIMIT']));
  });

  test('are not taken twice for one mail', async () => {
    const other: ThreadSlots = { threadKey: 'other', perDay: 5 };
    const told = await Promise.all(stores.map((store) => outcome(reserveSlot(store, mail('same'), other))));
    expect(new Set(told)).toEqual(new Set(['other/2026-11-22/0']));
  });
});
