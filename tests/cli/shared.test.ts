import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../engine/src/base/clock.ts';
import type { Check } from '../../engine/src/cli/doctor/check.ts';
import { checkDatabase } from '../../engine/src/cli/doctor/database.ts';
import { readCluster } from '../../engine/src/app/cluster-report.ts';
import { checkShared } from '../../engine/src/cli/doctor/cluster.ts';
import { runCommand } from '../../engine/src/cli/program.ts';
import { workerClaim } from '../../engine/src/cluster/liveness.ts';
import { makeKey } from '../../engine/src/store/cipher.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import type { Change, Store } from '../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../available.ts';
import { type PgliteServer, type PostgresServer, startPglite, startPostgres } from '../postgres.ts';
import { parseExposition } from '../trace/exposition.ts';
import { makePlace, type Place, type Started } from './harness.ts';
import { type FakeTerminal, fakeTerminal } from './terminal/fake-terminal.ts';

const TOKEN = 'a-token-for-tests-0123456789';
const of = (checks: readonly Check[], name: string) => checks.find(({ check }) => check === name);

/** A command in this process. */
async function run(place: Place, argv: readonly string[], env: Readonly<Record<string, string>>) {
  const terminal = fakeTerminal({ argv, cwd: place.dir, env });
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe('doctor', () => {
  let lite: PgliteServer;
  let store: Store;
  beforeAll(async () => void (lite = await startPglite()));
  afterAll(() => lite.stop());
  beforeEach(async () => void (store = await openPostgres({ database: lite.database })));
  afterEach(async () => {
    await store.close();
    await lite.empty();
  });

  const claim = (name: string, worker: string, rev: number, about: object = {}): Change => ({
    op: 'put',
    table: 'claim',
    row: { name, worker, rev, body: JSON.stringify({ host: 'host7', pid: 42, version: '1.0.0', ...about }) },
  });

  /** What it says of what processes do for each other, where `later` happens between its two looks. */
  async function look(before: readonly Change[], later: readonly Change[]): Promise<Check[]> {
    await store.apply(before);
    const clock = new SimulatedClock();
    const looking = readCluster(lite.database, store, clock);
    await expect.poll(() => store.count('claim')).toBe(before.length);
    await store.apply(later);
    let isDone = false;
    void looking.finally(() => (isDone = true));
    while (!isDone) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return checkShared(await looking, '1.0.0');
  }

  test('tells who works, who decides and who fetches from those who have died', async () => {
    const checks = await look(
      [
        claim(workerClaim('a'), 'a', 1),
        claim(workerClaim('b'), 'b', 5, { host: 'host8' }),
        claim('config', 'a', 3),
        claim('account inbox', 'a', 1),
        claim('account other', 'b', 1, { host: 'host8' }),
      ],
      [claim(workerClaim('a'), 'a', 2), claim('config', 'a', 4), claim('account inbox', 'a', 2)],
    );
    expect(of(checks, 'workers')).toMatchObject({
      status: 'ok',
      message: '1 running: host7 (process 42), version 1.0.0; no heartbeat from: host8 (process 42)',
    });
    expect(of(checks, 'fetching inbox')).toMatchObject({ status: 'ok', message: 'by host7 (process 42)' });
    expect(of(checks, 'fetching other')?.status).toBe('warn');
    expect(of(checks, 'config of all')?.message).toContain('no process has published');
    expect(of(checks, 'queue')?.message).toContain('no tables yet');
  });

  test('warns of versions side by side, and where nobody works', async () => {
    const two = await look(
      [claim(workerClaim('a'), 'a', 1), claim(workerClaim('b'), 'b', 1, { version: '2.0.0' })],
      [claim(workerClaim('a'), 'a', 2), claim(workerClaim('b'), 'b', 2, { version: '2.0.0' })],
    );
    expect(of(two, 'workers')).toMatchObject({ status: 'warn', message: expect.stringContaining('version 2.0.0') });
    const none = await look([claim(workerClaim('a'), '', 3), claim(workerClaim('b'), '', 3)], []);
    expect(of(none, 'workers')).toMatchObject({ status: 'warn', message: 'no worker is running' });
  });

  test('finds a pooler that swallows messages', async () => {
    const { database } = lite;
    const pooled = Object.assign(Object.create(database) as typeof database, {
      query: database.query.bind(database),
      notify: database.notify.bind(database),
      listen: async () => ({ close: async () => {} }),
    });
    const clock = new SimulatedClock();
    const checking = checkDatabase(pooled, { address: 'postgres://h/x', clock });
    let isDone = false;
    void checking.finally(() => (isDone = true));
    while (!isDone) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(of(await checking, 'messages')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('pooler'),
    });
    const straight = await checkDatabase(database, { address: 'postgres://h/x', clock: systemClock });
    expect(of(straight, 'messages')?.status).toBe('ok');
  });

  test('tells a server whose clock goes wrong', async () => {
    const late = { ...systemClock, now: () => Date.now() + 3_600_000 };
    const checks = await checkDatabase(lite.database, { address: '', clock: late });
    expect(of(checks, 'clock of server')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/^3600 s behind/),
    });
  });

  test('shows a password to nobody, however the address is wrong', async () => {
    const place = makePlace();
    const secret = 'pa55-of-the-database';
    const urls = [`postgres://me:${secret}@127.0.0.1:1/x`, `mysql://me:${secret}@h/x`, `postgres//${secret}`];
    const typos = [`postgres://me:50%${secret}@127.0.0.1:1/x`, `postgres://me@127.0.0.1:1/x%?password=${secret}`];
    for (const url of [...urls, ...typos])
      for (const command of [['doctor'], ['key', 'status'], ['migrate', '--to', url, '--yes'], ['worker']]) {
        const { stdout, stderr } = await run(place, command, { DATABASE_URL: url });
        expect(`${stdout}${stderr}`.includes(secret), `${command[0]} ${url}`).toBe(false);
        expect(`${stdout}${stderr}`, `${command[0]} ${url}`).not.toMatch(/URI malformed|^ {4}at /m);
      }
    for (const url of urls) expect((await run(place, ['doctor'], { DATABASE_URL: url })).code, url).toBe(2);
    place.remove();
  });
});

