import { afterAll, afterEach, beforeAll, expect, describe, test } from 'vitest';
import { createReminders } from '../../../engine/src/agenda/reminders.ts';
import { DueReminders } from '../../../engine/src/intake/due/reminders.ts';
import { listNotifications } from '../../../engine/src/notification/notification-rows.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { setStage, type Stage } from '../../run/harness.ts';

describe.skipIf(longPostgres === undefined)(`reminders over PostgreSQL${forPostgres}`, () => {
  let server: PostgresServer;
  let stage: Stage;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await stage.close();
  });

  test('fire once each although three processes fire them at the same time', async () => {
    stage = await setStage({ files: { 'settings.yaml': 'notify: { webhook: "http://127.0.0.1:1/" }\n' } });
    const url = await server.createDatabase();
    const open = async () => {
      const database = openPg(url);
      closing.push(() => database.close());
      const store = await openPostgres({ database });
      closing.push(() => store.close());
      return store;
    };
    const stores = await Promise.all([open(), open(), open()]);
    const [store] = stores;
    const { clock } = stage.app.deps;
    const reminders = createReminders({ store, clock, onChange: () => {} });
    const due = clock.now() - 1000;
    for (let n = 0; n < 30; n++) await reminders.add({ text: `number ${n}`, timeZone: 'UTC' }, { key: `${n}`, due });
    const all = stores.map((own) => new DueReminders({ ...stage.app.deps, store: own }, () => {}));
    for (const one of all) one.start();
    await expect.poll(() => store.count('reminder', [['status', '=', 'open']])).toBe(0);
    await Promise.all(all.map((one) => one.stop()));
    const texts = (await listNotifications(store, { limit: 100 })).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(Array.from({ length: 30 }, (_, n) => `number ${n}`).toSorted());
    expect(await store.count('ledger')).toBe(30);
  });
});
