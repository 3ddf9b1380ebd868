import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { makeKey } from '../../engine/src/store/cipher.ts';
import { type Claims, createClaims } from '../../engine/src/cluster/claims.ts';
import type { Signals } from '../../engine/src/cluster/signals.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { joinedSignals } from './memory-signals.ts';

let dir: string;
let store: Store;
/** Questions to the store that are not answered yet. */
let open = 0;
beforeEach(() => {
  open = 0;
  dir = mkdtempSync(join(tmpdir(), 'callsheet-claims-'));
  // Encrypted, so that names and bodies take the longer way.
  store = openSqlite({ dir, key: makeKey() });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A process: its claims, its clocks, and what its claims told it. */
interface Peer {
  readonly claims: Claims;
  readonly clock: SimulatedClock;
  readonly told: string[];
  readonly warned: string[];
  /** What comes before each question to the store; it may reject in its place. */
  before: (op: 'list' | 'apply') => Promise<void> | void;
  want(name: string): () => Promise<void>;
}

function openPeer(worker: string, options: { signals?: Signals; startMs?: number } = {}): Peer {
  const clock = new SimulatedClock(options.startMs);
  const told: string[] = [];
  const warned: string[] = [];
  const counted = async <T>(op: 'list' | 'apply', work: () => Promise<T>): Promise<T> => {
    open++;
    try {
      await peer.before(op);
      return await work();
    } finally {
      open--;
    }
  };
  const claims = createClaims({
    store: {
      ...{ storage: 'plaintext', get: store.get.bind(store), count: store.count.bind(store) },
      ...{ lookupKey: (text) => text, close: async () => {} },
      list: (table, query) => counted('list', () => store.list(table, query)),
      apply: (changes) => counted('apply', () => store.apply(changes)),
    },
    clock,
    log: { ...silentLogger, warn: (message) => warned.push(message) },
    worker,
    about: { host: `${worker}.example.org`, pid: 7, version: '1.2.3' },
    ...(options.signals && { signals: options.signals }),
  });
  const want: Peer['want'] = (name) =>
    claims.acquire(name, { onTaken: () => told.push(`taken ${name}`), onLost: () => told.push(`lost ${name}`) });
  const peer: Peer = { claims, clock, told, warned, before: () => {}, want };
  return peer;
}

/** Resolves when no look is under way. */
async function quiet(): Promise<void> {
  do await setImmediate();
  while (open > 0);
}

/** Lets time pass for these processes, second by second. */
async function pass(seconds: number, ...peers: readonly Peer[]): Promise<void> {
  await quiet();
  for (let second = 0; second < seconds; second++) {
    for (const { clock } of peers) clock.advance(1000);
    await quiet();
  }
}

/** After how many seconds a process has the claim, where only the others' time stands still. */
async function secondsUntilHeld(name: string, { claims }: Peer, ...running: readonly Peer[]): Promise<number> {
  for (let seconds = 0; seconds <= 60; seconds++) {
    if (claims.isHeld(name)) return seconds;
    await pass(1, ...running);
  }
  return Infinity;
}

const rev = async (name: string) => (await store.get('claim', { name }))?.rev ?? 0;

describe('a claim', () => {
  test('is taken by one process alone, and kept as long as it lives', async () => {
    const [a, b] = [openPeer('a'), openPeer('b')];
    const began = a.clock.now();
    for (const peer of [a, b]) peer.want('account box');
    await pass(120, a, b);
    expect([a.told, b.told]).toEqual([['taken account box'], []]);
    expect([a.claims.isHeld('account box'), b.claims.isHeld('account box')]).toEqual([true, false]);
    expect(await rev('account box')).toBe(began + 120 / 5);
  });

  test('is told of: who holds it, and since when', async () => {
    const [a, b] = [openPeer('a', { startMs: Date.parse('2026-11-22T10:00:00Z') }), openPeer('b')];
    a.want('account box');
    await quiet();
    b.want('account box');
    await quiet();
    const holder = {
      ...{ name: 'account box', worker: 'a', host: 'a.example.org', pid: 7, version: '1.2.3' },
      since: '2026-11-22T10:00:00.000Z',
    };
    expect(b.claims.holderOf('account box')).toEqual(holder);
    expect(a.claims.holderOf('account box')).toBeUndefined();
    expect(await b.claims.holders()).toEqual([holder]);
  });

  test('of a process that died goes to another one between 15 and 25 seconds later', async () => {
    const taken: number[] = [];
    // The dead process showed its last sign of life this long before the challenger looked.
    for (let phase = 0; phase < 5; phase++) {
      const name = `account ${phase}`;
      const [a, b] = [openPeer(`a${phase}`), openPeer(`b${phase}`)];
      a.want(name);
      await quiet();
      b.want(name);
      await pass(10 + phase, b);
      a.clock.advance(5000);
      await quiet();
      expect(a.claims.isHeld(name)).toBe(true);
      taken.push(await secondsUntilHeld(name, b, b));
    }
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...taken)).toBeLessThanOrEqual(25);
  });

  test('counts as lost before another process can take it, whenever the holder froze', async () => {
    for (let phase = 0; phase < 5; phase++) {
      const name = `account ${phase}`;
      const [a, b] = [openPeer(`a${phase}`), openPeer(`b${phase}`)];
      a.want(name);
      await quiet();
      b.want(name);
      await pass(phase, b);
      await pass(10, a, b);
      // Both keep time, but nothing that A plans comes about.
      while (!b.claims.isHeld(name)) {
        a.clock.freeze(1000);
        await pass(1, b);
        expect(a.claims.isHeld(name) && b.claims.isHeld(name), 'both').toBe(false);
      }
      expect(a.told).toEqual([`taken ${name}`]);
      a.clock.advance(0);
      await quiet();
      expect(a.told).toEqual([`taken ${name}`, `lost ${name}`]);
    }
  });

  test('is lost by a frozen process although nobody wanted it, and taken anew at once', async () => {
    const a = openPeer('a');
    a.want('retention');
    await quiet();
    a.clock.freeze(13_000);
    expect(a.claims.isHeld('retention')).toBe(false);
    a.clock.advance(0);
    await quiet();
    expect(a.told).toEqual(['taken retention', 'lost retention', 'taken retention']);
    expect(a.claims.isHeld('retention')).toBe(true);
  });

  test('is lost by a machine that slept, although its steady clock stood still', async () => {
    const a = openPeer('a');
    a.want('retention');
    await quiet();
    a.clock.set(60_000);
    expect(a.claims.isHeld('retention')).toBe(false);
    await pass(5, a);
    expect(a.told).toEqual(['taken retention', 'lost retention', 'taken retention']);
  });

  test.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('is not taken from a process that lives because a challenger’s clock was set %s', async (_name, byMs) => {
    const [a, b] = [openPeer('a'), openPeer('b', { startMs: 0 })];
    a.want('retention');
    await quiet();
    b.want('retention');
    await pass(10, a, b);
    b.clock.set(byMs);
    await pass(60, a, b);
    expect([a.told, b.told]).toEqual([['taken retention'], []]);
  });

  test('is not taken by a process that was frozen itself', async () => {
    const [a, b] = [openPeer('a'), openPeer('b')];
    a.want('retention');
    await quiet();
    b.want('retention');
    await pass(7, a, b);
    b.clock.freeze(60_000);
    await pass(60, a);
    await pass(10, a, b);
    expect([a.told, b.told]).toEqual([['taken retention'], []]);
  });
});

