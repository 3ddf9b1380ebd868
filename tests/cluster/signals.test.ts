import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import type { SqlDatabase } from '../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openSignals, type Signals } from '../../engine/src/cluster/signals.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { type PostgresServer, startPglite, startPostgres } from '../postgres.ts';

let lite: Awaited<ReturnType<typeof startPglite>>;
beforeAll(async () => {
  lite = await startPglite();
});
afterAll(() => lite.stop());

let count = 0;
const opened: Signals[] = [];
afterEach(async () => {
  for (const signals of opened.splice(0)) await signals.close();
});

/** A process with signals; `notices` are those that it sent, `isBroken` lets sending fail. */
async function openEnd(database: SqlDatabase = lite.database) {
  const clock = new SimulatedClock();
  const notices: string[] = [];
  const said: string[] = [];
  const end = { clock, notices, said, isBroken: false };
  const signals = await openSignals({
    database: {
      listen: database.listen.bind(database),
      async notify(channel, payload) {
        if (end.isBroken) throw new Error('the connection was refused');
        notices.push(payload);
        await database.notify(channel, payload);
      },
    },
    clock,
    log: { ...silentLogger, warn: (message) => said.push(message), error: (message) => said.push(message) },
    origin: `process ${++count}`,
  });
  opened.push(signals);
  return { ...end, signals, end };
}

/** What an end hears of a kind. */
function heard({ signals }: { signals: Signals }, kind = 'run'): unknown[] {
  const list: unknown[] = [];
  signals.on(kind, (data) => void list.push(data));
  return list;
}

describe('signals', () => {
  test('reach all others in order, by their kind, and never the sender', async () => {
    const [a, b, c] = [await openEnd(), await openEnd(), await openEnd()];
    const lists = [a, b, c].map((end) => heard(end));
    const others = heard(b, 'claim');
    a.signals.send('run', { id: 'run_1' });
    a.signals.send('claim');
    a.signals.send('run', { id: 'run_2' });
    a.clock.advance(15);
    await expect
      .poll(() => lists)
      .toEqual([[], [{ id: 'run_1' }, { id: 'run_2' }], [{ id: 'run_1' }, { id: 'run_2' }]]);
    expect(others).toEqual([undefined]);
  });

  test('that come together go as one notice', async () => {
    const [a, b] = [await openEnd(), await openEnd()];
    const list = heard(b);
    for (let n = 0; n < 50; n++) a.signals.send('run', n);
    a.clock.advance(15);
    await expect.poll(() => list).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(a.notices).toHaveLength(1);
  });

  test('that are too many for one notice go as several, in order', async () => {
    const [a, b] = [await openEnd(), await openEnd()];
    const list = heard(b);
    const texts = Array.from({ length: 300 }, (_, n) => `${n} ${'ü'.repeat(n % 90)}`);
    for (const text of texts) a.signals.send('run', text);
    a.clock.advance(15);
    await expect.poll(() => list).toEqual(texts);
    expect(a.notices.length).toBeGreaterThan(3);
    for (const notice of a.notices) expect(Buffer.byteLength(notice)).toBeLessThanOrEqual(7900);
  });

  test.each([
    ['just fits', 7900 - Buffer.byteLength('{"from":"process 99","notes":[["run",""]]}'), true],
    ['is far too long', 200_000, false],
  ])('one that %s arrives, at least as a call to look', async (_name, length, isWhole) => {
    const [a, b] = [await openEnd(), await openEnd()];
    const list = heard(b);
    const text = 'x'.repeat(length - 2);
    a.signals.send('run', text);
    a.signals.send('run', 'after');
    a.clock.advance(15);
    await expect.poll(() => list).toEqual([isWhole ? text : undefined, 'after']);
  });

  test('that cannot be sent are logged once, and others are told of the gap when it works again', async () => {
    const [a, b] = [await openEnd(), await openEnd()];
    const list = heard(b);
    let gaps = 0;
    b.signals.onGap(() => gaps++);
    a.end.isBroken = true;
    for (let n = 0; n < 5; n++) {
      a.signals.send('run', n);
      a.clock.advance(1000);
      await expect.poll(() => a.said).toEqual(['other processes could not be notified of a change']);
    }
    a.end.isBroken = false;
    a.clock.advance(1000);
    await expect.poll(() => gaps).toBe(1);
    a.signals.send('run', 'again');
    a.clock.advance(15);
    await expect.poll(() => list).toEqual(['again']);
    expect(gaps).toBe(1);
  });

  test('a listener that fails keeps nothing from the others', async () => {
    const [a, b] = [await openEnd(), await openEnd()];
    b.signals.on('run', () => {
      throw new Error('no');
    });
    const list = heard(b);
    a.signals.send('run', 1);
    a.clock.advance(15);
    await expect.poll(() => list).toEqual([1]);
    expect(b.said).toEqual(['a listener of a signal failed']);
  });

  test.each([
    ['no JSON', 'look!'],
    ['not an object', '[1]'],
    ['of a later version', '{"from":"later","notes":[{"kind":"run"},["run"],7],"more":{}}'],
  ])('a notice that is %s does no harm', async (_name, payload) => {
    const b = await openEnd();
    const list = heard(b);
    await lite.database.notify('callsheet', payload);
    await lite.database.notify('callsheet', '{"from":"somebody","notes":[["run","next"]]}');
    await expect.poll(() => list.at(-1)).toBe('next');
    expect(b.said).toEqual([]);
  });

  test('what ended is called no more', async () => {
    const [a, b] = [await openEnd(), await openEnd()];
    const [ended, list]: [unknown[], unknown[]] = [[], heard(b)];
    b.signals.on('run', (data) => ended.push(data))();
    a.signals.send('run', 1);
    a.clock.advance(15);
    await expect.poll(() => list).toEqual([1]);
    expect(ended).toEqual([]);
  });

  test('what waits is sent before they are closed', async () => {
    const [a, b] = [await openEnd(), await openEnd()];
    const list = heard(b);
    a.signals.send('run', 1);
    await a.signals.close();
    await expect.poll(() => list).toEqual([1]);
  });
});

