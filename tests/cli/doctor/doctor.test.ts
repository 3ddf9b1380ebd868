import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIds } from '../../../engine/src/base/id.ts';
import type { Check } from '../../../engine/src/cli/doctor/check.ts';
import { readSince } from '../../../engine/src/cli/commands/run/export.ts';
import { runCommand } from '../../../engine/src/cli/program.ts';
import { powerless } from '../../available.ts';
import { FILES, makePlace, type Place } from '../harness.ts';
import { fakeTerminal } from '../terminal/fake-terminal.ts';

const KEY = 'ab'.repeat(32);
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** In this process: a process each would take most of the time. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = fakeTerminal({ argv, cwd: place.dir, env });
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

interface Report {
  readonly code: number | null;
  readonly status: string;
  readonly checks: readonly Check[];
  readonly of: (check: string) => Check | undefined;
  readonly output: string;
}

async function doctor(
  args: readonly string[] = [],
  env: Record<string, string> = { VX_MAILAGENT_KEY: KEY },
): Promise<Report> {
  const { code, stdout, stderr } = await run(['doctor', '--json', ...args], env);
  const { status, checks } = JSON.parse(stdout) as { status: string; checks: Check[] };
  for (const { status: one, hint } of checks) expect(one === 'ok' || hint !== undefined).toBe(true);
  return { code, status, checks, of: (name) => checks.find(({ check }) => check === name), output: stdout + stderr };
}

const work = (env: Record<string, string> = { VX_MAILAGENT_KEY: KEY }) =>
  place.run(['run', 'boss', '--message', 'hi'], env);

/** Changes the database behind the back of everybody. */
function meddle(sql: string, ...values: string[]): void {
  const db = new DatabaseSync(join(place.dataDir, 'callsheet.db'));
  db.prepare(sql).run(...values);
  db.close();
}

