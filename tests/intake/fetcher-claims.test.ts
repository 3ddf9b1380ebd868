import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { createFolderSource } from '../../engine/src/mail/folder/source.ts';
import { deleteMailChange, mailOf } from '../../engine/src/mail/mail-store.ts';
import type { MailSource } from '../../engine/src/mail/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { type Claims, createClaims } from '../../engine/src/cluster/claims.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { joinedSignals, type MemorySignals } from '../cluster/memory-signals.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const FILES = {
  'settings.yaml': 'fetch: { everySeconds: 3600 }\n',
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'directors/second.yaml': 'id: second\nname: Second\napiConfigId: main\n',
  'filters/all.yaml': 'id: all\nfield: From\nregex: client\ndirectorId: [boss, second]\n',
};

let stage: Stage;
let all: Process[];
/** Lets go on what a test has held up. */
const letGo: (() => void)[] = [];
beforeEach(async () => {
  stage = await setStage({ files: FILES, models: playModels(() => ({ content: 'Done.' })) });
  mkdirSync(join(stage.root, 'inbox'));
  const ends = joinedSignals(2);
  all = ends.map((signals, n) => openProcess(`process${n}`, signals));
});
afterEach(async () => {
  for (const go of letGo.splice(0)) go();
  for (const { fetcher, claims } of all) {
    await fetcher.stop();
    await claims.close();
  }
  await stage.close();
});

type Place = 'open' | 'watch' | 'list' | 'read' | 'keep' | 'judge';

/** A process that fetches, with a clock and claims of its own; the store is one for all. */
interface Process {
  readonly fetcher: Fetcher;
  readonly claims: Claims;
  readonly clock: SimulatedClock;
  /** What it did with the account, in order. */
  readonly did: string[];
  readonly warned: string[];
  /** Called at each place before it is gone on with: a test holds a process up here. */
  pause: (place: Place, name: string) => Promise<void> | void;
}

function openProcess(worker: string, signals: MemorySignals): Process {
  const clock = new SimulatedClock(Date.now());
  const about = { host: `${worker}.example.org`, pid: 7, version: '1' };
  const { store } = stage.app.deps;
  const claims = createClaims({ store, clock, log: silentLogger, worker, about, signals });
  const did: string[] = [];
  const warned: string[] = [];
  const at = async (place: Place, name = '') => {
    did.push(`${place} ${name}`.trim());
    await process.pause(place, name);
  };
  const openSource = (path: string): MailSource => {
    void at('open');
    const source = createFolderSource({
      ...{ accountId: 'box', email: 'me@example.org', path, format: 'eml', clock },
      workers: stage.app.mailWorkers,
    });
    return {
      async *list(options) {
        await at('list');
        for await (const found of source.list(options))
          if (found.kind === 'mail')
            yield {
              ...found,
              async read(facts, how) {
                await at('read', found.name);
                return found.read(facts, how);
              },
            };
      },
      async watch(onChange) {
        await at('watch');
        const unwatch = await source.watch(onChange);
        return async () => {
          did.push('unwatch');
          await unwatch();
        };
      },
    };
  };
  const pausing = withApply(store, async (changes) => {
    const [first] = changes;
    if (first?.op === 'put' && first.table === 'mailRaw') await at('keep');
    await store.apply(changes);
  });
  const log = { ...silentLogger, warn: (message: string) => void warned.push(message) };
  const fetcher = new Fetcher(
    { ...stage.app.deps, store: pausing, clock, log, live: new LiveBus() },
    {
      openSource: (account) => openSource(join(stage.root, account.provider === 'folder' ? account.path : '')),
      async routeMail(subject, snapshot) {
        await at('judge', (JSON.parse(subject) as { subject: string }).subject);
        return stage.app.filterPool.decide(filterQuestion(subject, snapshot));
      },
      onNewMail: () => stage.app.engine.queued(),
      claims,
      signals,
    },
  );
  const process: Process = { fetcher, claims, clock, did, warned, pause: () => {} };
  return process;
}

/** Polls for long: workers that read and judge mail take their time to start on a busy machine. */
const soon = <T>(value: () => T) => expect.poll(value);

/** A promise that holds something up until it is let go, at the end of the test at the latest. */
function barrier(): { promise: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo.push(resolve);
  return { promise, open: resolve };
}

