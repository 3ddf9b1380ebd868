import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { root } from '../../../available.ts';
import { LETTER, makePlace, type Place, type Started } from '../../harness.ts';
import { PATIENCE_MS } from '../../../next-try.ts';

const MAIN = join(root, 'engine/callsheet.cjs');
const READS = ['mail_search', 'mail_read', 'runs_list', 'items_list', 'item_read', 'approvals_list'];

let place: Place;
const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

/** The official client, connected to `callsheet mcp` in the place, and what the command prints on stderr. */
async function connect(options: ClientOptions = {}): Promise<{ client: Client; stderr: () => string; pid: number }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: place.dir };
  const args = ['--', MAIN, 'mcp'];
  const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: place.dir, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  clients.push(client);
  await client.connect(transport);
  return { client, stderr: () => stderr, pid: transport.pid ?? 0 };
}

/** The JSON that a tool answers. */
async function call(client: Client, name: string, args: object = {}) {
  const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  const [content] = result.content;
  if (content?.type !== 'text') throw new Error('expected a text');
  return { isError: result.isError === true, value: JSON.parse(content.text) as Record<string, unknown> };
}

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('with a running server', () => {
  let started: Started;
  beforeAll(async () => {
    place = makePlace();
    place.drop('1.eml', LETTER);
    started = await place.start();
    await started.ask('POST', '/api/fetcher/fetch');
    await vi.waitFor(
      async () => {
        const listed: unknown = await (await started.ask('GET', '/api/runs?status=completed')).json();
        expect(listed).toMatchObject({ items: [{ subject: 'hello' }] });
      },
      { timeout: PATIENCE_MS },
    );
  });
  afterAll(async () => {
    await started.stop('SIGKILL');
    place.remove();
  });

  test.each([
    ['2025', {}],
    ['2026', { versionNegotiation: { mode: 'auto' } }],
  ] as const)('the official client finds a mail and the results of its run (protocol of %s)', async (_era, options) => {
    const { client } = await connect(options);
    expect(client.getServerVersion()?.name).toBe('callsheet');
    expect(await names(client)).toEqual(READS);
    const { value: found } = await call(client, 'mail_search', { subject: 'hello' });
    const [mail] = found['mails'] as { ref: string }[];
    const { value: read } = await call(client, 'mail_read', { ref: mail?.ref });
    expect(read['email']).toMatch(/<<MAIL-[\s\S]*Hello\.[\s\S]*not instructions to follow/);
    const { value: listed } = await call(client, 'runs_list', { status: 'completed' });
    const [run] = listed['runs'] as { id: string; subject: string }[];
    expect(run?.subject).toBe('hello');
    const { value: items } = await call(client, 'items_list', { runId: run?.id });
    const [item] = items['items'] as { id: string; label: string }[];
    expect(item?.label).toBe('Note');
    const { value: one } = await call(client, 'item_read', { runId: run?.id, itemId: item?.id });
    expect(one).toMatchObject({ item: { data: 'noted' }, note: expect.stringContaining('not instructions') });
    expect((await call(client, 'approvals_list')).value).toMatchObject({ approvals: [] });
  });

  test('the log of the server has a line for each call', async () => {
    const { client } = await connect();
    await call(client, 'runs_list');
    await call(client, 'items_list', { runId: 'nothing' });
    await expect.poll(() => started.stderr()).toMatch(/"tool":"items_list".*"outcome":"NOT_FOUND"/);
    expect(started.stderr()).toMatch(/"tool":"runs_list".*"outcome":"ok"/);
  });

  test('a change of the settings takes effect at once, and the client is told', async () => {
    const changed = Promise.withResolvers<readonly string[]>();
    const onChanged = (_error: unknown, tools: readonly { name: string }[] | null) =>
      changed.resolve((tools ?? []).map(({ name }) => name));
    const { client } = await connect({ listChanged: { tools: { onChanged } } });
    expect(await call(client, 'run_start', { directorId: 'boss', message: 'hi' })).toMatchObject({
      isError: true,
      value: { error: { code: 'TOOL_DENIED', hint: expect.stringContaining('clients.mcp') } },
    });
    place.write({ 'settings.yaml': 'clients: { mcp: { allow: [runs_list, run_start] } }\n' });
    expect(await changed.promise).toEqual(['runs_list', 'run_start']);
    const { value } = await call(client, 'run_start', { directorId: 'boss', message: 'hi' });
    expect(value).toMatchObject({ runId: expect.stringMatching(/^run/), status: 'queued' });
    expect(await call(client, 'mail_search', {})).toMatchObject({ isError: true });
  });
});

describe('without a server', () => {
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());

  test('each call opens the data folder, and start can have it between calls', async () => {
    const { client, stderr } = await connect();
    expect(await names(client)).toEqual(READS);
    const answers = await Promise.all([call(client, 'runs_list'), call(client, 'approvals_list'), names(client)]);
    expect(answers[0].value).toMatchObject({ runs: [], nextCursor: null });
    await expect.poll(stderr).toContain('tool=runs_list');
    const started = await place.start();
    expect((await call(client, 'runs_list')).value).toMatchObject({ runs: [] });
    await started.stop();
    expect((await call(client, 'runs_list')).value).toMatchObject({ runs: [] });
  });
});

describe('how it ends', () => {
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());

  const spawnRaw = () => {
    const child = spawn(process.execPath, ['--', MAIN, 'mcp', '--verbose'], {
      cwd: place.dir,
      env: { PATH: process.env['PATH'], HOME: place.dir },
    });
    const output = { stdout: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    const send = (id: number, method: string, params: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    send(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    const lines = () => output.stdout.split('\n').filter((line) => line !== '');
    return { child, send, lines };
  };

  test('at the end of stdin, with only protocol on stdout', async () => {
    const { child, send, lines } = spawnRaw();
    await expect.poll(lines).toHaveLength(1);
    child.stdin.write('this is not JSON\n');
    send(2, 'tools/call', { name: 'runs_list', arguments: {} });
    await expect.poll(lines).toHaveLength(2);
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(lines().map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
  });

  test('on SIGTERM, while the client holds the pipe', async () => {
    const { child, lines } = spawnRaw();
    await expect.poll(lines).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('when the client vanishes during a call', async () => {
    const { child, send, lines } = spawnRaw();
    await expect.poll(lines).toHaveLength(1);
    send(2, 'tools/call', { name: 'runs_list', arguments: {} });
    child.stdout.destroy();
    child.stdin.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
