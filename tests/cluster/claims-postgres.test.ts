import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createClaims } from '../../engine/src/cluster/claims.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSignals } from '../../engine/src/cluster/signals.ts';
import { forFull, forPostgres, isFull, longPostgres } from '../available.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';

const PROCESS = join(import.meta.dirname, 'claims-process.ts');

describe.skipIf(longPostgres === undefined)(`claims over PostgreSQL${forPostgres}`, () => {
  let server: PostgresServer;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => void (url = await server.createDatabase()));
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** While set, no timer fires: who hears of a change has been told by a signal. */
  let isStill = false;
  beforeEach(() => void (isStill = false));
  const clock: Clock = { ...systemClock, delay: (fn, ms) => systemClock.delay(() => isStill || fn(), ms) };

  /** Claims as a process of its own would have them. */
  async function openPeer(worker: string) {
    const database = openPg(url);
    closing.push(() => database.close());
    const store = await openPostgres({ database });
    closing.push(() => store.close());
    const signals = await openSignals({ database, clock: systemClock, log: silentLogger, origin: worker });
    closing.push(() => signals.close());
    const about = { host: 'host', pid: 1, version: '1' };
    const claims = createClaims({ store, clock, log: silentLogger, worker, about, signals });
    closing.push(() => claims.close());
    return claims;
  }

  test('that three processes want at the same time are held by one each, and go on when it stops', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `account ${n}`);
    const all = await Promise.all(['a', 'b', 'c'].map(openPeer));
    const taken = new Map<string, number>();
    const note = (name: string) => () => void taken.set(name, (taken.get(name) ?? 0) + 1);
    // From both ends, so that each has some of them.
    for (const [n, claims] of all.entries())
      for (const name of n === 1 ? names.toReversed() : names)
        claims.acquire(name, { onTaken: note(name), onLost: () => taken.set(name, NaN) });
    const holdersOf = (name: string) => all.filter((claims) => claims.isHeld(name)).length;
    await expect.poll(() => names.map(holdersOf)).toEqual(names.map(() => 1));
    expect([...taken.values()]).toEqual(names.map(() => 1));
    const [first] = all.filter((claims) => names.some((name) => claims.isHeld(name)));
    const handed = names.filter((name) => first?.isHeld(name));
    isStill = true;
    await first?.close();
    await expect.poll(() => names.map(holdersOf)).toEqual(names.map(() => 1));
    expect(handed.map((name) => taken.get(name))).toEqual(handed.map(() => 2));
  });

  describe.skipIf(!isFull)(`of processes${forFull}`, { timeout: 180_000 }, () => {
    interface Peer {
      readonly child: ChildProcess;
      readonly said: string[];
      /** It has seen who holds the claim. */
      readonly looked: Promise<void>;
    }
    const openProcess = (worker: string, ...more: readonly string[]): Peer => {
      const child = spawn(process.execPath, [PROCESS, url, 'config', worker, ...more], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said: string[] = [];
      const { promise: looked, resolve } = Promise.withResolvers<void>();
      createInterface({ input: child.stdout! }).on('line', (line) => {
        if (line === 'looked') resolve();
        else said.push(line);
      });
      closing.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGCONT');
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      return { child, said, looked };
    };
    /** Waits for twice as long as a claim of a dead process stays. */
    const until = (peer: Peer, ...said: readonly string[]) =>
      expect.poll(() => peer.said, { timeout: 60_000, interval: 20 }).toEqual(said);
    const openTwo = async () => {
      const a = openProcess('a');
      await until(a, 'taken', 'held');
      const b = openProcess('b');
      await b.looked;
      return [a, b] as const;
    };

    test('go to another one in time when one is killed, and when it is stopped to one that only listens', async () => {
      const [a, b] = await openTwo();
      a.child.kill('SIGKILL');
      await until(b, 'taken', 'held');
      const c = openProcess('c', 'told');
      await c.looked;
      expect(c.said).toEqual([]);
      b.child.kill('SIGTERM');
      await until(c, 'taken', 'held');
    });

    test('are lost by one that was frozen, from its first moment on', async () => {
      const [a, b] = await openTwo();
      a.child.kill('SIGSTOP');
      await until(b, 'taken', 'held');
      a.child.kill('SIGCONT');
      await expect.poll(() => a.said.length, { interval: 20 }).toBe(4);
      expect(new Set(a.said.slice(2))).toEqual(new Set(['lost', 'not held']));
      expect(b.said).toEqual(['taken', 'held']);
    });
  });
});