describe('a row', () => {
  const rows = async () => (await store.list('claim')).map(({ name }) => name).sort();

  test('that nobody has held for ten minutes is forgotten, and all others stay', async () => {
    const [a, b, c] = [openPeer('a'), openPeer('b'), openPeer('c')];
    a.want('worker a');
    const giveUp = a.want('account gone');
    b.want('worker b');
    c.want('worker c');
    c.want('account box');
    await pass(60, a, b, c);
    await giveUp();
    // B dies.
    a.want('account box');
    await pass(590, a, c);
    expect(await rows()).toEqual(['account box', 'account gone', 'worker a', 'worker b', 'worker c']);
    await pass(20, a, c);
    expect(await rows()).toEqual(['account box', 'worker a', 'worker c']);
    expect(c.told).toEqual(['taken account box', 'taken worker c']);
  });

  test('that was forgotten and made anew is not taken for the one of before', async () => {
    const [a, b] = [openPeer('a'), openPeer('b')];
    a.want('config');
    await quiet();
    b.want('config');
    await quiet();
    // B hears nothing while the row goes and comes again.
    await store.apply([{ op: 'delete', table: 'claim', where: { name: 'config' } }]);
    await pass(5, a);
    expect(a.told).toEqual(['taken config', 'lost config', 'taken config']);
    b.clock.freeze(30_000);
    b.clock.advance(0);
    await quiet();
    expect(b.claims.isHeld('config')).toBe(false);
  });
});

