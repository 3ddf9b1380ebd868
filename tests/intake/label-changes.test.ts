import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { changeMail, deleteMailChange, mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import type { FoundMail, SourceEvent, RelabelledMail } from '../../engine/src/mail/source.ts';
import { Fetcher, type FetcherOptions } from '../../engine/src/intake/fetcher.ts';
import { deleteStarts } from '../../engine/src/intake/label-starts.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import type { Row } from '../../engine/src/store/store.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { mailOf } from '../mail/fixtures.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const FILES = {
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/auto.yaml': 'id: auto\nfield: Label\nregex: "^(Autopilot|Urgent)$"\ndirectorId: boss\n',
};

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ files: FILES, models: playModels(() => ({ content: 'Done.' })) });
});
afterEach(() => stage.close());

/** A fetcher of a process, whose account gives what it is told to. */
function fetcherOf(options: Partial<FetcherOptions> = {}) {
  let next: readonly SourceEvent[] = [];
  const fetcher = new Fetcher(
    { ...stage.app.deps, log: silentLogger, live: new LiveBus() },
    {
      openSource: () => ({
        async *list() {
          yield* next;
        },
        watch: async () => async () => {},
      }),
      routeMail: (subject, snapshot, putOn) => stage.app.filterPool.decide(filterQuestion(subject, snapshot, putOn)),
      onNewMail: () => stage.app.engine.queued(),
      onRunsStarted: () => stage.app.engine.queued(),
      ...options,
    },
  );
  return {
    /** One look at an account that tells this. */
    look(...given: readonly SourceEvent[]) {
      next = given;
      return fetcher.fetch();
    },
    status: () => fetcher.status().accounts[0],
  };
}

/** A mail of a provider with ids and threads of its own. */
function mail(id: string, labels: readonly string[] = [], threadId = 'thread'): FoundMail & { reads: number } {
  return {
    ...{ kind: 'mail', name: id, providerId: id, labels, reads: 0 },
    async read(given) {
      this.reads++;
      const facts = { accountId: 'box', ownAddresses: [], labels, readsLabelHeaders: false, threadId };
      const bytes = mailOf('From: ann@client.example', `Subject: ${id}`, '', 'The same text.');
      return stage.app.mailWorkers.parse({ kind: 'bytes', bytes }, { ...given, ...facts });
    },
  };
}

const labelled = (id: string, ...labels: string[]): RelabelledMail => ({
  kind: 'labels',
  name: id,
  providerId: id,
  labels,
});

const rows = () => stage.app.deps.store.list('mail', { order: [['id', 'asc']] });
async function row(subject: string): Promise<Row<'mail'>> {
  const found = (await rows()).find((one) => one.state === 'kept' && storedMail(one).summary.subject === subject);
  if (found === undefined) throw new Error(`no mail ${subject}`);
  return found;
}
const stored = async (subject: string) => storedMail(await row(subject));
async function runs(): Promise<Run[]> {
  return (await stage.app.deps.store.list('run', { order: [['id', 'asc']] })).map((one) => recordOf(one).run);
}

