import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../engine/src/base/clock.ts';
import type { SqlDatabase } from '../../../engine/src/store/postgres/sql-database.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { forFull, forPostgres, isFull, longPostgres } from '../../available.ts';
import { type PostgresServer, startPglite, startPostgres } from '../../postgres.ts';
import { Player, until, wake } from './queue-player.ts';

const players: Player[] = [];
afterEach(async () => {
  await Promise.all(players.splice(0).map((player) => player.stop()));
});

async function open(options: Parameters<typeof Player.open>[0]): Promise<Player> {
  const player = await Player.open(options);
  players.push(player);
  return player;
}

// Long: a sign of life is late only after ten seconds.
describe.skipIf(!isFull)(`a worker that falls silent${forFull}`, () => {
  let database: SqlDatabase;
  let stopPglite: () => Promise<void>;
  beforeAll(async () => {
    ({ database, stop: stopPglite } = await startPglite());
  });
  afterAll(() => stopPglite());

  /** The way to the database, on which a test can cut statements off, or be told when one has been answered. */
  function waylaid() {
    const way = { isCut: (_: string): boolean => false, onAnswer: (_: string): void => {} };
    const link: SqlDatabase = {
      query: async (text, values) => {
        if (way.isCut(text)) throw new Error('the network is down');
        const result = await database.query(text, values);
        way.onAnswer(text);
        return result;
      },
      transaction: (work) => database.transaction(work),
      listen: (...channel) => database.listen(...channel),
      notify: (...notice) => database.notify(...notice),
      holdLock: (...held) => database.holdLock(...held),
      close: async () => {},
    };
    return { way, link };
  }

  /** A machine whose clocks a test moves on. */
  function movable(kinds: readonly ('now' | 'steady')[] = ['now', 'steady']) {
    const ahead = { ms: 0 };
    const own = kinds.map((kind) => [kind, () => (systemClock[kind]?.() ?? NaN) + ahead.ms]);
    const clock: Clock = { ...systemClock, ...Object.fromEntries(own) };
    return { ahead, clock };
  }

  /** Lets 11 s pass for the server, in which it heard nothing of any job. */
  const keepSilent = () =>
    database.query(`UPDATE callsheet_queue.job SET heartbeat_on = heartbeat_on - interval '11 seconds'`);

  test.each(['now', 'steady'] as const)('does not hold its job 8 s after its last sign of life (%s)', async (kind) => {
    const { way, link } = waylaid();
    const { ahead, clock } = movable([kind]);
    const player = await open({ database: link, clock });
    await player.work(1);
    await player.commit(wake('run_a'));
    const { job } = await player.next();
    let again = 0;
    job.onHeldAgain(() => again++);
    way.isCut = () => true;
    ahead.ms += 6_000;
    expect(job.isHeld()).toBe(true);
    ahead.ms += 2_000;
    expect([job.isHeld(), job.signal.aborted]).toEqual([false, false]);
    way.isCut = () => false;
    expect(again).toBe(0);
    // The server still knew the job as ours.
    await until(() => job.isHeld());
    expect(again).toBe(1);
  });

  test('does not hold a job that it asked for long before it was told', async () => {
    const { way, link } = waylaid();
    const { ahead, clock } = movable();
    const player = await open({ database: link, clock });
    await player.commit(wake('run_a'));
    way.onAnswer = (text) => {
      if (!text.includes('started_on =')) return;
      ahead.ms += 9_000;
      way.onAnswer = () => {};
    };
    await player.work(1);
    const { job } = await player.next();
    expect(job.isHeld()).toBe(false);
    await until(() => job.isHeld());
  });

  test('loses its job to another one, learns it, and does that one no harm', async () => {
    const { way, link } = waylaid();
    const first = await open({ database: link });
    await first.work(1);
    await first.commit(wake('run_a'));
    const silent = await first.next();
    way.isCut = () => true;
    await keepSilent();
    const second = await open({ database, superviseSeconds: 1 });
    await second.work(1);
    const taken = await second.next();
    expect(taken.job).toMatchObject({ runId: 'run_a', jobId: silent.job.jobId, isRetry: true });
    way.isCut = () => false;
    await until(() => silent.job.signal.aborted);
    expect(silent.job.isHeld()).toBe(false);
    expect(silent.job.signal.reason).toMatchObject({ code: 'STORE_CONFLICT' });
    silent.end();
    await first.stop();
    expect(taken.job.isHeld()).toBe(true);
    expect(await second.queue.stats()).toMatchObject({ ready: 0, deferred: 0, active: 1 });
  });

  test('may get its job anew itself, and the first look at it is lost', async () => {
    const { way, link } = waylaid();
    const player = await open({ database: link, superviseSeconds: 1 });
    await player.work(2);
    await player.commit(wake('run_a'));
    const first = await player.next();
    way.isCut = (text) => text.includes('SET heartbeat_on');
    await keepSilent();
    const second = await player.next();
    way.isCut = () => false;
    expect(second.job).toMatchObject({ jobId: first.job.jobId, isRetry: true });
    expect([first.job.signal.aborted, first.job.isHeld(), second.job.isHeld()]).toEqual([true, false, true]);
    first.end();
    await until(() => player.inHand.size === 1);
    expect(await player.queue.stats()).toMatchObject({ active: 1 });
  });

  test('gives a look back once the server hears it, whatever its answer to the first attempt', async () => {
    const { way, link } = waylaid();
    const player = await open({ database: link });
    await player.work(1);
    await player.commit(wake('run_a'));
    const first = await player.next();
    let cuts = 0;
    // Failed jobs are taken out and put back.
    way.isCut = (text) => text.includes('deleted_jobs') && cuts++ === 0;
    first.fail();
    const again = await player.next();
    expect([again.job.jobId, again.job.isRetry]).toEqual([first.job.jobId, true]);
    again.end();
    await until(async () => (await player.queue.stats()).active === 0);
  });

  test('says so once in a while, not at every question', async () => {
    const { way, link } = waylaid();
    const { ahead, clock } = movable();
    const player = await open({ database: link, clock });
    let asked = 0;
    way.isCut = () => ++asked > 0;
    await player.work(1);
    await until(() => asked > 4);
    expect(player.warnings).toEqual([expect.stringContaining('"the network is down')]);
    ahead.ms += 30_000;
    await until(() => player.warnings.length > 1);
    expect(player.warnings[1]).toMatch(/"more":[3-9]/);
  });

  test('is not one whose look takes weeks', async () => {
    const player = await open({ database, superviseSeconds: 1 });
    await player.work(1);
    await player.commit(wake('run_a'));
    const { job } = await player.next();
    await database.query(`UPDATE callsheet_queue.job SET started_on = now() - interval '21 days'`);
    const passes = async () =>
      (await database.query('SELECT monitor_claim_on::text AS at FROM callsheet_queue.queue')).rows[0]?.['at'];
    for (let pass = 0; pass < 2; pass++) {
      const before = await passes();
      await until(async () => (await passes()) !== before);
    }
    expect([job.isHeld(), job.signal.aborted]).toEqual([true, false]);
    expect(await player.queue.stats()).toMatchObject({ ready: 0, deferred: 0, active: 1 });
    // Nor do the passes count all jobs, which is what `monitor_on` would tell.
    expect((await database.query('SELECT monitor_on FROM callsheet_queue.queue')).rows).toEqual([{ monitor_on: null }]);
  });
});

