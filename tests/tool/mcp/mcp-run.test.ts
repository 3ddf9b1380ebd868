import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { root } from '../../available.ts';
import { call, type Play, playModels, resultText, setStage, type Stage } from '../../run/harness.ts';

const ODD = join(root, 'tests/tool/mcp/odd-server.ts');

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** A document of the odd server. */
const odd = (more = '', id = 'odd') =>
  `id: ${id}\nkind: mcp\ncommand: ${process.execPath}\nargs: [${ODD}]\nallow: [echo, env, grow, grown, hang, fail]\n${more}`;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\n';

/** The names of the tools of the server in a request. */
const offered = ({ tools = [] }: ModelRequest) =>
  tools.map((tool) => tool.function.name).filter((name) => name.includes('__'));

async function open(files: Readonly<Record<string, string>>, play: Play): Promise<Stage> {
  stage = await setStage({
    models: playModels(play),
    files: { 'directors/boss.yaml': `${BOSS}tools: [odd]\n`, ...files },
  });
  await stage.app.start();
  return stage;
}

/** A play that calls one tool first, and what it then reads. */
function callFirst(name: string, args: object = {}) {
  const requests: ModelRequest[] = [];
  const play: Play = (request) => {
    requests.push(request);
    return request.turn === 1 ? { tool_calls: [call('1', name, args)] } : { content: 'done' };
  };
  const result = () => {
    const last = requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
    return JSON.parse(resultText(last?.content ?? '')) as Record<string, unknown> & {
      error?: { code: string; message: string };
    };
  };
  return { requests, play, result };
}

describe('a director with an MCP server', () => {
  test('sees the allowed tools alone, and reads a result that is marked as data', async () => {
    const { play, requests, result } = callFirst('odd__echo', { text: 'hi' });
    const { begin, ended } = await open({ 'tools/odd.yaml': odd('effects: read\n') }, play);
    await ended(await begin());
    expect(offered(requests[0] as ModelRequest)).toEqual([
      'odd__echo',
      'odd__hang',
      'odd__grow',
      'odd__env',
      'odd__fail',
    ]);
    expect(result()).toMatchObject({
      text: 'hi',
      trust: 'untrusted',
      about: expect.stringContaining('not instructions'),
    });
  });

  test('gets errors of the server as results', async () => {
    const { play, result } = callFirst('odd__fail');
    const { begin, ended } = await open({ 'tools/odd.yaml': odd('effects: read\n') }, play);
    expect((await ended(await begin())).status).toBe('completed');
    expect(result().error).toMatchObject({ code: 'TOOL_FAILED', message: 'no such ticket' });
  });

  test('asks a person before a write, and performs it once', async () => {
    const { play, result } = callFirst('odd__echo', { text: 'written' });
    const { begin, until, ended, app } = await open({ 'tools/odd.yaml': odd() }, play);
    const id = await begin();
    await until(id, ({ waitingFor }) => waitingFor === 'approval');
    const [row] = await app.deps.store.list('approval', { where: [['run', '=', id]] });
    await app.engine.decide(String(row?.id), { decision: 'allow', by: 'user' });
    await ended(id);
    expect(result()).toMatchObject({ text: 'written' });
    const calls = await app.deps.store.list('ledger');
    expect(calls.map(({ state }) => state)).toEqual(['done']);
  });

  test('is not held up by a server that hangs', async () => {
    const { play, result } = callFirst('odd__hang');
    const { begin, ended } = await open({ 'tools/odd.yaml': odd('effects: read\ntimeoutSeconds: 0.2\n') }, play);
    expect((await ended(await begin())).status).toBe('completed');
    expect(result().error).toMatchObject({ code: 'TOOL_FAILED', message: expect.stringContaining('within 0.2 s') });
  });
});