describe('giving up', () => {
  test('hands over at once where signals reach the others, else at their next look', async () => {
    const [at, bt] = joinedSignals(2);
    for (const [n, signals] of [
      { at, bt },
      { at: undefined, bt: undefined },
    ].entries()) {
      const name = `account ${n}`;
      const a = openPeer(`a${n}`, signals.at && { signals: signals.at });
      const b = openPeer(`b${n}`, signals.bt && { signals: signals.bt });
      const giveUp = a.want(name);
      await quiet();
      b.want(name);
      await pass(2, a, b);
      await giveUp();
      expect(a.claims.isHeld(name)).toBe(false);
      await quiet();
      expect(await secondsUntilHeld(name, b, b)).toBe(n === 0 ? 0 : 3);
      expect(a.told).toEqual([`taken ${name}`]);
    }
  });

  test('in the moment of taking leaves nothing held', async () => {
    const a = openPeer('a');
    const gate = Promise.withResolvers<void>();
    const giveUp = a.want('config');
    a.before = (op) => (op === 'apply' ? gate.promise : undefined);
    await setImmediate();
    const given = giveUp();
    gate.resolve();
    await given;
    expect(await a.claims.holders()).toEqual([]);
    expect(a.told).toEqual([]);
  });

  test('and wanting anew at once ends with the claim held', async () => {
    const a = openPeer('a');
    const giveUp = a.want('config');
    await quiet();
    void giveUp();
    a.want('config');
    await pass(30, a);
    expect(a.claims.isHeld('config')).toBe(true);
    expect(a.told).toEqual(['taken config', 'taken config']);
  });

  test('everything leaves the rows to others, and asks no more', async () => {
    const [a, b] = [openPeer('a'), openPeer('b')];
    for (let n = 0; n < 30; n++) a.want(`account ${n}`);
    await quiet();
    await a.claims.close();
    expect(await b.claims.holders()).toEqual([]);
    let questions = 0;
    a.before = () => void questions++;
    await pass(60, a);
    expect(questions).toBe(0);
  });
});

describe('many claims', () => {
  const names = Array.from({ length: 20 }, (_, n) => `account ${n}`);

  test('are renewed in one commit', async () => {
    const a = openPeer('a');
    for (const name of names) a.want(name);
    await quiet();
    const asked: string[] = [];
    const before = await Promise.all(names.map(rev));
    a.before = (op) => void asked.push(op);
    await pass(5, a);
    expect(asked).toEqual(['list', 'apply']);
    expect(await Promise.all(names.map(rev))).toEqual(before.map((n) => n + 1));
  });

  test('are kept although others of them are taken in the moment of renewing', async () => {
    const a = openPeer('a');
    for (const name of names) a.want(name);
    await quiet();
    const stolen = ['account 17', 'account 3', 'account 4'];
    let isOnce = true;
    a.before = async (op) => {
      if (op !== 'apply' || !isOnce) return;
      isOnce = false;
      for (const name of stolen)
        await store.apply([{ op: 'update', table: 'claim', key: { name }, set: { worker: 'thief', rev: 99 } }]);
    };
    await pass(30, a);
    expect(names.filter((name) => !a.claims.isHeld(name))).toEqual([]);
    // The thief never showed a sign of life: after 15 seconds they came back.
    expect(a.told.slice(names.length)).toEqual([
      ...stolen.map((name) => `lost ${name}`),
      ...stolen.map((name) => `taken ${name}`),
    ]);
  });
});

