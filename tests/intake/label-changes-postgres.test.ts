import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import type { FoundMail, SourceEvent } from '../../engine/src/mail/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { mailOf } from '../mail/fixtures.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const FILES = {
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/auto.yaml': 'id: auto\nfield: Label\nregex: Autopilot\ndirectorId: boss\n',
};
const THREADS = 20;

describe.skipIf(longPostgres === undefined)(`labels on PostgreSQL${forPostgres}`, () => {
  let server: PostgresServer;
  let stage: Stage;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    stage = await setStage({ files: FILES, models: playModels(() => ({ content: 'Done.' })) });
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    await stage?.close();
    await server?.remove();
  });

  async function openStore(url: string): Promise<Store> {
    const database = openPg(url);
    const store = await openPostgres({ database });
    closing.push(
      () => database.close(),
      () => store.close(),
    );
    return store;
  }

  /** A look of a process of its own at an account that gives this. */
  const look = (store: Store, given: readonly SourceEvent[]) =>
    new Fetcher(
      { ...stage.app.deps, store, log: silentLogger, live: new LiveBus() },
      {
        openSource: () => ({
          async *list() {
            yield* given;
          },
          watch: async () => async () => {},
        }),
        routeMail: (subject, snapshot, putOn) => stage.app.filterPool.decide(filterQuestion(subject, snapshot, putOn)),
        onNewMail: () => {},
      },
    ).fetch();

  function mail(id: string, threadId: string): FoundMail {
    return {
      ...{ kind: 'mail', name: id, providerId: id },
      read(given) {
        const facts = { accountId: 'box', ownAddresses: [], labels: [], readsLabelHeaders: false, threadId };
        const bytes = mailOf('From: ann@client.example', `Subject: ${id}`, '', 'The same text.');
        return stage.app.mailWorkers.parse({ kind: 'bytes', bytes }, { ...given, ...facts });
      },
    };
  }

  test('start a director once on a thread where two processes hear of them at once', { timeout: 60_000 }, async () => {
    const url = await server.createDatabase();
    const [one, other] = [await openStore(url), await openStore(url)];
    const threads = Array.from({ length: THREADS }, (_, n) => `thread ${n}`);
    await look(
      one,
      threads.flatMap((thread) => [mail(`${thread} a`, thread), mail(`${thread} b`, thread)]),
    );
    const put = (which: string): SourceEvent[] =>
      threads.map((thread) => {
        const id = `${thread} ${which}`;
        return { kind: 'labels', name: id, providerId: id, labels: ['Autopilot'] };
      });
    const looks = await Promise.all([look(one, put('a')), look(other, put('b')), look(other, put('a').reverse())]);
    expect(looks.map(({ failed }) => failed)).toEqual([0, 0, 0]);
    expect(await one.count('run')).toBe(THREADS);
    expect(await other.count('labelStart')).toBe(THREADS);
    const labels = (await one.list('mail')).map((row) => storedMail(row).summary.labels.join());
    expect(new Set(labels)).toEqual(new Set(['Autopilot']));
  });
});