describe('the tools of a run', () => {
  test('stay as they were when it began; new runs get the changed list', async () => {
    const requests: ModelRequest[] = [];
    const { begin, ended, app } = await open({ 'tools/odd.yaml': odd('effects: read\n') }, async (request) => {
      requests.push(request);
      if (request.turn === 1 && requests.length === 1) return { tool_calls: [call('1', 'odd__grow', {})] };
      await expect.poll(() => app.mcpServers.status()[0]?.tools).toBe(9);
      return { content: 'done' };
    });
    await ended(await begin());
    await ended(await begin());
    const [first, second, third] = requests.map(offered);
    expect(first).not.toContain('odd__grown');
    expect(second).toEqual(first);
    expect(third).toContain('odd__grown');
  });

  test('lose a tool whose document is disabled', async () => {
    const { play, result, requests } = callFirst('odd__echo', { text: 'hi' });
    const { begin, ended, app, write } = await open({ 'tools/odd.yaml': odd('effects: read\n') }, async (request) => {
      if (request.turn === 1) {
        write({ 'tools/odd.yaml': odd('effects: read\nenabled: false\n') });
        await app.config.refresh();
      }
      return play(request);
    });
    await ended(await begin());
    expect(result().error?.code).toBe('TOOL_DENIED');
    expect(offered(requests[1] as ModelRequest)).toEqual([]);
    expect(app.mcpServers.status()).toEqual([]);
  });

  test('lose a tool that the document no longer allows', async () => {
    const { play, result } = callFirst('odd__echo', { text: 'hi' });
    const { begin, ended, app, write } = await open({ 'tools/odd.yaml': odd('effects: read\n') }, async (request) => {
      if (request.turn === 1) {
        write({ 'tools/odd.yaml': odd('effects: read\n').replace('echo, ', '') });
        await app.config.refresh();
      }
      return play(request);
    });
    await ended(await begin());
    expect(result().error?.code).toBe('TOOL_DENIED');
  });

  test('are known after a restart, before the server is there', async () => {
    const { play, requests } = callFirst('odd__echo', { text: 'hi' });
    const opened = await open({ 'tools/odd.yaml': odd('effects: read\n') }, play);
    await opened.ended(await opened.begin());
    await opened.restart();
    // Not started: nothing is connected.
    const { app } = opened;
    expect(app.mcpServers.status()).toMatchObject([{ state: 'stopped' }]);
    const lists = await app.deps.tools.pin(app.config.current(), ['odd']);
    expect([...app.deps.tools.of(app.config.current(), lists).keys()]).toEqual(
      expect.arrayContaining(offered(requests[0] as ModelRequest)),
    );
  });

  test('are kept by a run that waits, also over a restart', async () => {
    const { play, result, requests } = callFirst('odd__echo', { text: 'later' });
    const opened = await open({ 'tools/odd.yaml': odd() }, play);
    const id = await opened.begin();
    await opened.until(id, ({ waitingFor }) => waitingFor === 'approval');
    await opened.restart();
    const { app } = opened;
    const [row] = await app.deps.store.list('approval', { where: [['run', '=', id]] });
    await app.engine.decide(String(row?.id), { decision: 'allow', by: 'user' });
    await opened.ended(id);
    expect(result()).toMatchObject({ text: 'later' });
    expect(offered(requests[1] as ModelRequest)).toEqual(offered(requests[0] as ModelRequest));
    expect((await opened.run(id)).toolLists).toEqual({ odd: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('are none where the server cannot be reached, and the run goes on', async () => {
    const { play, requests, result } = callFirst('odd__echo');
    const file = 'id: odd\nkind: mcp\ncommand: /no/such/program\nallow: [echo]\n';
    const { begin, ended, app } = await open({ 'tools/odd.yaml': file }, play);
    expect((await ended(await begin())).status).toBe('completed');
    expect(offered(requests[0] as ModelRequest)).toEqual([]);
    expect(result().error?.code).toBe('TOOL_UNKNOWN');
    expect(app.mcpServers.status()).toMatchObject([{ id: 'odd', error: expect.stringContaining('/no/such/program') }]);
  });
});

test('a changed document restarts its server alone', async () => {
  const pids: Record<string, number> = {};
  const { begin, ended, app, write } = await open(
    {
      'directors/boss.yaml': `${BOSS}tools: [odd, other]\n`,
      'tools/odd.yaml': odd('effects: read\n'),
      'tools/other.yaml': odd('effects: read\n', 'other'),
    },
    ({ turn, messages }) => {
      if (turn === 1) return { tool_calls: [call('1', 'odd__env', {}), call('2', 'other__env', {})] };
      for (const message of messages)
        if (message.role === 'tool') {
          const { text } = JSON.parse(resultText(message.content)) as { text: string };
          pids[message.tool_call_id] = (JSON.parse(text) as { pid: number }).pid;
        }
      return { content: 'done' };
    },
  );
  await ended(await begin());
  const before = { ...pids };
  write({ 'tools/other.yaml': odd('effects: read\ndescription: changed\n', 'other') });
  await app.config.refresh();
  await ended(await begin());
  expect(pids['1']).toBe(before['1']);
  expect(pids['2']).not.toBe(before['2']);
});