describe('trouble with the store', () => {
  const broken = () => Promise.reject(new EngineError('STORE_FAILED', 'the database is away'));

  test('that is over soon costs nothing, and is said once', async () => {
    const a = openPeer('a');
    a.want('config');
    await pass(7, a);
    a.before = broken;
    await pass(8, a);
    a.before = () => {};
    await pass(30, a);
    expect(a.told).toEqual(['taken config']);
    expect(a.warned).toEqual(['claims cannot be renewed or taken']);
  });

  test('that lasts loses the claim, which is taken anew when it is over', async () => {
    const a = openPeer('a');
    a.want('config');
    await pass(7, a);
    a.before = broken;
    await pass(11, a);
    expect(a.claims.isHeld('config')).toBe(false);
    expect(a.told).toEqual(['taken config', 'lost config']);
    a.before = () => {};
    await pass(1, a);
    expect(a.claims.isHeld('config')).toBe(true);
  });

  test('a question that is never answered loses the claim all the same', async () => {
    const a = openPeer('a');
    a.want('config');
    await quiet();
    const gate = Promise.withResolvers<void>();
    a.before = () => gate.promise;
    for (let second = 0; second < 12; second++) a.clock.advance(1000);
    expect(a.told).toEqual(['taken config', 'lost config']);
    gate.resolve();
    await quiet();
    expect(a.claims.isHeld('config')).toBe(true);
  });

  test('an answer that comes too late takes nothing', async () => {
    const a = openPeer('a');
    const gate = Promise.withResolvers<void>();
    a.before = (op) => (op === 'apply' ? gate.promise : undefined);
    a.want('config');
    await setImmediate();
    a.clock.freeze(20_000);
    gate.resolve();
    await quiet();
    expect(a.claims.isHeld('config')).toBe(false);
    expect(a.told).toEqual([]);
    a.clock.advance(0);
    await quiet();
    expect(a.told).toEqual(['taken config']);
  });

  test('a renewal of which nobody knows whether it was written is no reason to lose the claim', async () => {
    const a = openPeer('a');
    a.want('config');
    await quiet();
    let isOnce = true;
    a.before = async (op) => {
      if (op !== 'apply' || !isOnce) return;
      isOnce = false;
      const now = await rev('config');
      await store.apply([{ op: 'update', table: 'claim', key: { name: 'config' }, set: { rev: now + 1 } }]);
      throw new EngineError('STORE_FAILED', 'the connection was lost');
    };
    await pass(30, a);
    expect(a.told).toEqual(['taken config']);
  });

  test('a row whose body was damaged can be taken still', async () => {
    const [a, b] = [openPeer('a'), openPeer('b')];
    a.want('config');
    await quiet();
    b.want('config');
    await quiet();
    const { DatabaseSync } = await import('node:sqlite');
    const file = new DatabaseSync(join(dir, 'callsheet.db'));
    file.exec(`UPDATE claim SET body = x'00'`);
    file.close();
    expect(await b.claims.holders()).toEqual([{ name: 'config', worker: 'a' }]);
    await pass(25, b);
    expect(b.claims.isHeld('config')).toBe(true);
  });
});

test('wanting a name twice in one process is a fault', () => {
  const a = openPeer('a');
  a.want('config');
  expect(() => a.want('config')).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
});

test('a claim that had lapsed when its renewal is answered was lost, and is taken again', async () => {
  const inner = new SimulatedClock();
  let aheadMs = 0;
  const clock = {
    now: () => inner.now() + aheadMs,
    steady: () => inner.steady() + aheadMs,
    delay: inner.delay.bind(inner),
  };
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeldUp = false;
  const slow = withApply(store, async (changes) => {
    await store.apply(changes);
    if (!isHeldUp) return;
    asked.resolve();
    await answers.promise;
  });
  const told: string[] = [];
  const about = { host: 'a', pid: 1, version: '1' };
  const claims = createClaims({ store: slow, clock, log: silentLogger, worker: 'a', about });
  claims.acquire('worker a', { onTaken: () => told.push('taken'), onLost: () => told.push('lost') });
  await expect.poll(() => told).toEqual(['taken']);
  isHeldUp = true;
  inner.advance(5000);
  await asked.promise;
  // The process stands still, and no timer has fired yet: 12.5 s after the last renewal, 7.5 s after this one was sent.
  aheadMs = 7500;
  expect(claims.isHeld('worker a')).toBe(false);
  isHeldUp = false;
  answers.resolve();
  await expect.poll(() => claims.isHeld('worker a')).toBe(true);
  expect(told).toEqual(['taken', 'lost', 'taken']);
  await claims.close();
});
