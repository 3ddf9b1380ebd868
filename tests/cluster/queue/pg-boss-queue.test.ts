import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { startPglite, startPostgres } from '../../postgres.ts';
import { Player, until, wake } from './queue-player.ts';

interface Ground {
  open(): SqlDatabase;
  stop(): Promise<void>;
}

async function onPglite(): Promise<Ground> {
  const { database, stop } = await startPglite();
  return { open: () => database, stop };
}

async function onPostgres(): Promise<Ground> {
  const server = await startPostgres();
  const url = await server.createDatabase();
  return { open: () => openPg(url), stop: () => server.remove() };
}

const grounds = [
  { name: 'PGlite', isThere: true, start: onPglite },
  {
    name: `a PostgreSQL server${forPostgres}`,
    isThere: longPostgres !== undefined,
    start: onPostgres,
  },
];

for (const { name, isThere, start } of grounds) {
  describe.skipIf(!isThere)(`the queue on ${name}`, () => {
    let ground: Ground;
    let database: SqlDatabase;
    let player: Player;
    const others: Player[] = [];
    beforeAll(async () => {
      ground = await start();
      database = ground.open();
    });
    afterAll(async () => {
      await database.close();
      await ground.stop();
    });
    beforeEach(async () => {
      player = await Player.open({ database });
    });
    afterEach(async () => {
      const all = [player, ...others.splice(0)];
      await Promise.all(all.map((one) => one.stop()));
      expect(all.flatMap(({ warnings }) => warnings)).toEqual([]);
      await database.query('DELETE FROM callsheet_queue.job');
    });

    const isEmpty = async () =>
      (await database.query('SELECT count(*)::int AS n FROM callsheet_queue.job')).rows[0]?.['n'] === 0;

    test('brings a look at the run that a committed list asks for, and forgets the job when it ends', async () => {
      await player.work(4);
      await player.commit(wake('run_a'));
      const { job, end } = await player.next();
      expect(job).toMatchObject({ runId: 'run_a', isRetry: false, dueAt: 0 });
      expect([job.isHeld(), job.signal.aborted, await isEmpty()]).toEqual([true, false, false]);
      end();
      await until(isEmpty);
      expect(job.isHeld()).toBe(false);
    });

    test('brings nothing that a list asked for that was rolled back', async () => {
      const rolledBack = database.transaction(async (link) => {
        await player.queue.enqueue(link, [wake('run_no')]);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      await player.work(1, { isQuick: true });
      await player.commit(wake('run_yes'));
      await until(isEmpty);
      expect(player.seen).toEqual(['run_yes']);
    });

    test('tells a worker at once, not when it asks the next time', async () => {
      await player.work(4, { isQuick: true });
      await player.commit(wake('run_first'));
      await until(isEmpty);
      const tookMs: number[] = [];
      for (let i = 0; i < 10; i++) {
        const begun = performance.now();
        await player.commit(wake(`run_${i}`));
        await until(isEmpty);
        tookMs.push(performance.now() - begun);
      }
      // A worker that is not told asks half a second after its last job, each time. A busy machine is slow only sometimes.
      expect(Math.min(...tookMs)).toBeLessThan(250);
    });

    test('takes what is most urgent first, then what is oldest', async () => {
      await player.commit(wake('run_old'), wake('run_urgent', { priority: 5 }));
      await player.commit(wake('run_new'), wake('run_less', { priority: 1 }));
      await player.work(1, { isQuick: true });
      await until(isEmpty);
      expect(player.seen).toEqual(['run_urgent', 'run_less', 'run_old', 'run_new']);
    });

    test('begins a look for a later time at that time', async () => {
      await player.work(1);
      const at = systemClock.now() + 700;
      await player.commit(wake('run_later', { at }));
      expect(await player.queue.stats()).toMatchObject({ ready: 0, deferred: 1 });
      const { job } = await player.next();
      expect(job.dueAt).toBe(at);
      const lateMs = systemClock.now() - at;
      expect(lateMs).toBeGreaterThanOrEqual(0);
      // It asks every half second.
      expect(lateMs).toBeLessThan(15_000);
    });

    test('brings a look back that rejects, under the same job', async () => {
      await player.work(1);
      await player.commit(wake('run_a'));
      const first = await player.next();
      first.fail();
      const second = await player.next();
      expect(second.job).toMatchObject({ runId: 'run_a', jobId: first.job.jobId, isRetry: true });
    });

    test('never has enough of a job that comes back', async () => {
      await player.commit(wake('run_a'));
      await database.query('UPDATE callsheet_queue.job SET retry_count = 1000000, started_on = now()');
      await player.work(1);
      (await player.next()).fail();
      expect((await player.next()).job.isRetry).toBe(true);
    });

    test('keeps a job for more than a lifetime of its workers, and a look for weeks', async () => {
      await player.commit(wake('run_a'));
      const { rows } = await database.query(
        `SELECT keep_until > now() + interval '60 years' AS kept, expire_seconds FROM callsheet_queue.job`,
      );
      expect(rows).toEqual([{ kept: true, expire_seconds: 2_000_000 }]);
    });

    test('has as many looks at once as there are places, and follows when these change', async () => {
      let places = 2;
      await player.work(() => places);
      await player.commit(...Array.from({ length: 8 }, (_, i) => wake(`run_${i}`)));
      const begun = [await player.next(), await player.next()];
      await until(async () => (await player.queue.stats()).ready === 6);
      expect(player.inHand.size).toBe(2);
      places = 5;
      for (let i = 0; i < 3; i++) begun.push(await player.next());
      expect(player.inHand.size).toBe(5);
      places = 1;
      begun.forEach(({ end }) => end());
      const last = await player.next();
      await until(async () => (await player.queue.stats()).active === 1);
      expect([player.seen.length, player.inHand.size]).toEqual([6, 1]);
      last.end();
    });

    test('lets jobs wait, and then go, that came for places which are gone meanwhile', async () => {
      // Whoever waits for jobs is not told in time that there are fewer places.
      const clock = { ...systemClock, delay: () => () => {} };
      const slow = await Player.open({ database, clock });
      others.push(slow);
      let places = 4;
      await slow.work(() => places);
      await slow.commit(wake('run_first'));
      const first = await slow.next();
      places = 2;
      await slow.commit(...['a', 'b', 'c'].map((name) => wake(`run_${name}`)));
      const second = await slow.next();
      await until(async () => (await slow.queue.stats()).active === 4);
      expect(slow.inHand.size).toBe(2);
      first.end();
      await slow.next();
      const stopped = slow.queue.stop();
      for (const { end } of [second, ...slow.inHand]) end();
      await stopped;
      expect(slow.seen.length).toBe(3);
      expect(await slow.queue.stats()).toMatchObject({ ready: 0, deferred: 1, active: 0 });
    });

    test('says how much waits, how long, and how much is in hand', async () => {
      const at = systemClock.now() + 60_000;
      await player.commit(wake('run_a'), wake('run_b'), wake('run_c'), wake('run_d', { at }));
      await database.query(
        `UPDATE callsheet_queue.job SET start_after = start_after - interval '5 seconds' WHERE data ->> 'run' = 'run_b'`,
      );
      const before = await player.queue.stats();
      expect(before).toMatchObject({ ready: 3, deferred: 1, active: 0 });
      expect(before.oldestMs).toBeGreaterThanOrEqual(5_000);
      expect(before.oldestMs).toBeLessThan(60_000);
      await player.work(2);
      await player.next();
      await until(async () => (await player.queue.stats()).active === 2);
      expect(await player.queue.stats()).toMatchObject({ ready: 1, deferred: 1, active: 2 });
    });

    test('stops when the looks in hand have ended, and leaves the rest to others', async () => {
      // A hundred times as fast, so that no limit of time of the queue's own is what it waits for.
      const clock = { ...systemClock, delay: (fn: () => void, ms: number) => systemClock.delay(fn, ms / 100) };
      const fast = await Player.open({ database, clock });
      others.push(fast);
      await fast.work(1);
      await fast.commit(wake('run_a'), wake('run_b'));
      const { job, end } = await fast.next();
      let isStopped = false;
      const stopped = fast.queue.stop().then(() => (isStopped = true));
      await new Promise<void>((resolve) => clock.delay(resolve, 20_000));
      expect([isStopped, job.isHeld()]).toEqual([false, true]);
      end();
      await stopped;
      await player.commit(wake('run_c'));
      // Either of the two may come first: they were enqueued at one moment.
      expect(fast.seen).toEqual([job.runId]);
      expect(await player.queue.stats()).toMatchObject({ ready: 2, active: 0 });
    });

    test('shares 200 wakes between two workers, each looked at once', async () => {
      const second = await Player.open({ database });
      others.push(second);
      await Promise.all([player.work(8, { isQuick: true }), second.work(8, { isQuick: true })]);
      const runs = Array.from({ length: 200 }, (_, i) => `run_${String(i).padStart(3, '0')}`);
      for (let i = 0; i < 200; i += 20) await player.commit(...runs.slice(i, i + 20).map((run) => wake(run)));
      await until(isEmpty);
      expect([...player.seen, ...second.seen].sort()).toEqual(runs);
      expect(Math.min(player.seen.length, second.seen.length)).toBeGreaterThan(0);
    });
  });
}
