import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { soon } from '../../../browser/soon.ts';
import { makePlace, type Place, type Started } from '../../harness.ts';

let place: Place;
let server: Started | undefined;
beforeEach(() => void (place = makePlace()));
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  place.remove();
});

const envFile = () => join(place.dir, '.env');
const begin = async () => {
  const answer = await server?.ask('POST', '/api/encryption');
  return { status: answer?.status, text: (await answer?.text()) ?? '' };
};
const storage = async () => {
  const answer = await server?.ask('GET', '/api/encryption').catch(() => undefined);
  return ((await answer?.json()) as { storage?: string } | undefined)?.storage;
};

describe('encryption of a running server', { timeout: 60_000 }, () => {
  test('keeps its port, its token and its process, and a later start uses the key of the file', async () => {
    server = await place.start();
    expect((await begin()).status).toBe(202);
    await soon(storage).toBe('encrypted');
    expect(server.process.exitCode).toBeNull();
    const { code, stdout, stderr } = await server.stop();
    expect(code).toBe(0);
    const key = /VX_MAILAGENT_KEY=([0-9a-f]{64})/.exec(readFileSync(envFile(), 'utf8'))?.[1] ?? '';
    expect(key).toHaveLength(64);
    expect(stdout + stderr).not.toContain(key);
    server = await place.start();
    expect(await storage()).toBe('encrypted');
    expect(await (await server.ask('GET', '/api/encryption')).text()).not.toContain(key);
  });

  test('keeps other processes out of the data folder all the time', async () => {
    server = await place.start();
    await begin();
    const codes = new Set<string>();
    await soon(async () => {
      const { stderr } = await place.run(['files', 'list']).catch(() => ({ stderr: '' }));
      if (stderr.includes('STORE_')) codes.add(stderr);
      return storage();
    }).toBe('encrypted');
    expect([...codes]).toEqual([]);
  });

  test.each([
    ['has a key', { VX_MAILAGENT_KEY: makeKey() }, 'encrypted already'],
    ['has an empty key in its environment', { VX_MAILAGENT_KEY: '' }, 'environment of the server'],
  ])('is refused where it %s', async (_name, env, reason) => {
    server = await place.start([], env);
    const { status, text } = await begin();
    expect([status, text]).toEqual([409, expect.stringContaining(reason)]);
    expect(existsSync(envFile())).toBe(false);
  });

  test('is refused where .env cannot be written, and the server goes on', async () => {
    server = await place.start();
    mkdirSync(envFile());
    expect(await begin()).toMatchObject({ status: 409, text: expect.stringContaining('is not a file') });
    expect(await storage()).toBe('plaintext');
  });

  test('is refused where --env-file names another file', async () => {
    const other = join(place.dir, 'other.env');
    writeFileSync(other, 'A=1\n');
    server = await place.start(['--env-file', other]);
    expect(await begin()).toMatchObject({ status: 409, text: expect.stringContaining('--env-file') });
    expect(readFileSync(other, 'utf8')).toBe('A=1\n');
  });

  test('is refused without the token and for pages of other origins', async () => {
    server = await place.start();
    const url = `${server.url}/api/encryption`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    const headers = { Authorization: `Bearer ${server.token}`, Origin: 'https://evil.example' };
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(403);
    expect(await storage()).toBe('plaintext');
  });
});
