import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { Fields, Logger } from '../../../engine/src/base/log.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import type { ToolList } from '../../../engine/src/tool/mcp/remote-tools.ts';
import { readResult } from '../../../engine/src/tool/mcp/result.ts';
import { ServerLink } from '../../../engine/src/tool/mcp/server-link.ts';
import { StdioTransport } from '../../../engine/src/tool/mcp/stdio-transport.ts';
import { root } from '../../available.ts';

const ODD = join(root, 'tests/tool/mcp/odd-server.ts');
const EVERYTHING = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

let links: ServerLink[];
let lines: string[];
let lists: ToolList[];
let starts: number;
let log: Logger;
let warnings: (Fields & { message: string })[];

beforeEach(() => {
  [links, lines, lists, starts, warnings] = [[], [], [], 0, []];
  log = { ...silentLogger, warn: (message, fields = {}) => void warnings.push({ message, ...fields }) };
});
afterEach(() => Promise.all(links.map((link) => link.close())));

function openLink(args: readonly string[], env: Readonly<Record<string, string>> = {}): ServerLink {
  const open = async (): Promise<Transport> => {
    starts++;
    const onLine = (line: string) => void lines.push(line);
    const program = { command: process.execPath, args, env, cwd: tmpdir(), onLine };
    return new StdioTransport(program, { ReadBuffer, serializeMessage });
  };
  const link = new ServerLink({
    ...{ id: 'odd', server: 'odd', clock: systemClock, log, version: '1.0.0', open, isHttp: false },
    onTools: (list) => void lists.push(list),
  });
  links.push(link);
  link.start();
  return link;
}

const CALL = { signal: undefined, timeoutMs: 5000, isWrite: false };

const codeOf = (error: unknown) => (error instanceof EngineError ? error.code : error);

test('a server of npm lists its tools, and answers calls with text, images, resources and structured data', async () => {
  const link = openLink([EVERYTHING, 'stdio'], { PATH: process.env['PATH'] ?? '' });
  const call = async (name: string, args: object = {}) => readResult(await link.call(name, { ...args }, CALL));
  expect(await call('echo', { message: 'hi' })).toEqual({ text: 'Echo: hi' });
  expect(await call('get-structured-content', { location: 'New York' })).toEqual({ structured: expect.any(Object) });
  expect(await call('get-tiny-image')).toMatchObject({
    content: expect.arrayContaining([
      expect.objectContaining({ type: 'image', note: expect.stringContaining('not shown') }),
    ]),
  });
  const names = lists[0]?.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum']));
  expect(link.status).toMatchObject({ state: 'ready', tools: names?.length });
});

describe('a server that misbehaves', () => {
  test('and hangs gives an error in time, learns that nobody waits, and goes on', async () => {
    const link = openLink([ODD]);
    await link.tried;
    const late = await link.call('hang', {}, { ...CALL, timeoutMs: 100 }).catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'TOOL_FAILED', message: expect.stringContaining('within 0.1 s') });
    await expect.poll(() => lines.join()).toContain('cancelled');
    expect(await link.call('echo', { text: 'on' }, CALL)).toMatchObject({ content: [{ text: 'on' }] });
    expect(starts).toBe(1);
  });

  test('and hangs for good is restarted', async () => {
    const link = openLink([ODD, 'deaf']);
    await link.tried;
    await link.call('hang', {}, { ...CALL, timeoutMs: 50 }).catch(() => {});
    await expect.poll(() => starts).toBe(2);
    expect(await link.call('echo', { text: 'again' }, CALL)).toMatchObject({ content: [{ text: 'again' }] });
  });

  test('and hangs leaves the outcome of a write unknown', async () => {
    const link = openLink([ODD]);
    await link.tried;
    const call = link.call('hang', {}, { ...CALL, timeoutMs: 100, isWrite: true });
    expect(codeOf(await call.catch((error: unknown) => error))).toBe('TOOL_OUTCOME_UNKNOWN');
  });

  test('and dies in a call gives an error, and is restarted for the next call', async () => {
    const link = openLink([ODD]);
    expect(codeOf(await link.call('die', {}, CALL).catch((error: unknown) => error))).toBe('TOOL_FAILED');
    expect(await link.call('echo', { text: 'up' }, CALL)).toMatchObject({ content: [{ text: 'up' }] });
    expect(starts).toBe(2);
  });

  test('and floods is ended, and restarted for the next call', async () => {
    const link = openLink([ODD]);
    const error = await link.call('flood', {}, { ...CALL, timeoutMs: 15_000 }).catch((cause: unknown) => cause);
    expect(codeOf(error)).toBe('TOOL_FAILED');
    expect(await link.call('echo', { text: 'calm' }, CALL)).toMatchObject({ content: [{ text: 'calm' }] });
  });

  test('and cannot be started fails each call at once, with the reason', async () => {
    const link = openLink(['--no-such-option']);
    await link.tried;
    const error = await link.call('echo', {}, CALL).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'TOOL_FAILED', message: expect.stringContaining('"odd" is not available') });
    expect(link.status).toMatchObject({ state: 'waiting', error: expect.any(String), retryAt: expect.any(String) });
    expect(warnings[0]?.message).toBe('an MCP server is not available');
  });

  test('and never answers does not hold a call longer than its limit', async () => {
    const link = openLink([ODD, 'mute']);
    const error = await link.call('echo', {}, { ...CALL, timeoutMs: 200 }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'TOOL_FAILED', message: expect.stringContaining('not available') });
  });
});

