import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { makePlace, type Place } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

describe('validate', () => {
  let place: Place;
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());

  test('exits 0 where all is fine, and opens no data folder', async () => {
    const { code, stdout } = await place.run(['validate']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^config is valid, revision [0-9a-f]{12}\n$/)]);
    expect((await place.run(['validate', '--json'])).stdout).toMatch(/"problems": \[\]/);
  });

  test('exits 0 with a warning, 1 with --strict, and 2 with an error, with file, line and code', async () => {
    place.write({ 'apis/other.yaml': 'id: other\nprovider: openai\nmodel: m\napiKey: ${env:NOT_SET}\n' });
    const warned = await place.run(['validate']);
    expect([warned.code, warned.stdout]).toEqual([
      0,
      expect.stringContaining('config/apis/other.yaml:4:9  warning  CONFIG_ENV_UNSET'),
    ]);
    expect((await place.run(['validate', '--strict'])).code).toBe(1);
    expect((await place.run(['validate', '--strict'], { NOT_SET: 'x' })).code).toBe(0);
    place.write({ 'agents/reply.yaml': 'id: reply\ntools: [serch]\n' });
    const failed = await place.run(['validate']);
    expect([failed.code, failed.stdout]).toEqual([
      2,
      expect.stringMatching(/^config\/agents\/reply\.yaml:2:\d+ {2}error {4}CONFIG_UNKNOWN_TOOL {2}/m),
    ]);
    expect((await place.run(['validate', '--strict'])).code).toBe(2);
  });

  test('reports the mistakes of more files than it reads at once', async () => {
    const names = Array.from({ length: 70 }, (_, i) => `agents/a${i + 10}.yaml`);
    place.write(Object.fromEntries(names.map((name) => [name, `id: ${name.slice(7, 10)}\ntools: [serch]\n`])));
    const { stdout } = await place.run(['validate', '--format', 'github']);
    expect([...stdout.matchAll(/file=config\/(agents\/a\d+\.yaml)/g)].map(([, name]) => name)).toEqual(names);
  });

  test.each([
    ['a valid config', [], 0],
    ['a folder that does not exist', ['nowhere'], 2],
  ])('delays the compilers, and starts them at the end: %s', async (_name, paths, code) => {
    const steps: string[] = [];
    const delayCompilers = () => (steps.push('delayed'), { release: () => void steps.push('released') });
    const argv = ['validate', ...paths, '--config', join(place.dir, 'config'), '--data', place.dataDir];
    expect(await runCommand({ ...fakeTerminal({ argv }), delayCompilers })).toBe(code);
    expect(steps).toEqual(['delayed', 'released']);
  });

  test('warns about a secret without a value if there is a store, and needs none', async () => {
    place.write({ 'apis/other.yaml': 'id: other\nprovider: openai\nmodel: m\napiKey: ${secret:NOT_SET}\n' });
    expect((await place.run(['validate', '--strict'])).code).toBe(0);
    expect(existsSync(place.dataDir)).toBe(false);
    mkdirSync(place.dataDir);
    await place.run(['runs', 'list']);
    // Readers of SQLite leave an empty log, and the index of it.
    const files = () => readdirSync(place.dataDir).filter((name) => !/-(wal|shm)$/.test(name));
    const before = files();
    const { code, stdout } = await place.run(['validate', '--strict']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('CONFIG_SECRET_UNSET')]);
    expect(files()).toEqual(before);
  });

  test('prints the same as JSON and for GitHub', async () => {
    place.write({ 'agents/reply.yaml': 'id: reply\ntools: [serch]\n' });
    const asJson = await place.run(['validate', '--format', 'json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      revision: expect.any(String),
      problems: [{ code: 'CONFIG_UNKNOWN_TOOL', file: 'config/agents/reply.yaml', line: 2 }],
    });
    const github = await place.run(['validate', '--format', 'github']);
    expect(github.stdout).toMatch(/^::error file=config\/agents\/reply\.yaml,line=2,/);
    expect([asJson.code, github.code]).toEqual([2, 2]);
  });

  test('reports on the named files only', async () => {
    place.write({ 'agents/reply.yaml': 'id: reply\ntools: [serch]\n' });
    expect((await place.run(['validate', 'config/directors'])).code).toBe(0);
    expect((await place.run(['validate', 'config/agents/reply.yaml'])).code).toBe(2);
  });

  test.each([
    ['NO_COLOR over FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, [], false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, [], true],
    ['--no-color over FORCE_COLOR', { FORCE_COLOR: '1' }, ['--no-color'], false],
    ['a pipe', {}, [], false],
  ])('colours: %s', async (_name, env, args, isColored) => {
    place.write({ 'agents/reply.yaml': 'id: reply\ntools: [serch]\n' });
    const { stdout } = await place.run(['validate', ...args], env as Record<string, string>);
    expect(stdout.includes('\x1b[')).toBe(isColored);
  });
});
