import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import type { FoundMail, ListOptions, MailSource, CursorReached } from '../../engine/src/mail/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import type { Dependencies } from '../../engine/src/run/dependencies.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { mailOf } from '../mail/fixtures.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

let stage: Stage;
beforeEach(async () => {
  const box = 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n';
  stage = await setStage({ files: { 'accounts/box.yaml': box }, models: playModels(() => ({ content: 'Done.' })) });
});
afterEach(() => stage.close());

/** A fetcher whose one account gives what `list` does. */
function fetcherOf(
  list: (options: ListOptions) => AsyncIterable<FoundMail | CursorReached>,
  own: Partial<Pick<Dependencies, 'clock' | 'live' | 'log'>> = {},
  /** Called with what the filters see of a mail before it is routed. */
  beforeRoute: (subject: string) => void = () => {},
): Fetcher {
  const source: MailSource = { list, watch: async () => async () => {} };
  const deps = { ...stage.app.deps, log: silentLogger, live: new LiveBus(), ...own };
  const filterPool = stage.app.filterPool;
  return new Fetcher(deps, {
    openSource: () => source,
    async routeMail(subject, snapshot) {
      beforeRoute(subject);
      return filterPool.decide(filterQuestion(subject, snapshot));
    },
    onNewMail: () => {},
  });
}

/** A mail of a provider with ids of its own. */
function found(id: string, before: () => Promise<void> | void = () => {}): FoundMail {
  const facts = { accountId: 'box', ownAddresses: [], labels: [], readsLabelHeaders: false };
  return {
    kind: 'mail',
    name: id,
    providerId: id,
    async read(given) {
      await before();
      const bytes = mailOf('From: ann@client.example', `Subject: ${id}`, '', 'The same text.');
      return stage.app.mailWorkers.parse({ kind: 'bytes', bytes }, { ...given, ...facts });
    },
  };
}

const reached = (cursor: (unread: readonly string[]) => unknown): CursorReached => ({ kind: 'reached', cursor });

async function kept(): Promise<unknown> {
  const row = await stage.app.deps.store.get('account', { id: 'box' });
  return row && JSON.parse(row.body);
}

describe('the place of an account', () => {
  test('is kept when all before it was taken, and handed to the next look', async () => {
    const given: unknown[] = [];
    const order: string[] = [];
    const slow = async () => {
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      order.push('read');
    };
    const fetcher = fetcherOf(async function* ({ cursor }) {
      given.push(cursor);
      if (cursor !== undefined) return;
      yield found('slow', slow);
      yield reached(() => {
        order.push('place');
        return { cursor: 7 };
      });
    });
    expect(await fetcher.fetch()).toMatchObject({ taken: 1 });
    expect(order).toEqual(['read', 'place']);
    expect(await kept()).toEqual({ place: { cursor: 7 } });
    await fetcher.fetch();
    expect(given).toEqual([undefined, { cursor: 7 }]);
  });

  test('stays where it is when the connection is lost in the middle', async () => {
    const lost = () => Promise.reject(new EngineError('ACCOUNT_FAILED', 'the connection failed', { retryable: true }));
    const fetcher = fetcherOf(async function* () {
      yield found('one');
      yield found('two', lost);
      yield reached(() => ({ cursor: 7 }));
    });
    expect(await fetcher.fetch()).toMatchObject({ taken: 1, failed: 1 });
    expect(await kept()).toBeUndefined();
    expect(fetcher.status().accounts).toMatchObject([{ state: 'failed', lastError: { code: 'ACCOUNT_FAILED' } }]);
  });

  test('is told which mails before it could not be read', async () => {
    const told: unknown[] = [];
    const torn = () => Promise.reject(new EngineError('MAIL_UNREADABLE', 'it is torn'));
    const fetcher = fetcherOf(async function* () {
      yield found('one');
      yield found('two', torn);
      yield reached((unread) => {
        told.push(unread);
        return told.length;
      });
      yield found('three');
      yield reached((unread) => {
        told.push(unread);
        return told.length;
      });
    });
    expect(await fetcher.fetch()).toMatchObject({ taken: 2, failed: 1 });
    expect(told).toEqual([['two'], []]);
    expect(await kept()).toEqual({ place: 2 });
  });

  test('is told of a mail that was not stored since a row of its conversation is damaged', async () => {
    const told: unknown[] = [];
    const fetcher = fetcherOf(
      async function* () {
        yield found('one');
        yield found('two');
        yield reached((unread) => {
          told.push(unread);
          return told.length;
        });
      },
      {},
      (subject) => {
        if (subject.includes('two')) throw new EngineError('STORE_DAMAGED', 'an objective cannot be read');
      },
    );
    expect(await fetcher.fetch()).toMatchObject({ taken: 1, failed: 1 });
    expect(told).toEqual([['two']]);
  });
});

