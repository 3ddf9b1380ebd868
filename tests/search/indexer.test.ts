import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import type { ClaimListener, Claims } from '../../engine/src/cluster/claims.ts';
import { SHAPE } from '../../engine/src/search/block.ts';
import { SearchIndexer } from '../../engine/src/search/indexer.ts';
import { openMemorySqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { MAILS, RUNS } from './records.ts';

const EVERY_MS = 10_000;

let store: Store;
let clock: SimulatedClock;
beforeEach(() => {
  store = openMemorySqlite();
  clock = new SimulatedClock();
});
afterEach(() => store.close());

const open = (claims?: Claims) => new SearchIndexer({ store, clock, log: silentLogger, searched, claims });
const searched = [MAILS.searched, RUNS.searched];
const waiting = () => store.count('searchAdded');
const untilWaiting = async (count: number) => {
  while ((await waiting()) !== count) await setImmediate();
};

test('makes blocks of mails and of runs every ten seconds once there are enough', async () => {
  const indexer = open();
  indexer.start();
  await MAILS.add(store, ...MAILS.letters(0, SHAPE.small + 3));
  await RUNS.add(store, ...RUNS.letters(0, SHAPE.small + 1));
  clock.advance(EVERY_MS - 1);
  expect(await waiting()).toBe(2 * SHAPE.small + 4);
  clock.advance(1);
  await untilWaiting(4);
  await indexer.stop();
  expect(await store.list('searchBlock')).toMatchObject([
    { kind: 'mail', state: 'ready', size: SHAPE.small },
    { kind: 'run', state: 'ready', size: SHAPE.small },
  ]);
});

test('of processes that share a store only the one with the claim makes blocks', async () => {
  const listeners: ClaimListener[] = [];
  const claims: Claims = {
    acquire: (_name, listener) => (listeners.push(listener), async () => {}),
    isHeld: () => false,
    holderOf: () => undefined,
    holders: async () => [],
    refresh: async () => {},
    close: async () => {},
  };
  const [first, second] = [open(claims), open(claims)];
  first.start();
  second.start();
  await MAILS.add(store, ...MAILS.letters(0, SHAPE.small));
  clock.advance(EVERY_MS);
  listeners[0]?.onTaken();
  listeners[0]?.onLost();
  clock.advance(EVERY_MS);
  await first.stop();
  expect(await waiting()).toBe(SHAPE.small);
  listeners[1]?.onTaken();
  clock.advance(EVERY_MS);
  await untilWaiting(0);
  await second.stop();
});