describe.skipIf(longPostgres === undefined)(`signals over a real PostgreSQL${forPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  test('come back after the server was away, and say that there was a gap', async () => {
    const url = await server.createDatabase();
    const databases = [openPg(url), openPg(url)];
    const ends = await Promise.all(
      databases.map((database, n) =>
        openSignals({ database, clock: systemClock, log: silentLogger, origin: `process ${n}` }),
      ),
    );
    const [a, b] = ends as [Signals, Signals];
    const list = heard({ signals: b });
    let gaps = 0;
    b.onGap(() => gaps++);
    a.send('run', 'before');
    await expect.poll(() => list).toEqual(['before']);
    await server.stop();
    a.send('run', 'meanwhile');
    await server.start();
    await expect.poll(() => gaps).toBeGreaterThan(0);
    await expect
      .poll(() => {
        a.send('run', 'after');
        return list.at(-1);
      })
      .toBe('after');
    for (const end of ends) await end.close();
    for (const database of databases) await database.close();
  });

  test('arrive once those of 15 ms are gathered, and no clock need move after that', async () => {
    const url = await server.createDatabase();
    const databases = [openPg(url), openPg(url)];
    const clock = new SimulatedClock();
    const [a, b] = (await Promise.all(
      databases.map((database, n) => openSignals({ database, clock, log: silentLogger, origin: `process ${n}` })),
    )) as [Signals, Signals];
    const list = heard({ signals: b });
    for (let n = 0; n < 20; n++) {
      a.send('run', n);
      clock.advance(15);
      await expect.poll(() => list.at(-1)).toBe(n);
    }
    for (const end of [a, b]) await end.close();
    for (const database of databases) await database.close();
  });
});