describe('a label that is put on a known mail', () => {
  test('starts a run that says why, and a mail that nobody took is taken then', async () => {
    const box = fetcherOf();
    await box.look(mail('one', ['Inbox']));
    expect(await stored('one')).toMatchObject({ routing: { directors: [], note: 'no filter matched' } });
    await box.look(labelled('one', 'Inbox', 'Autopilot'));
    expect(await row('one')).toMatchObject({ routed: 1, rev: 1 });
    expect(await stored('one')).toMatchObject({
      summary: { labels: ['Inbox', 'Autopilot'] },
      routing: { directors: ['boss'], note: '' },
    });
    const [run] = await runs();
    const { id } = (await stored('one')).summary;
    expect(run).toMatchObject({
      ...{ directorId: 'boss', filterId: 'auto', emailId: id },
      trigger: { kind: 'mail', emailId: id, labels: ['Autopilot'] },
    });
    expect(await stage.ended(run!.id)).toMatchObject({ status: 'completed' });
  });

  test('starts one run where several come at once, and another one for another label, in the same workspace', async () => {
    const box = fetcherOf();
    await box.look(mail('one'), mail('two', [], 'other thread'));
    await box.look(labelled('one', 'Autopilot', 'Urgent'), labelled('two', 'Autopilot'));
    await box.look(labelled('two', 'Autopilot', 'Urgent'));
    const all = await runs();
    expect(all.map(({ trigger }) => trigger.labels)).toEqual([['Autopilot', 'Urgent'], ['Autopilot'], ['Urgent']]);
    expect(all[2]?.workspaceId).toBe(all[1]?.id);
  });

  test('starts nobody where it came with an earlier mail of the thread', async () => {
    const box = fetcherOf();
    await box.look(mail('one', ['Autopilot']), mail('two'));
    await box.look(labelled('two', 'Autopilot'));
    expect((await stored('two')).summary.labels).toEqual(['Autopilot']);
    expect(await runs()).toHaveLength(1);
  });

  test('never swallows a new mail: a reply that has it already is taken by the director, too', async () => {
    const box = fetcherOf();
    await box.look(mail('one'));
    await box.look(labelled('one', 'Autopilot'));
    await box.look(mail('two', ['Autopilot']));
    expect((await runs()).map(({ emailId, trigger }) => [emailId, trigger.labels])).toEqual([
      [(await stored('one')).summary.id, ['Autopilot']],
      [(await stored('two')).summary.id, undefined],
    ]);
  });

  test('is known of a mail that is found again, which is not read for that', async () => {
    const box = fetcherOf();
    await box.look(mail('one'));
    const again = mail('one', ['Autopilot']);
    expect(await box.look(again)).toMatchObject({ taken: 0 });
    expect(again.reads).toBe(0);
    expect((await stored('one')).summary.labels).toEqual(['Autopilot']);
    expect(await runs()).toHaveLength(1);
  });

  test('starts one run where two processes hear of it at once', async () => {
    const judged: (() => void)[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const options: Partial<FetcherOptions> = {
      async routeMail(subject, snapshot, putOn) {
        const decision = await stage.app.filterPool.decide(filterQuestion(subject, snapshot, putOn));
        if (putOn !== undefined && judged.push(resolve) === 2) resolve();
        if (putOn !== undefined) await promise;
        return decision;
      },
    };
    const [one, other] = [fetcherOf(options), fetcherOf(options)];
    await one.look(mail('one'), mail('two'));
    const looks = [one.look(labelled('one', 'Autopilot')), other.look(labelled('two', 'Autopilot'))];
    expect(await Promise.all(looks)).toMatchObject([{ failed: 0 }, { failed: 0 }]);
    expect(judged.length).toBeGreaterThanOrEqual(2);
    expect([(await stored('one')).summary.labels, (await stored('two')).summary.labels]).toEqual([
      ['Autopilot'],
      ['Autopilot'],
    ]);
    expect(await runs()).toHaveLength(1);
  });

  test('is dealt with at the next look where it could not be written, and once', async () => {
    const box = fetcherOf();
    await box.look(mail('one'));
    const { store } = stage.app.deps;
    const apply = store.apply.bind(store);
    store.apply = (changes) =>
      changes.some((change) => change.op === 'insert' && change.table === 'run')
        ? Promise.reject(new EngineError('STORE_FAILED', 'the disk is full'))
        : apply(changes);
    const reached = { kind: 'reached', cursor: () => 7 } as const;
    expect(await box.look(labelled('one', 'Autopilot'), reached)).toMatchObject({ failed: 1 });
    store.apply = apply;
    expect([await stored('one'), await store.count('labelStart'), await store.count('account')]).toMatchObject([
      { summary: { labels: [] } },
      0,
      0,
    ]);
    await box.look(labelled('one', 'Autopilot'), reached);
    await box.look(labelled('one', 'Autopilot'), reached);
    expect(await runs()).toHaveLength(1);
  });

  test('is not lost where two write at once: the second has to look again', async () => {
    const box = fetcherOf();
    await box.look(mail('one'));
    const before = await row('one');
    const { store } = stage.app.deps;
    const labelledAs = (label: string) => {
      const kept = storedMail(before);
      return changeMail(before, { ...kept, summary: { ...kept.summary, labels: [label] } });
    };
    await store.apply([labelledAs('first')]);
    await expect(store.apply([labelledAs('second')])).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  });

  test('is kept where the mail is too costly for the filters', async () => {
    const costly = () => Promise.reject(new EngineError('MAIL_TOO_COSTLY', 'it takes too long'));
    const routeMail: FetcherOptions['routeMail'] = (subject, snapshot, putOn) =>
      putOn === undefined ? stage.app.filterPool.decide(filterQuestion(subject, snapshot)) : costly();
    const box = fetcherOf({ routeMail });
    await box.look(mail('one'));
    expect(await box.look(labelled('one', 'Autopilot'))).toMatchObject({ failed: 0 });
    expect((await stored('one')).summary.labels).toEqual(['Autopilot']);
  });

  test('of a mail that was deleted here changes nothing', async () => {
    const box = fetcherOf();
    await box.look(mail('one'));
    await stage.app.deps.store.apply(deleteMailChange(await row('one')));
    expect(await box.look(labelled('one', 'Autopilot'), mail('one', ['Urgent']))).toMatchObject({
      taken: 0,
      failed: 0,
    });
    expect(await runs()).toEqual([]);
    expect((await rows()).map(({ state, body }) => [state, body])).toEqual([['deleted', '{}']]);
  });
});

describe('what labels have started', () => {
  test('is remembered when the runs are gone for their age', async () => {
    const box = fetcherOf();
    await box.look(mail('one', ['Autopilot']));
    const [run] = await runs();
    await stage.ended(run!.id);
    stage.write({ 'settings.yaml': 'runs: { retainDays: 1 }\n' });
    await stage.app.config.refresh();
    const { store, clock } = stage.app.deps;
    const { Retention } = await import('../../engine/src/run/engine/retention.ts');
    const later = { ...clock, now: () => Date.now() + 3 * 86_400_000 };
    const keeper = { list: async () => [], forget: async () => 0 };
    expect(await new Retention({ ...stage.app.deps, clock: later }, keeper).sweep()).toMatchObject({ runs: 1 });
    await box.look(labelled('one'));
    await box.look(labelled('one', 'Autopilot'));
    expect(await runs()).toEqual([]);
    expect(await store.count('labelStart')).toBe(1);
  });

  test('is forgotten with the last mail of the thread', async () => {
    const box = fetcherOf();
    await box.look(mail('one', ['Autopilot']), mail('two'));
    const { store } = stage.app.deps;
    for (const [subject, left] of [
      ['one', 1],
      ['two', 0],
    ] as const) {
      const gone = await row(subject);
      await store.apply([...deleteMailChange(gone), ...(await deleteStarts(store, gone))]);
      expect(await store.count('labelStart')).toBe(left);
    }
  });

  test('says nothing in plain text about labels or threads', async () => {
    const box = fetcherOf();
    await box.look(mail('one', ['Autopilot'], 'private thread'));
    const kept = JSON.stringify(await stage.app.deps.store.list('labelStart'));
    expect(kept).toMatch(/"boss"/);
    expect(kept).not.toMatch(/Autopilot|private/);
  });
});

describe('a mail that is gone', () => {
  const gone: SourceEvent = { kind: 'gone', name: 'one', providerId: 'one' };

  test('is kept and marked, and there again when it is found, without a second run', async () => {
    const box = fetcherOf();
    await box.look(mail('one', ['Autopilot']));
    await box.look(gone);
    const { removedAt } = await stored('one');
    expect(Date.parse(removedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await box.look(gone);
    expect((await stored('one')).removedAt).toBe(removedAt);
    await box.look(mail('one', ['Autopilot']));
    expect(await stored('one')).not.toHaveProperty('removedAt');
    expect(await runs()).toHaveLength(1);
  });

  test('that was never taken is no news', async () => {
    expect(await fetcherOf().look(gone)).toMatchObject({ failed: 0 });
    expect(await rows()).toEqual([]);
  });
});