/** Drops mails that have stood still for a while. */
function drop(...names: readonly string[]): void {
  for (const name of names) {
    const file = join(stage.root, 'inbox', `${name}.eml`);
    const head = `From: client@example.com\r\nTo: me@example.org\r\nSubject: ${name}\r\nMessage-ID: <${name}@example.com>\r\n`;
    writeFileSync(file, `${head}Date: Sun, 22 Nov 2026 10:00:00 +0000\r\n\r\nHello\r\n`);
    utimesSync(file, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  }
}

/** Subjects of the mails that were taken, sorted, and of the mails that each director has runs for. */
async function taken() {
  const { store } = stage.app.deps;
  const rows = await store.list('mail');
  const subjects = new Map(rows.map((row) => [row.id, mailOf(row).summary.subject]));
  const runs = (await store.list('run')).map((row) => recordOf(row).run);
  const of = (director: string) =>
    runs.filter(({ directorId }) => directorId === director).map(({ emailId = '' }) => subjects.get(emailId));
  return { mails: [...subjects.values()].sort(), boss: of('boss').sort(), second: of('second').sort() };
}

const each = (...names: readonly string[]) => ({ mails: names, boss: names, second: names });
const stateOf = ({ fetcher }: Process) => fetcher.status().accounts[0];

/** Lets time pass for these processes, a look of each every five seconds. */
async function pass(seconds: number, ...processes: readonly Process[]): Promise<void> {
  for (let n = 0; n < seconds; n += 5)
    for (const { clock, claims } of processes) {
      clock.advance(5000);
      await claims.refresh();
    }
}

/** Both started, the account fetched by the first. */
async function startBoth(): Promise<[Process, Process]> {
  const [a, b] = all as [Process, Process];
  a.fetcher.start();
  await a.claims.refresh();
  b.fetcher.start();
  await b.claims.refresh();
  await soon(() => a.fetcher.status().isFetching).toBe(false);
  return [a, b];
}

describe('an account of several processes', () => {
  test('is opened, watched and fetched by one of them; the other says by which', async () => {
    drop('one');
    const [a, b] = await startBoth();
    await pass(60, a, b);
    expect(await taken()).toEqual(each('one'));
    expect(a.did).toEqual(expect.arrayContaining(['open', 'watch', 'list', 'read one.eml']));
    expect(b.did).toEqual([]);
    expect(stateOf(a)).toMatchObject({ accountId: 'box', state: 'idle', taken: 1 });
    expect(stateOf(b)).toEqual({
      ...{ accountId: 'box', state: 'elsewhere', fetchedBy: 'process0.example.org/7' },
      ...{ unreadable: [], taken: 0 },
    });
  });

  test('is taken over at once when its process stops', async () => {
    const [a, b] = await startBoth();
    await a.fetcher.stop();
    drop('one');
    await soon(taken).toEqual(each('one'));
    await soon(() => stateOf(b)).toMatchObject({ state: 'idle' });
    expect(a.did.at(-1)).toBe('unwatch');
  });

  test('is taken over within 30 seconds when its process dies', async () => {
    const [a, b] = await startBoth();
    await pass(20, a, b);
    drop('one');
    a.pause = () => barrier().promise;
    await pass(30, b);
    await soon(taken).toEqual(each('one'));
    await soon(() => stateOf(b)).toMatchObject({ state: 'idle' });
  });

  test('is looked at by its process when another one is asked to fetch, which says so', async () => {
    const [a, b] = await startBoth();
    const before = a.did.filter((place) => place === 'list').length;
    expect(await b.fetcher.fetch()).toMatchObject({
      ...{ taken: 0, failed: 0 },
      elsewhere: [{ accountId: 'box', fetchedBy: 'process0.example.org/7' }],
    });
    await soon(() => a.did.filter((place) => place === 'list').length).toBe(before + 1);
    expect(b.did).toEqual([]);
  });

  test('that nobody fetches is taken for the one look that somebody asks for, and no longer', async () => {
    const [a, b] = all as [Process, Process];
    drop('one');
    expect(stateOf(a)).toEqual({ accountId: 'box', state: 'elsewhere', unreadable: [], taken: 0 });
    const result = await a.fetcher.fetch();
    expect(result).toEqual({ cycleId: expect.any(String) as string, taken: 1, failed: 0 });
    expect(await b.claims.holders()).toEqual([]);
    expect(a.did.at(-1)).toBe('unwatch');
  });

  test('keeps its process when its document changes, and is given up when that goes', async () => {
    const [a] = await startBoth();
    const [before] = await a.claims.holders();
    stage.write({ 'accounts/box.yaml': 'id: box\nprovider: folder\nemail: you@example.org\npath: ./inbox\n' });
    await stage.app.config.refresh();
    for (const { fetcher } of all) fetcher.configChanged();
    expect(a.did.filter((place) => place === 'open')).toHaveLength(2);
    expect(await a.claims.holders()).toEqual([before]);
    await stage.app.config.remove('account', 'box');
    for (const { fetcher } of all) fetcher.configChanged();
    await soon(() => a.claims.holders()).toEqual([]);
  });

  test('that is fetched by one process alone is as before where there are no claims', async () => {
    drop('one');
    expect(await stage.app.fetcher.fetch()).toEqual({ cycleId: expect.any(String) as string, taken: 1, failed: 0 });
  });
});

describe('a process that loses an account in the middle of a look', () => {
  const names = ['five', 'four', 'one', 'three', 'two'];

  /** Where the process stands still: nothing of it goes on until it is let go. */
  async function freezeAt(a: Process, place: Place, nth: number): Promise<() => void> {
    const gate = barrier();
    const reached = Promise.withResolvers<void>();
    let count = 0;
    a.pause = (at) => {
      if (at !== place || ++count < nth) return;
      reached.resolve();
      return gate.promise;
    };
    drop(...names);
    await reached.promise;
    for (let n = 0; n < 5; n++) await setImmediate();
    return gate.open;
  }

  test.each<[Place, number]>([
    ['list', 1],
    ['read', 1],
    ['read', 3],
    ['judge', 1],
    ['judge', 4],
  ])('frozen at %s %i, goes on with nothing, and no mail is lost or taken twice', async (place, nth) => {
    const [a, b] = await startBoth();
    const thaw = await freezeAt(a, place, nth);
    const before = a.did.length;
    while (!b.claims.isHeld('account box')) {
      a.clock.freeze(5000);
      await pass(5, b);
    }
    await soon(taken).toEqual(each(...names));
    a.pause = () => {};
    thaw();
    // What it waited for may come before its timers.
    await soon(() => a.fetcher.status().isFetching).toBe(false);
    a.clock.advance(0);
    await a.claims.refresh();
    await soon(() => a.did.includes('unwatch')).toBe(true);
    await pass(30, a, b);
    expect(await taken()).toEqual(each(...names));
    expect(a.did.slice(before).filter((did) => did.startsWith('read'))).toEqual([]);
    expect(stateOf(a)).toMatchObject({ state: 'elsewhere', fetchedBy: 'process1.example.org/7' });
    expect(a.fetcher.status().lastCycle).toMatchObject({ failed: 0 });
    expect(a.warned).toEqual([]);
  });

  test('may commit the mail that it was deciding when it froze, and the other then leaves it', async () => {
    const [a, b] = await startBoth();
    const thaw = await freezeAt(a, 'judge', 1);
    const gate = barrier();
    b.pause = (place) => (place === 'judge' ? gate.promise : undefined);
    while (!b.claims.isHeld('account box')) {
      a.clock.freeze(5000);
      await pass(5, b);
    }
    await soon(() => b.did.filter((did) => did.startsWith('judge')).length).toBe(names.length);
    a.pause = () => {};
    thaw();
    await soon(async () => (await taken()).mails.length).toBeGreaterThan(0);
    a.clock.advance(0);
    await a.claims.refresh();
    b.pause = () => {};
    gate.open();
    await soon(taken).toEqual(each(...names));
    await pass(30, a, b);
    expect(await taken()).toEqual(each(...names));
  });

  test('leaves nothing of a mail that was deleted while it stood still', async () => {
    const [a, b] = await startBoth();
    const thaw = await freezeAt(a, 'keep', 1);
    const { store } = stage.app.deps;
    while (!b.claims.isHeld('account box')) {
      a.clock.freeze(5000);
      await pass(5, b);
    }
    await soon(taken).toEqual(each(...names));
    for (const row of await store.list('mail')) await store.apply(deleteMailChange(row));
    expect(await store.count('mailRaw')).toBe(0);
    a.pause = () => {};
    thaw();
    a.clock.advance(0);
    await a.fetcher.stop();
    expect(await store.count('mailRaw')).toBe(0);
    expect(await store.count('mail')).toBe(names.length);
    const left = readdirSync(join(stage.root, 'inbox')).filter((name) => name.endsWith('.eml'));
    expect(left).toHaveLength(names.length);
  });
});
