import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createContext } from '../../../../engine/src/cli/context.ts';
import { FILES, LETTER, makePlace, type Place, type Started } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

let place: Place;
let running: Started | undefined;
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  place.remove();
});

type Line = Readonly<Record<string, unknown>>;

async function start(env?: Readonly<Record<string, string>>): Promise<Started> {
  running = await place.start([], env);
  return running;
}

/** The log lines with this message, or of problems with this code, so far. */
function linesOf(started: Started, message: string): Line[] {
  const lines = started
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line['message'] === message || line['code'] === message);
}

const said = (started: Started, message: string, count = 1) =>
  expect.poll(() => linesOf(started, message).length).toBe(count);

describe('runs', () => {
  test('start logs the end of each run with subject, director, duration and cost', async () => {
    const started = await start();
    place.drop('a.eml', LETTER);
    await said(started, 'run completed');
    expect(linesOf(started, 'run completed')).toEqual([
      expect.objectContaining({
        level: 'info',
        subject: 'hello',
        director: 'boss',
        duration: expect.stringMatching(/^[\d.]+ m?s$/),
        cost: '$0.0000',
        run: expect.stringMatching(/^run_/),
      }),
    ]);
  });

  test('start logs a wait for a person, and the end after it', async () => {
    const started = await start();
    await started.ask('POST', '/api/runs', { directorId: 'shy', message: 'hi there' });
    await said(started, 'run waits for a person');
    expect(linesOf(started, 'run waits for a person')[0]).toMatchObject({
      ...{ subject: 'hi there', director: 'shy', duration: expect.any(String), cost: expect.any(String) },
      hint: expect.stringContaining('callsheet approvals list'),
    });
    const approvals = (await (await started.ask('GET', '/api/approvals')).json()) as { items: { id: string }[] };
    await started.ask('POST', `/api/approvals/${approvals.items[0]?.id}`, { decision: 'allow' });
    await said(started, 'run completed');
  });

  test('start logs why a run failed, and what to do', async () => {
    place.write({
      'apis/main.yaml':
        'id: main\nprovider: openai\nmodel: m\nbaseUrl: http://127.0.0.1:9/v1\napiKey: ${env:KEY}\nretry: { attempts: 1 }\n',
    });
    const started = await start({ KEY: 'sk-test-key-0123' });
    await started.ask('POST', '/api/runs', { directorId: 'boss', message: 'hi' });
    await said(started, 'run failed');
    expect(linesOf(started, 'run failed')[0]).toMatchObject({
      ...{ level: 'error', subject: 'hi', director: 'boss', cost: '$0.0000' },
      ...{ code: expect.stringMatching(/^MODEL_/), why: expect.stringContaining('127.0.0.1:9') },
    });
  });

  test('a subject cannot control the terminal', async () => {
    const child = place.runApart(['start', '--no-open', '--port', '0']);
    place.drop('a.eml', LETTER.replace('hello', 'pay\u202ednuf\u001b[2J\u0007'));
    const { pid } = await serverOf();
    await expect
      .poll(async () => (await place.run(['runs', 'list', '--json'])).stdout.includes('"completed"'))
      .toBe(true);
    process.kill(pid, 'SIGTERM');
    const { stderr } = await child;
    expect(stderr).toContain('pay\\u202ednuf\\u001b[2J\\u0007');
    expect(stderr).not.toMatch(/[\u202e\u001b\u0007]/);
  });
});

async function serverOf(): Promise<{ readonly pid: number }> {
  const { readFileSync, existsSync } = await import('node:fs');
  const file = join(place.dataDir, 'server.json');
  await expect.poll(() => existsSync(file)).toBe(true);
  return JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
}

