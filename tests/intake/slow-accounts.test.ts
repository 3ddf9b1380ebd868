import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import type { MailSource } from '../../engine/src/mail/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const account = (id: string) => ({
  [`accounts/${id}.yaml`]: `id: ${id}\nprovider: folder\nemail: ${id}@example.org\npath: ./${id}\n`,
});

let stage: Stage;
let clock: SimulatedClock;
let fetcher: Fetcher;
/** Looks as they began, and those that ended. */
let began: string[];
let ended: string[];
/** Looks at these accounts take until they are let go. */
let held: Map<string, PromiseWithResolvers<void>>;
/** Told by accounts of a change. */
let changed: Map<string, () => void>;

beforeEach(async () => {
  const files = {
    ...account('quick'),
    ...account('slow'),
    'settings.yaml': 'fetch: { everySeconds: 60, concurrency: 2 }\n',
  };
  stage = await setStage({ files, models: playModels(() => ({ content: 'Done.' })) });
  clock = new SimulatedClock(Date.now());
  began = [];
  ended = [];
  changed = new Map();
  held = new Map([['slow', Promise.withResolvers<void>()]]);
  fetcher = openFetcher();
});
afterEach(async () => {
  await fetcher.stop();
  await stage.close();
});

function openFetcher(): Fetcher {
  const sourceOf = (id: string): MailSource => ({
    async *list({ signal }) {
      began.push(id);
      signal?.addEventListener('abort', () => held.get(id)?.resolve());
      await held.get(id)?.promise;
      ended.push(id);
    },
    async watch(onChange) {
      changed.set(id, onChange);
      return async () => void changed.delete(id);
    },
  });
  return new Fetcher(
    { ...stage.app.deps, clock, log: silentLogger, live: new LiveBus() },
    {
      openSource: ({ id }) => sourceOf(id),
      routeMail: (subject, snapshot) => stage.app.filterPool.decide(filterQuestion(subject, snapshot)),
      onNewMail: () => {},
    },
  );
}

const looks = (id: string, list = began) => list.filter((one) => one === id).length;

/** Moves the clock on second by second, as far as it takes. */
async function later(condition: () => boolean): Promise<number> {
  for (let seconds = 0; ; seconds++) {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (condition()) return seconds;
    if (seconds > 3600) throw new Error('it never came');
    clock.advance(1000);
  }
}

test('an account that does not come to an end keeps no other from being looked at', async () => {
  fetcher.start();
  await later(() => looks('quick') === 1 && looks('slow') === 1);
  expect(await later(() => looks('quick') === 2)).toBeLessThanOrEqual(70);
  expect(await later(() => looks('quick') === 3)).toBeLessThanOrEqual(61);
  expect(looks('slow')).toBe(1);
  expect(fetcher.status()).toMatchObject({ isFetching: true, accounts: [{ state: 'idle' }, { state: 'fetching' }] });
});

test('what another account tells of is looked at while one is slow, after ten seconds at most', async () => {
  fetcher.start();
  await later(() => looks('quick', ended) === 1);
  changed.get('quick')!();
  expect(await later(() => looks('quick') === 2)).toBe(10);
  changed.get('quick')!();
  expect(await later(() => looks('quick') === 3)).toBe(0);
});

test('an account is looked at once more when it told of a change in the middle of a slow look', async () => {
  fetcher.start();
  await later(() => looks('slow') === 1);
  changed.get('slow')!();
  await later(() => looks('quick') === 2);
  expect(looks('slow')).toBe(1);
  held.get('slow')!.resolve();
  expect(await later(() => looks('slow') === 2)).toBe(0);
  await later(() => looks('slow', ended) === 2);
  expect(fetcher.status().isFetching).toBe(false);
});

test('who asks for a look gets one of every account, also of one that is slow just now', async () => {
  fetcher.start();
  await later(() => looks('slow') === 1);
  await later(() => looks('quick') === 2);
  let result: unknown;
  const asked = fetcher.fetch().then((one) => (result = one));
  await later(() => looks('quick') > 2);
  expect(result).toBeUndefined();
  held.get('slow')!.resolve();
  await asked;
  expect(looks('slow')).toBeGreaterThanOrEqual(2);
});

test('no more accounts are looked at at a time than the config says, however many cycles begin', async () => {
  stage.write({ 'settings.yaml': 'fetch: { everySeconds: 60, concurrency: 1 }\n' });
  await stage.restart();
  held.set('quick', Promise.withResolvers<void>());
  fetcher = openFetcher();
  fetcher.start();
  await later(() => began.length === 1);
  for (let minutes = 0; minutes < 5; minutes++) await later(() => clock.advance(60_000) === undefined);
  expect(began).toHaveLength(1);
  for (const { resolve } of held.values()) resolve();
  await later(() => ended.length >= 2);
  expect(new Set(began)).toEqual(new Set(['quick', 'slow']));
});

test('one that is stopped and begun again in the middle of a look goes on once, not twice', async () => {
  fetcher.start();
  await later(() => looks('slow') === 1);
  const stopped = fetcher.stop();
  held.delete('slow');
  fetcher.start();
  await stopped;
  await later(() => looks('quick', ended) >= 2 && !fetcher.status().isFetching);
  const before = looks('quick');
  await later(() => clock.advance(30_000) === undefined);
  changed.get('quick')!();
  expect(await later(() => looks('quick') > before)).toBe(0);
  expect(await later(() => looks('quick') > before + 1)).toBe(60);
});

test('one that is stopped and begun again in the middle of a look looks anew at once', async () => {
  fetcher.start();
  await later(() => looks('slow') === 1 && looks('quick', ended) === 1);
  const stopped = fetcher.stop();
  held.delete('slow');
  fetcher.start();
  await stopped;
  expect(await later(() => looks('quick') === 2 && looks('slow') === 2)).toBe(0);
});