describe.skipIf(longPostgres === undefined)(`workers of a PostgreSQL server${forPostgres}`, () => {
  let server: PostgresServer;
  const links: SqlDatabase[] = [];
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(links.splice(0).map((link) => link.close()));
  });
  afterAll(() => server.remove());

  function connect(url: string): SqlDatabase {
    const link = openPg(url);
    links.push(link);
    return link;
  }

  test('make its tables once, however many begin at the same time', async () => {
    const url = await server.createDatabase();
    const all = Array.from({ length: 4 }, () => connect(url));
    // As the store does before: a connection that has made tables does not notice by itself that there is a new schema.
    for (const link of all) await link.query('CREATE TEMP TABLE made (n int)');
    const begun = await Promise.all(all.map((database) => open({ database })));
    await begun[3]!.work(1);
    await begun[0]!.commit(wake('run_a'));
    expect((await begun[3]!.next()).job.runId).toBe('run_a');
    const { rows } = await connect(url).query(
      `SELECT count(*) AS n FROM pg_indexes WHERE schemaname = 'callsheet_queue' AND indexname LIKE 'callsheet_%'`,
    );
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('go on when it comes back, with what they had in hand', async () => {
    const player = await open({ database: connect(await server.createDatabase()) });
    await player.work(2);
    await player.commit(wake('run_a'));
    const first = await player.next();
    await server.kill();
    await until(() => player.warnings.length > 0);
    await server.start();
    await player.commit(wake('run_b'), wake('run_c', { at: systemClock.now() + 500 }));
    const second = await player.next();
    first.end();
    const third = await player.next();
    expect([second.job.runId, third.job.runId]).toEqual(['run_b', 'run_c']);
    expect([second.job.isHeld(), third.job.isHeld()]).toEqual([true, true]);
    await until(async () => (await player.queue.stats()).active === 2);
  });

  test('take over the jobs of one that was killed and one that was frozen, which sees it before all else', async () => {
    const url = await server.createDatabase();
    const player = await open({ database: connect(url) });
    const workers = await Promise.all([start(url), start(url)]);
    await player.commit(wake('run_a'), wake('run_b'));
    const [frozen, killed] = workers.map(({ heard }) => heard());
    const jobs = [await frozen!, await killed!];
    workers[0]!.child.kill('SIGSTOP');
    workers[1]!.child.kill('SIGKILL');
    await player.work(2);
    const taken = [await player.next(), await player.next()].map(({ job }) => job);
    expect(taken.every(({ isRetry }) => isRetry)).toBe(true);
    expect(taken.map(({ runId, jobId }) => [runId, jobId]).sort()).toEqual(
      jobs.map((said) => [said['run'], said['job']]).sort(),
    );
    workers[0]!.child.kill('SIGCONT');
    expect(await workers[0]!.heard()).toEqual({ thawed: jobs[0]!['run'], isHeld: false });
    expect(await workers[0]!.heard()).toEqual({ lost: jobs[0]!['run'], isHeld: false });
    expect(taken.map((job) => job.isHeld())).toEqual([true, true]);
  });

  /** A worker in a process of its own, and what it says next. */
  async function start(url: string) {
    const file = fileURLToPath(new URL('queue-process.ts', import.meta.url));
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env['PATH'], DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const heard = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    expect(await heard()).toEqual({ ready: true });
    return { child, heard };
  }
});