test('a server that cannot be reached is tried again after 1, 2, 4 … seconds, and at once for a call', async () => {
  const clock = new SimulatedClock();
  let attempts = 0;
  const link = new ServerLink({
    ...{ id: 'odd', server: 'odd', clock, log, version: '1.0.0', isHttp: false, onTools: () => {} },
    open: async () => {
      attempts++;
      throw new Error('nobody is there');
    },
  });
  links.push(link);
  link.start();
  for (const [n, seconds] of [1, 2, 4, 8].entries()) {
    await expect.poll(() => [attempts, link.status.state]).toEqual([n + 1, 'waiting']);
    expect(warnings[n]).toMatchObject({ retryInSeconds: seconds, why: 'nobody is there' });
    clock.advance(seconds * 1000 - 1);
    expect(attempts).toBe(n + 1);
    clock.advance(1);
  }
  await expect.poll(() => [attempts, link.status.state]).toEqual([5, 'waiting']);
  await expect(link.call('echo', {}, CALL)).rejects.toThrow('nobody is there');
  expect(attempts).toBe(6);
});

test('an abort ends the call at once, and the server learns of it', async () => {
  const link = openLink([ODD]);
  const stop = new AbortController();
  const call = link.call('hang', {}, { ...CALL, signal: stop.signal }).catch((error: unknown) => error);
  await expect.poll(() => lines.join()).toContain('hangs');
  stop.abort(new EngineError('RUN_CANCELLED', 'cancelled'));
  expect(codeOf(await call)).toBe('RUN_CANCELLED');
  await expect.poll(() => lines.join()).toContain('cancelled');
});

test('a changed list of tools is read again', async () => {
  const link = openLink([ODD]);
  await link.call('grow', {}, CALL);
  await expect.poll(() => lists.length).toBe(2);
  expect(lists[1]?.tools.at(-1)?.name).toBe('grown');
  expect(lists[1]?.hash).not.toBe(lists[0]?.hash);
});

test('an error of the server is an error that a model reads', async () => {
  const link = openLink([ODD]);
  const failed = await link.call('fail', {}, CALL);
  expect(() => readResult(failed)).toThrow('no such ticket');
  const unknown = await link.call('nothing', {}, CALL).catch((error: unknown) => error);
  expect(unknown).toMatchObject({ code: 'TOOL_ARGUMENTS', message: expect.stringContaining('no tool nothing') });
});

test('the process gets the named variables and no others', async () => {
  const link = openLink([ODD], { TOKEN: 'the-token' });
  const { content } = await link.call('env', {}, CALL);
  const { env } = JSON.parse(content[0]?.type === 'text' ? content[0].text : '') as { env: object };
  expect(Object.keys(env).filter((name) => name !== '__CF_USER_TEXT_ENCODING')).toEqual(['TOKEN']);
  expect(lines).toContain('started  with the-token');
});

describe('the process of a server', () => {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const pidOf = async (link: ServerLink) => {
    const { content } = await link.call('env', {}, CALL);
    return (JSON.parse(content[0]?.type === 'text' ? content[0].text : '') as { pid: number }).pid;
  };

  test.each(['', 'stubborn'])('ends with its link (%s)', async (mode) => {
    const link = openLink([ODD, mode]);
    const pid = await pidOf(link);
    await link.close();
    expect(isAlive(pid)).toBe(false);
    expect(link.status.state).toBe('stopped');
  });

  test('ends while it is being started', async () => {
    const link = openLink([ODD, 'mute']);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await link.close();
    expect(starts).toBe(1);
  });
});