describe('doctor', () => {
  test('finds nothing wrong with a folder in which all is well, and exits 0', async () => {
    await work();
    const { code, status, checks, of } = await doctor();
    expect([code, status, checks.filter((check) => check.status !== 'ok')]).toEqual([0, 'ok', []]);
    expect(of('store')?.message).toContain('intact');
    expect(of('encryption')?.message).toContain('encrypted');
    expect(of('machines')?.message).toMatch(/0 unfinished/);
    expect(of('api main')?.message).toContain('scripted');
  });

  test('works before there is a data folder, and makes none', async () => {
    const { of } = await doctor();
    expect(of('data folder')).toMatchObject({ status: 'ok', message: expect.stringContaining('does not exist yet') });
  });

  test('works beside a live server, and says where it is', async () => {
    const server = await place.start([], { VX_MAILAGENT_KEY: KEY });
    const { code, of } = await doctor();
    await server.stop();
    expect([code, of('process')?.message]).toEqual([0, expect.stringContaining(server.url)]);
  });

  test.skipIf(process.platform === 'win32')(
    'warns of a data folder that others can open, changes nothing, and is content after the next start (left out on Windows, which has no modes)',
    async () => {
      await work();
      expect((await doctor()).of('data folder access')?.status).toBe('ok');
      chmodSync(place.dataDir, 0o755);
      chmodSync(join(place.dataDir, 'callsheet.db'), 0o644);
      for (const _again of [1, 2])
        expect((await doctor()).of('data folder access')).toMatchObject({
          status: 'warn',
          message: expect.stringMatching(/can open the folder \(mode 0755\), callsheet\.db/),
          hint: expect.stringContaining(`chmod 700 ${place.dataDir}`),
        });
      await work();
      expect((await doctor()).of('data folder access')?.status).toBe('ok');
    },
  );

  test('warns of plain text, and exits 1', async () => {
    await work({});
    const { code, of } = await doctor([], {});
    expect([code, of('encryption')]).toEqual([1, expect.objectContaining({ status: 'warn' })]);
  });

  test('tells a wrong key and a missing one apart, and exits 2', async () => {
    await work();
    const wrong = await doctor([], { VX_MAILAGENT_KEY: 'cd'.repeat(32) });
    expect([wrong.code, wrong.of('store')?.message]).toEqual([2, expect.stringContaining('another key')]);
    const missing = await doctor([], {});
    expect([missing.code, missing.of('store')?.message]).toEqual([2, expect.stringContaining('no key')]);
  });

  test('names machines of another version and rows that cannot be read', async () => {
    await run(['run', 'shy', '--message', 'hi'], {});
    meddle(`UPDATE machine SET version = '999'`);
    const other = await doctor([], {});
    expect(other.of('machines')).toMatchObject({ status: 'fail', message: expect.stringMatching(/run_.*version 999/) });
    meddle(`UPDATE machine SET body = ?`, '{"broken');
    const broken = await doctor([], {});
    expect(broken.of('rows')).toMatchObject({ status: 'fail', message: expect.stringMatching(/machine run_/) });
    expect(broken.code).toBe(2);
  });

  test('names sealed rows that were changed', async () => {
    await work();
    meddle(`UPDATE message SET body = x'00112233445566778899aabbccddeeff00112233445566778899' WHERE seq = 1`);
    const { code, of } = await doctor();
    expect([code, of('rows')?.message]).toEqual([2, expect.stringMatching(/message th_\w+ 1/)]);
  });

  test('says that something was stored in the future', async () => {
    await work({});
    const later = createIds({ now: () => Date.now() + 86_400_000, delay: () => () => {} }).next('run');
    meddle(`UPDATE run SET id = ?`, later);
    const { of } = await doctor([], {});
    expect(of('clock')).toMatchObject({ status: 'warn', message: expect.stringContaining('was stored at') });
  });

  test('finds an account whose folder is gone, and a bad config', async () => {
    rmSync(join(place.dir, 'inbox'), { recursive: true });
    expect((await doctor()).of('account inbox')).toMatchObject({ status: 'warn' });
    mkdirSync(place.dataDir);
    place.write({ 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: nowhere\n' });
    const { code, of } = await doctor();
    expect(of('account inbox')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('inbox does not exist'),
    });
    expect(of('config')).toMatchObject({ status: 'fail' });
    expect(code).toBe(2);
  });

  test('says what waits and what is unfinished', async () => {
    await run(['run', 'shy', '--message', 'hi'], {});
    const { of } = await doctor([], {});
    expect(of('runs')?.message).toContain('1 waiting');
    expect(of('approvals')?.message).toContain('1 pending');
  });

  test.skipIf(powerless === undefined)(
    'says that a folder is read-only (left out where no user without rights can be had)',
    async () => {
      mkdirSync(place.dataDir);
      chmodSync(place.dataDir, 0o500);
      const { code, stdout } = await place.runPowerless(['doctor', '--json'], { VX_MAILAGENT_KEY: KEY });
      const { checks } = JSON.parse(stdout) as { checks: Check[] };
      expect([code, checks.find(({ check }) => check === 'data folder')]).toEqual([
        2,
        expect.objectContaining({ status: 'fail', message: expect.stringContaining('is not writable') }),
      ]);
      chmodSync(place.dataDir, 0o700);
    },
  );

  test('says that a file is no database', async () => {
    mkdirSync(place.dataDir, { recursive: true });
    writeFileSync(join(place.dataDir, 'callsheet.db'), 'no database, but some text that is long enough'.repeat(100));
    const { code, of } = await doctor();
    expect([code, of('store')?.status]).toEqual([2, 'fail']);
  });

  test('prints a line a check, with what to do below it', async () => {
    const { stdout } = await run(['doctor'], { NO_COLOR: '1' });
    expect(stdout).toMatch(/^✓ node +Node v/);
    expect(stdout).not.toContain('\x1b[');
  });
});

describe('doctor and models', () => {
  const api = (port: number, more: string) => ({
    'apis/main.yaml': `id: main\nprovider: openai\nmodel: m\nbaseUrl: http://127.0.0.1:${port}/v1\napiKey: \${env:MODEL_KEY}\n${more}`,
  });

  test('says which api stands in for one that has no key, and fails where none does', async () => {
    const main = 'id: main\nprovider: openai\nmodel: m\napiKey: ${env:NOT_SET}\n';
    place.write({
      'apis/main.yaml': `${main}fallback: [spare]\n`,
      'apis/spare.yaml': FILES['apis/main.yaml']!.replace('main', 'spare'),
    });
    expect((await doctor()).of('api main')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('spare'),
    });
    place.write({ 'apis/main.yaml': main });
    expect((await doctor()).of('api main')).toMatchObject({ status: 'fail' });
  });

  test.each([
    ['openai', 200, 'ok', 'its key is accepted', '/v1/models'],
    ['openai', 401, 'fail', 'refuses the key (401)', '/v1/models'],
    ['openai', 404, 'ok', 'cannot list models', '/v1/models'],
    ['openai', 500, 'warn', 'could not be tried: 127.0.0.1:', '/v1/models'],
    ['anthropic', 200, 'ok', 'its key is accepted', '/v1/models?limit=1'],
    ['anthropic', 403, 'fail', 'refuses the key (403)', '/v1/models?limit=1'],
  ])(
    'tries the key of %s without being asked, and says what an answer %i means',
    async (provider, code, status, text, url) => {
      const heard: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
      const server = createServer((request, answer) => {
        heard.push({ url: request.url, headers: request.headers });
        answer.statusCode = code;
        answer.end('{"error":{"message":"Incorrect API key provided: sk-secret-key-0123456789"}}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      place.write({
        'apis/main.yaml': `id: main\nprovider: ${provider}\nmodel: m\nbaseUrl: http://127.0.0.1:${port}/v1\napiKey: \${env:MODEL_KEY}\n`,
      });
      const { of, output } = await doctor([], { VX_MAILAGENT_KEY: KEY, MODEL_KEY: 'sk-secret-key-0123456789' });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(of('api main')).toMatchObject({ status, message: expect.stringContaining(text) });
      expect(heard.map((request) => request.url)).toEqual([url]);
      expect(heard[0]?.headers.authorization).toBe('Bearer sk-secret-key-0123456789');
      if (provider === 'anthropic') expect(heard[0]?.headers['anthropic-version']).toMatch(/^\d{4}-/);
      expect(output).not.toContain('sk-secret');
    },
  );

  test('does not wait long for a server that is silent', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    place.write(api(typeof address === 'object' ? (address?.port ?? 0) : 0, ''));
    const { of } = await doctor([], { VX_MAILAGENT_KEY: KEY, MODEL_KEY: 'sk-test-key' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(of('api main')).toMatchObject({ status: 'warn', message: expect.stringContaining('no answer within 5 s') });
  });

  test.each([
    ['calls the tool', true, '', 'ok', 'calls tools'],
    ['calls the tool by the Responses API', true, 'protocol: responses\n', 'ok', 'calls tools'],
    ['answers in words', false, '', 'fail', 'with text'],
  ])('with --ask asks once, and says whether the model %s', async (_name, calls, more, status, message) => {
    let asked = 0;
    const called = { name: 'note_word', arguments: '{"word":"ready"}' };
    const tool = { index: 0, id: 'c', type: 'function', function: called };
    const response = { status: 'completed', output: [{ type: 'function_call', call_id: 'c', ...called }] };
    const server = createServer((request, answer) => {
      request.resume();
      if (request.method !== 'POST') return void answer.end('{"data":[]}');
      asked++;
      const delta = calls ? { role: 'assistant', tool_calls: [tool] } : { role: 'assistant', content: 'ready' };
      const choice = { index: 0, delta, finish_reason: calls ? 'tool_calls' : 'stop' };
      const chunk = { id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [choice] };
      const event = request.url === '/v1/responses' ? { type: 'response.completed', response } : chunk;
      answer.setHeader('content-type', 'text/event-stream');
      answer.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    place.write(api(typeof address === 'object' ? (address?.port ?? 0) : 0, more));
    const env = { VX_MAILAGENT_KEY: KEY, MODEL_KEY: 'sk-test' };
    expect((await doctor([], env)).of('api main')?.status).toBe('ok');
    expect(asked).toBe(0);
    expect((await doctor(['--ask'], env)).of('api main')).toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
    expect(asked).toBe(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('runs show and export', () => {
  test('show what happened as a tree, without colours in a pipe', async () => {
    await work({});
    const { id } = (JSON.parse((await run(['runs', 'list', '--json'])).stdout) as { items: { id: string }[] })
      .items[0]!;
    const { code, stdout } = await run(['runs', 'show', id]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3}  run +Boss · hi  completed/);
    expect(stdout).toMatch(/  model  scripted · turn 1/);
    expect(stdout).toMatch(/  tool   workspace_add_item/);
    expect(stdout).not.toContain('\x1b[');
    const colored = await run(['runs', 'show', id], { FORCE_COLOR: '1' });
    expect(colored.stdout).toContain('\x1b[90m');
    const json = JSON.parse((await run(['runs', 'show', id, '--json'])).stdout) as { tree: { kind: string }[] };
    expect(json.tree).toMatchObject([{ kind: 'director', children: expect.any(Array) }]);
  });

  test('write each thing of a run as one JSON line', async () => {
    await work({});
    await work({});
    const lines = async (...args: string[]) =>
      (await run(['export', ...args])).stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { type: string; id?: string; messages?: unknown[]; payload?: unknown });
    const all = await lines();
    const count = (type: string) => all.filter((line) => line.type === type).length;
    expect(['run', 'thread', 'event', 'entry', 'item', 'toolset'].map(count)).toEqual([2, 2, 8, 6, 2, 1]);
    expect(all.find(({ type }) => type === 'thread')?.messages).toHaveLength(5);
    expect(all.find(({ type }) => type === 'event')?.payload).toMatchObject({ upTo: 2, toolset: expect.any(String) });
    const one = await lines('--run', String(all[0]?.id));
    expect(one.filter(({ type }) => type === 'run').map(({ id }) => id)).toEqual([all[0]?.id]);
    expect(await lines('--since', '1h')).toHaveLength(all.length);
    expect(await lines('--since', new Date(Date.now() + 86_400_000).toISOString())).toEqual([]);
    expect((await run(['export', '--run', 'nope'])).code).toBe(2);
    expect((await run(['export', '--since', 'yesterday'])).code).toBe(2);
  });

  test.each([
    ['2d', '2026-11-19T10:00:00.000Z'],
    ['90m', '2026-11-21T08:30:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ])('--since %s is %s', (text, at) => {
    expect(readSince(text, Date.parse('2026-11-21T10:00:00Z'))).toBe(at);
  });
});
