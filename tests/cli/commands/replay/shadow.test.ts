import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShadowView } from '../../../../engine/src/replay/shadow/shadow.ts';
import { FILES, LETTER, makePlace, type Place } from '../../harness.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
  git('init', '-q', '-b', 'main');
  commit();
  git('checkout', '-qb', 'next');
  place.write({
    'apis/main.yaml': (FILES['apis/main.yaml'] ?? '').replace("data: 'noted'", "data: 'seen'"),
    'agents/new.yaml': 'id: new\nname: New\n',
  });
  commit();
  git('checkout', '-q', 'main');
});

afterAll(() => place.remove());

function git(...args: string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', [...who, ...args], {
    cwd: place.dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function commit(): void {
  git('add', '--all', 'config');
  git('commit', '-qm', 'a change');
}

const START = ['shadow', 'start', 'next', '--percent', '100', '--max-cost-per-day', '2'];
const config = (file: string) => join(place.dir, 'config', file);

describe('callsheet shadow', () => {
  test('says that there is none', async () => {
    expect(await place.run(['shadow', 'status'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no shadow'),
    });
    expect(await place.run(['shadow', 'promote'])).toMatchObject({ code: 2 });
    expect(await place.run(['shadow', 'drop'])).toMatchObject({ code: 2 });
  });

  test('needs a share and a limit', async () => {
    expect((await place.run(['shadow', 'start', 'next', '--percent', '10'])).code).toBe(2);
    expect(await place.run(['shadow', 'start', 'next', '--percent', 'ten', '--max-cost-per-day', '2'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--percent takes a number, not "ten"'),
    });
  });

  test('tries new mail of a running server, and shows what differs, also when the server has stopped', async () => {
    expect((await place.run(START)).code).toBe(0);
    const server = await place.start();
    try {
      place.drop('a.eml', LETTER);
      await server.ask('POST', '/api/fetcher/fetch');
      const read = async () => (await (await server.ask('GET', '/api/shadow')).json()) as ShadowView;
      await expect.poll(async () => (await read()).shadow?.mails, { timeout: 120_000, interval: 200 }).toBe(1);
    } finally {
      await server.stop();
    }
    const { stdout } = await place.run(['shadow', 'status']);
    expect(stdout).toMatch(/Shadow of next: 100 % of new mail since .* UTC\n {2}1 mails; \$0\.0000 of \$2 spent today/);
    expect(stdout).toMatch(/drafts +the item "Note" has other words\n.*\[-noted-\]\{\+seen\+\}/);
    const { stdout: json } = await place.run(['shadow', 'status', '--json']);
    expect((JSON.parse(json) as ShadowView).report?.tiers).toMatchObject([{ total: 1 }, { total: 1, changed: 1 }]);
  }, 180_000);

  test('starts no second one', async () => {
    expect(await place.run(START)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is a shadow already'),
    });
  });

  test('promotes only a clean config folder, and leaves its changes', async () => {
    place.write({ 'agents/mine.yaml': 'id: mine\nname: Mine\n' });
    const { code, stderr } = await place.run(['shadow', 'promote']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/changes that are not committed/);
    expect(existsSync(config('agents/mine.yaml'))).toBe(true);
    expect(existsSync(config('agents/new.yaml'))).toBe(false);
  });

  test('makes the config folder that of the ref, without files that the ref does not have', async () => {
    commit();
    const { code, stderr } = await place.run(['shadow', 'promote']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('git commit')]);
    expect(readFileSync(config('apis/main.yaml'), 'utf8')).toContain("data: 'seen'");
    expect([existsSync(config('agents/new.yaml')), existsSync(config('agents/mine.yaml'))]).toEqual([true, false]);
    expect(git('diff', 'next', '--name-only', '--', 'config')).toBe('');
  });

  test('drops it with its results', async () => {
    expect((await place.run(['shadow', 'drop'])).code).toBe(0);
    expect(JSON.parse((await place.run(['shadow', 'status', '--json'])).stdout)).toEqual({ shadow: null });
  });
});