test('a mail that cannot be read is told of once, and again when it is for another reason', async () => {
  const told: string[] = [];
  const log = {
    ...silentLogger,
    warn: (message: string, fields?: object) => void told.push(`${message} ${JSON.stringify(fields)}`),
  };
  let why = 'it is torn';
  const fetcher = fetcherOf(
    async function* () {
      yield found('one', () => Promise.reject(new EngineError('MAIL_UNREADABLE', why)));
    },
    { log },
  );
  for (let look = 0; look < 3; look++) expect(await fetcher.fetch()).toMatchObject({ failed: 1 });
  why = 'it is gone to pieces';
  await fetcher.fetch();
  expect(told).toEqual([expect.stringContaining('it is torn'), expect.stringContaining('it is gone to pieces')]);
});

test('a mail whose id is known is not read again', async () => {
  let reads = 0;
  const fetcher = fetcherOf(async function* () {
    yield found('one', () => void reads++);
  });
  expect(await fetcher.fetch()).toMatchObject({ taken: 1 });
  expect(await fetcher.fetch()).toMatchObject({ taken: 0, failed: 0 });
  expect(reads).toBe(1);
});

test('says how far a look has come', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const fetcher = fetcherOf(async function* ({ onTotal }) {
    onTotal?.(2);
    yield found('one');
    yield found('two', () => promise);
  });
  const look = fetcher.fetch();
  await expect.poll(() => fetcher.status().accounts[0]?.progress).toEqual({ done: 1, total: 2 });
  resolve();
  await look;
  expect(fetcher.status().accounts[0]?.progress).toBeUndefined();
});

test('tells of its progress in the log, and twice a second to who watches', { timeout: 60_000 }, async () => {
  const logged: [message: string, fields: object][] = [];
  const log = { ...silentLogger, info: (message: string, fields = {}) => void logged.push([message, fields]) };
  const clock = new SimulatedClock(Date.now());
  const live = new LiveBus();
  let told = 0;
  live.subscribe(({ name }) => name === 'fetcher' && told++);
  const { promise, resolve } = Promise.withResolvers<void>();
  const fetcher = fetcherOf(
    async function* ({ onTotal }) {
      onTotal?.(501);
      const first = found('1');
      for (let n = 1; n <= 501; n++)
        yield n === 501 ? found('last', () => promise) : { ...first, name: String(n), providerId: `id ${n}` };
    },
    { log, clock, live },
  );
  const look = fetcher.fetch();
  const done = () => fetcher.status().accounts[0]?.progress?.done;
  await expect.poll(done).toBe(500);
  expect(told).toBe(0);
  clock.advance(500);
  expect(told).toBe(1);
  clock.advance(500);
  expect(told).toBe(1);
  resolve();
  await look;
  expect(told).toBe(2);
  const account = 'box';
  expect(logged.filter(([message]) => message.startsWith('a backlog'))).toEqual([
    ['a backlog of mail is fetched', { account, mails: 501 }],
    ['a backlog of mail is being fetched', { account, done: 500, total: 501 }],
  ]);
});