describe('config', () => {
  test('start logs each accepted and each rejected change, with file, line and hint', async () => {
    const started = await start();
    place.write({ 'directors/boss.yaml': `${FILES['directors/boss.yaml']}description: new\n` });
    await said(started, 'config changed');
    expect(linesOf(started, 'config changed')[0]).toMatchObject({ changed: 'directors/boss', errors: 0 });

    const broken = `${FILES['directors/boss.yaml']}descripton: new\n`;
    place.write({ 'directors/boss.yaml': broken });
    const rejected = 'config change rejected: the last good version keeps running';
    await said(started, rejected);
    expect(linesOf(started, rejected)[0]).toMatchObject({
      level: 'warn',
      files: 'config/directors/boss.yaml',
      errors: 1,
    });
    expect(linesOf(started, 'CONFIG_UNKNOWN_KEY')[0]).toMatchObject({
      ...{ file: 'config/directors/boss.yaml', line: 5 },
      hint: expect.stringContaining('valid keys here'),
    });

    place.write({ 'directors/boss.yaml': `${broken}# saved again, still wrong\n` });
    await said(started, rejected, 2);
    await said(started, 'CONFIG_UNKNOWN_KEY', 2);

    place.write({ 'directors/boss.yaml': `${FILES['directors/boss.yaml']}description: new\n` });
    await said(started, 'config checked again: nothing else runs');
  });

  test('a broken filter pattern is reported while start runs', async () => {
    const started = await start();
    place.write({ 'filters/all.yaml': 'id: all\nfield: Subject\nregex: "(a"\ndirectorId: [boss]\n' });
    await said(started, 'CONFIG_REGEX');
    expect(linesOf(started, 'CONFIG_REGEX')[0]).toMatchObject({ file: 'config/filters/all.yaml', line: 3 });
  });
});

test('a secret without a value is a problem until somebody stores it', async () => {
  place.write({ 'apis/other.yaml': 'id: other\nprovider: openai\nmodel: m\napiKey: ${secret:OTHER_KEY}\n' });
  const started = await start();
  const codes = async () => {
    const { problems } = (await (await started.ask('GET', '/api/config')).json()) as { problems: { code: string }[] };
    return problems.map(({ code }) => code);
  };
  expect(await codes()).toEqual(['CONFIG_SECRET_UNSET']);
  await started.ask('PUT', '/api/secrets/OTHER_KEY', { value: 'sk-0123456789', plaintext: true });
  await expect.poll(codes).toEqual([]);
  await started.ask('DELETE', '/api/secrets/OTHER_KEY');
  await expect.poll(codes).toEqual(['CONFIG_SECRET_UNSET']);
});

describe('the env file', () => {
  const envFile = (text: string) => writeFileSync(join(place.dir, '.env'), text);
  const API = 'id: other\nprovider: openai\nmodel: m\napiKey: ${env:OTHER_KEY}\n';

  test('is read again when it changes, and the config is checked with the new values', async () => {
    place.write({ 'apis/other.yaml': API });
    const started = await start();
    const warnings = async () => {
      const { problems } = (await (await started.ask('GET', '/api/config')).json()) as { problems: { code: string }[] };
      return problems.map(({ code }) => code);
    };
    expect(await warnings()).toEqual(['CONFIG_ENV_UNSET']);
    envFile('OTHER_KEY=sk-0123456789\nCALLSHEET_TOKEN=another-token-0123456789abcdef\n');
    await said(started, 'the env file was read again');
    expect(linesOf(started, 'the env file was read again')[0]).toMatchObject({ variables: 'OTHER_KEY' });
    expect(linesOf(started, 'these variables of the env file take effect after a restart')[0]).toMatchObject({
      variables: 'CALLSHEET_TOKEN',
    });
    await expect.poll(warnings).toEqual([]);
    expect((await started.ask('GET', '/api/runs')).status).toBe(200);
    expect(started.stderr()).not.toContain('sk-0123456789');
    rmSync(join(place.dir, '.env'));
    await expect.poll(warnings).toEqual(['CONFIG_ENV_UNSET']);
  });

  test('gives new values, but not for fixed names and not over the environment', () => {
    envFile('A=1\nB=1\nC=1\n');
    const terminal = fakeTerminal({ cwd: place.dir, env: { B: 'outside' } });
    const { env, envFile: file } = createContext(terminal, {}, 'warn');
    envFile('A=2\nB=2\nC=2\nD=2\n');
    expect(file.reload((name) => name === 'C')).toEqual(['A', 'C', 'D']);
    expect(['A', 'B', 'C', 'D'].map(env)).toEqual(['2', 'outside', '1', '2']);
    expect(file.reload(() => false)).toEqual([]);
  });
});
