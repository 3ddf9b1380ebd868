import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LETTER, makePlace, type Place, type Started } from '../../harness.ts';

let place: Place;
const running: Started[] = [];
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  for (const started of running.splice(0)) await started.stop('SIGKILL');
  place.remove();
});

async function start(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Started> {
  const started = await place.start(args, env);
  running.push(started);
  return started;
}

describe('what start says', () => {
  test('with --json the first line of stdout is the URL and the token, and nothing follows', async () => {
    const started = await start();
    expect(started.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await started.ask('GET', '/api/auth/whoami')).status).toBe(200);
    await started.stop();
    expect(JSON.parse(started.stdout())).toEqual({ url: started.url, token: started.token });
  });

  test('log lines are JSON with a time on stderr, and name the storage mode', async () => {
    const started = await start();
    await started.stop();
    const lines = started
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines)
      expect(line).toMatchObject({ time: expect.stringMatching(/^\d{4}-.*Z$/), level: expect.any(String) });
    expect(lines).toContainEqual(expect.objectContaining({ storage: 'plaintext' }));
    expect(started.stderr()).not.toContain(started.token);
  });

  test('for people it prints the URL with its token, and that URL signs in', async () => {
    const child = place.runApart(['start', '--no-open', '--port', '0']);
    await expect.poll(() => existsSync(join(place.dataDir, 'server.json'))).toBe(true);
    const { pid, url, token } = JSON.parse(readFileSync(join(place.dataDir, 'server.json'), 'utf8')) as {
      pid: number;
      url: string;
      token: string;
    };
    const answer = await fetch(`${url}/?token=${token}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/#key=[\w-]+$/)]);
    process.kill(pid, 'SIGTERM');
    const { stdout, stderr, code } = await child;
    expect(stdout).toBe(`Callsheet 0.1.0 is at ${url}/?token=${token}\n`);
    expect(stderr).toMatch(/^\d{4}-\S+Z info {2}data folder open {2}data=\S+ storage=plaintext$/m);
    expect(code).toBe(0);
  });

  test('CALLSHEET_TOKEN fixes the token', async () => {
    const started = await start([], { CALLSHEET_TOKEN: 'fixed-for-automation' });
    expect(started.token).toBe('fixed-for-automation');
    expect((await started.ask('GET', '/api/runs')).status).toBe(200);
  });

  test('a .env beside the config folder is read, and the environment outranks it', async () => {
    writeFileSync(join(place.dir, '.env'), 'CALLSHEET_TOKEN=from-the-file-0123\n');
    expect((await start()).token).toBe('from-the-file-0123');
    await running.splice(0)[0]?.stop();
    expect((await start([], { CALLSHEET_TOKEN: 'from-the-outside' })).token).toBe('from-the-outside');
  });

  test('a CALLSHEET_TOKEN of less than 16 characters ends it with exit code 2, before anything is opened', async () => {
    const ended = await place.runApart(['start', '--no-open'], { CALLSHEET_TOKEN: 'fifteen-letters' });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('CALLSHEET_TOKEN has 15 characters, and at least 16 are needed (USAGE)');
    expect(ended.stderr).toContain('openssl rand');
    expect(ended.stderr).not.toContain('fifteen-letters');
    expect(existsSync(place.dataDir)).toBe(false);
  });
});

test.skipIf(process.platform === 'win32')(
  'every file of the data folder is for its owner only, whatever the mask says (left out on Windows, which has no modes)',
  async () => {
    const before = process.umask(0);
    const started = await start().finally(() => process.umask(before));
    const modes = ['.', ...readdirSync(place.dataDir)].map((name) => {
      return [name, statSync(join(place.dataDir, name)).mode & 0o777] as const;
    });
    const names = ['callsheet.db', 'callsheet.db-wal', 'lock.db', 'server.json', 'session.key'];
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(names));
    expect(modes.filter(([name, mode]) => mode !== (name === '.' ? 0o700 : 0o600))).toEqual([]);
    await started.stop();
  },
);

describe('server.json', () => {
  test('says where the server is, to its owner only, and goes with it', async () => {
    const started = await start();
    const file = join(place.dataDir, 'server.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url: started.url,
      token: started.token,
      pid: started.process.pid,
    });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    await started.stop();
    expect(existsSync(file)).toBe(false);
  });
});

describe('how start ends', () => {
  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('%s stops it in time with exit code %i', async (signal, code) => {
    const started = await start();
    const ended = await started.stop(signal);
    expect(ended.code).toBe(code);
    // Nor does its guard end it.
    expect(ended.stderr).not.toMatch(/stopping took too long|still open at the end/);
  });

  test('an open stream does not hold it up', async () => {
    const started = await start();
    const stream = await started.ask('GET', '/api/stream');
    const read = stream.text();
    await started.stop();
    // A stream that is cut off after two seconds gives an error.
    expect(await read).toContain('event: hello');
  });

  test('a second process on the same data folder exits 2 and says who has it', async () => {
    const started = await start();
    const { code, stderr, stdout } = await place.runApart(['start', '--no-open', '--port', '0']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('DATA_LOCKED');
    expect(stderr).toContain(started.url);
  });

  test('a port that was asked for and is taken ends it with exit code 2', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, stderr } = await place.runApart(['start', '--no-open', '--port', port]);
    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} is in use`);
    expect(stderr).toContain('--port 0');
    other.close();
  });

  test('a port of the settings that is taken gives way to the next free one', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    place.write({ 'settings.yaml': `server: { port: ${port} }\n` });
    const child = place.runApart(['start', '--no-open']);
    await expect.poll(() => existsSync(join(place.dataDir, 'server.json'))).toBe(true);
    const { url, pid } = JSON.parse(readFileSync(join(place.dataDir, 'server.json'), 'utf8')) as {
      url: string;
      pid: number;
    };
    expect(Number(new URL(url).port)).toBeGreaterThan(port);
    process.kill(pid, 'SIGTERM');
    await child;
    other.close();
  });

  test.each([[['--port', 'x']], [['--port', '70000']], [['--prot', '1']]])('%j is wrong usage', async (args) => {
    expect((await place.runApart(['start', ...args])).code).toBe(2);
  });

  test('without a config folder it exits 2 and says what to do', async () => {
    const { code, stderr } = await place.runApart(['start', '--no-open', '--config', 'nowhere']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no config folder .*nowhere/);
    expect(stderr).toContain('--config');
    expect(existsSync(join(place.dir, 'data'))).toBe(false);
  });
});

test('a config with errors runs with what is valid, and says what is not', async () => {
  place.write({ 'directors/broken.yaml': 'id: broken\nnmae: X\n' });
  const started = await start();
  const answer = await started.ask('POST', '/api/runs', { directorId: 'boss', message: 'hi' });
  expect(answer.status).toBe(201);
  expect(started.stderr()).toContain('CONFIG_UNKNOWN_KEY');
  expect(started.stderr()).toContain('only its valid documents run');
});

test('mail in the inbox is worked through, and once only over restarts', async () => {
  place.drop('a.eml', LETTER);
  const first = await start();
  const emails = async (started: Started) =>
    (await (await started.ask('GET', '/api/emails?expand=runs')).json()) as {
      items: { subject: string; runs: { status: string }[] }[];
    };
  await expect.poll(async () => (await emails(first)).items[0]?.runs[0]?.status).toBe('completed');
  await first.stop();
  const second = await start();
  await second.ask('POST', '/api/fetcher/fetch');
  expect((await emails(second)).items).toHaveLength(1);
  await second.stop();
});
