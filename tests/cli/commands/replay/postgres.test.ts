import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplayReport } from '../../../../engine/src/replay/difference.ts';
import type { ShadowView } from '../../../../engine/src/replay/shadow/shadow.ts';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { forPostgres, longPostgres } from '../../../available.ts';
import { type PostgresServer, startPostgres } from '../../../postgres.ts';
import { LETTER, makePlace, type Place, type Started } from '../../harness.ts';

describe.skipIf(longPostgres === undefined)(`recordings of a PostgreSQL${forPostgres}`, () => {
  let postgres: PostgresServer;
  let model: Server;
  let keys: (string | undefined)[] = [];
  let place: Place;
  let env: Record<string, string>;
  let office: Started;

  beforeAll(async () => {
    postgres = await startPostgres();
    model = createServer((request, response) => {
      request.resume().on('end', () => {
        keys.push(request.headers.authorization);
        const message = { role: 'assistant', content: 'Good morning.' };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }] }));
      });
    });
    await new Promise<void>((done) => model.listen(0, '127.0.0.1', () => done()));
    const { port } = model.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/v1`;
    place = makePlace({
      'apis/real.yaml': `id: real\nprovider: openai\nmodel: m\napiKey: \${secret:KEY}\nbaseUrl: ${url}\nstream: false\nlocality: local\n`,
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: real\ntools: [workspace]\n',
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
      'filters/all.yaml': 'id: all\nfield: Subject\nregex: ^hello\ndirectorId: [boss]\n',
      'tests/desk.yaml': 'director: boss\ntests: [{ message: hi, assert: [{ type: contains, value: morning }] }]\n',
    });
    env = { DATABASE_URL: await postgres.createDatabase(), VX_MAILAGENT_KEY: makeKey(), CALLSHEET_TOKEN: TOKEN };
    git('init', '-q', '-b', 'main');
    git('add', '--all', 'config');
    git('commit', '-qm', 'a config');
    office = await place.start([], env);
    await office.ask('PUT', '/api/secrets/KEY', { value: 'sk-of-the-database' });
    await office.ask('POST', '/api/secrets/KEY/hosts', { host: '127.0.0.1' });
    place.drop('a.eml', LETTER);
    await office.ask('POST', '/api/fetcher/fetch');
  }, 120_000);
  afterAll(async () => {
    await office?.stop();
    place?.remove();
    model?.close();
    await postgres?.remove();
  });

  function git(...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: place.dir });
  }

  const run = (...args: string[]) => place.run(args, env);

  test(
    'a run has no difference when it is replayed while a server works, and another prompt is found',
    { timeout: 120_000 },
    async () => {
      await expect
        .poll(async () => (await run('runs', 'list')).stdout, { timeout: 60_000, interval: 200 })
        .toMatch(/completed {2}boss/);
      keys = [];
      const same = await run('replay', '--since', '1d', '--json');
      expect([same.code, same.stderr]).toEqual([0, '']);
      expect(JSON.parse(same.stdout)).toMatchObject({
        changed: [],
        leftOut: [],
        tiers: [{ total: 1 }, { total: 1, missed: 0 }],
      });
      git('checkout', '-qb', 'polite');
      place.write({
        'directors/boss.yaml':
          'id: boss\nname: Boss\napiConfigId: real\ntools: [workspace]\nprompt: [{ role: system, content: Be polite. }]\n',
      });
      git('commit', '-qam', 'a prompt');
      git('checkout', '-q', 'main');
      const other = await run('replay', 'last', '--against', 'polite', '--json');
      const { changed } = JSON.parse(other.stdout) as ReplayReport;
      expect([other.code, changed.flatMap((one) => one.differences.map(({ kind }) => kind))]).toEqual([
        1,
        ['requests'],
      ]);
      expect(keys).toEqual([]);
    },
  );

  test('a case and a test are written from a run, and played', async () => {
    expect(await run('record', 'last', '--into', 'cases')).toMatchObject({ code: 0 });
    expect(await place.run(['replay', '--mails', 'cases'])).toMatchObject({ code: 0 });
    expect(await run('test', '--from', 'last')).toMatchObject({ code: 0 });
    expect(keys).toEqual([]);
  });

  test('answers are recorded, and asked for live, with the key of the database', async () => {
    expect(await run('test', 'desk', '--record', 'once')).toMatchObject({ code: 0 });
    expect(existsSync(join(place.dir, 'cassettes/desk/1.json'))).toBe(true);
    expect(await run('replay', 'last', '--live', '--max-cost', '1')).toMatchObject({ code: 0 });
    expect(keys).toEqual(['Bearer sk-of-the-database', 'Bearer sk-of-the-database']);
  });

  test('a shadow tries new mail of the server', async () => {
    const begun = await run('shadow', 'start', 'polite', '--percent', '100', '--max-cost-per-day', '1');
    expect([begun.code, begun.stderr]).toEqual([0, expect.any(String)]);
    place.drop('b.eml', LETTER.replace('<1@', '<2@'));
    await office.ask('POST', '/api/fetcher/fetch');
    const read = async () => JSON.parse((await run('shadow', 'status', '--json')).stdout) as ShadowView;
    await expect.poll(async () => (await read()).shadow?.mails, { timeout: 60_000, interval: 200 }).toBe(1);
    expect((await read()).report?.tiers).toMatchObject([{ total: 1, changed: 0 }, { total: 1 }]);
    expect((await run('shadow', 'drop')).code).toBe(0);
  }, 120_000);
});

const TOKEN = 'a-token-for-tests-0123456789';