// Each of them starts processes, one after the other.
describe.skipIf(longPostgres === undefined)(`commands on a shared database${forPostgres}`, { timeout: 120_000 }, () => {
  let server: PostgresServer;
  let place: Place;
  let env: Record<string, string>;
  let office: Started | undefined;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => {
    place = makePlace();
    env = { DATABASE_URL: await server.createDatabase(), VX_MAILAGENT_KEY: makeKey(), CALLSHEET_TOKEN: TOKEN };
  });
  afterEach(async () => {
    await office?.stop();
    office = undefined;
    place.remove();
  });

  const doctor = async () => {
    const { stdout } = await run(place, ['doctor', '--json'], env);
    return (JSON.parse(stdout) as { checks: Check[] }).checks;
  };

  test('work beside a start from a folder that holds nothing, and are seen by doctor and metrics', async () => {
    office = await place.start([], env);
    // Another machine has neither a config nor a data folder.
    rmSync(join(place.dir, 'elsewhere'), { recursive: true, force: true });
    mkdirSync(join(place.dir, 'elsewhere'));
    const there = { ...place, dir: join(place.dir, 'elsewhere') };
    const asked = await run(there, ['run', 'shy', '--message', 'hi'], env);
    expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('waiting (approval)')]);
    const [id] = /appr_\w+/.exec(asked.stderr) ?? [''];
    expect((await run(there, ['approvals', 'allow', id], env)).code).toBe(0);
    await expect.poll(async () => (await run(there, ['runs', 'list'], env)).stdout).toMatch(/completed {2}shy/);
    const checks = await doctor();
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(of(checks, 'workers')?.message).toMatch(/^1 running/);
    expect(of(checks, 'fetching inbox')?.message).toContain(`process ${office.process.pid}`);
    const { samples } = parseExposition(await (await office.ask('GET', '/metrics')).text());
    const value = (name: string) => samples.find((sample) => sample.name === name)?.value;
    expect([value('callsheet_store_up'), value('callsheet_approvals_pending')]).toEqual([1, 0]);
    expect(value('callsheet_model_request_duration_seconds_count')).toBeGreaterThan(0);
  });

  test('show what a worker does to holders of the token, until it is stopped', async () => {
    office = await place.start([], env);
    const refused = await run(place, ['worker', '--metrics-port', '0'], { ...env, CALLSHEET_TOKEN: '' });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('CALLSHEET_TOKEN')]);
    let stop: (signal: 'SIGTERM') => void = () => {};
    const terminal: FakeTerminal = {
      ...fakeTerminal({ argv: ['worker', '--metrics-port', '0'], cwd: place.dir, env }),
      onSignal: (listener) => ((stop = listener), () => {}),
    };
    const ended = runCommand(terminal);
    const url = () => /metrics=(\S+)\/metrics/.exec(terminal.stderr())?.[1];
    await expect.poll(url).toBeDefined();
    const get = (path: string, token = TOKEN) =>
      fetch(`${url()}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await get('/metrics', 'no')).status).toBe(401);
    await expect.poll(async () => (await get('/api/health', 'no')).status).toBe(200);
    const names = parseExposition(await (await get('/metrics')).text()).types;
    expect(names.has('callsheet_runs_in_hand')).toBe(true);
    // The queue is everybody's: one who sums it over all processes would count it several times.
    expect(names.has('callsheet_queue_jobs')).toBe(false);
    stop('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('say what to do where nobody has brought a config yet', async () => {
    const { code, stderr } = await run(place, ['runs', 'list'], env);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/has no config[^]*callsheet start/)]);
  });

  test('change the key while nobody works on the database, and print none before that', async () => {
    office = await place.start([], env);
    const refused = await run(place, ['key', 'rotate'], env);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([2, '', expect.stringContaining('DATA_LOCKED')]);
    await office.stop();
    const { code, stdout } = await run(place, ['key', 'rotate'], env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}\n$/)]);
    expect(of(await doctor(), 'store')?.message).toContain('another key');
    env['VX_MAILAGENT_KEY'] = stdout.trim();
    expect(of(await doctor(), 'store')?.status).toBe('ok');
  });

  test('are told by doctor that a newer version has brought the schema further', async () => {
    const database = openPg(env['DATABASE_URL']!);
    const { MIGRATIONS } = await import('../../engine/src/store/migrations.ts');
    const store = await openPostgres({ database, key: env['VX_MAILAGENT_KEY'] });
    await store.close();
    const further = (readableBy: number) =>
      database.query('UPDATE storeState SET version = $1, readableBy = $2', [MIGRATIONS.length + 1, readableBy]);
    await further(MIGRATIONS.length);
    expect(of(await doctor(), 'store')).toMatchObject({ status: 'ok', message: expect.stringContaining('can use') });
    await further(MIGRATIONS.length + 1);
    expect(of(await doctor(), 'store')).toMatchObject({ status: 'fail', hint: 'update Callsheet' });
    await database.close();
  });
});
