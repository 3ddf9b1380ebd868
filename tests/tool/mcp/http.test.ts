import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { createGuardedFetch } from '../../../engine/src/tool/mcp/guarded-fetch.ts';
import type { Tool, WorldTool } from '../../../engine/src/tool/tool.ts';
import { playModels, setStage, type Stage } from '../../run/harness.ts';
import { type HttpMcpServer, startHttpServer } from './http-server.ts';

const TOKEN = 'the-secret-token';
const CALLER = { runId: 'r', workspaceId: 'w', threadId: 't', origin: { director: { id: 'boss', name: 'Boss' } } };

let server: HttpMcpServer;
let stage: Stage;
beforeEach(async () => {
  server = await startHttpServer();
  stage = await setStage({
    models: playModels(() => ({ content: 'done' })),
    env: (name) => (name === 'ADDER_TOKEN' ? TOKEN : undefined),
    redactor: createRedactor(),
    files: {
      'tools/adder.yaml': documentOf(`allowHosts: ['${server.host}']\n`),
    },
  });
});
afterEach(async () => {
  await stage.close();
  await server.close();
});

function documentOf(more: string, url = server.url): string {
  return `id: adder\nkind: mcp\nurl: ${url}\nheaders: { Authorization: 'Bearer \${env:ADDER_TOKEN}' }\nallow: [add]\neffects: read\ntimeoutSeconds: 5\n${more}`;
}

/** The tool `add`, once the server has listed it. */
async function adder(): Promise<Tool | undefined> {
  const { app } = stage;
  const config = app.config.current();
  return app.deps.tools.of(config, await app.deps.tools.pin(config, ['adder'])).get('adder__add');
}

async function add(tool: Tool | undefined): Promise<unknown> {
  const world = tool as WorldTool;
  return world.run({ a: 2, b: 3 }, { caller: CALLER, key: 'k', signal: undefined });
}

async function change(text: string): Promise<void> {
  stage.write({ 'tools/adder.yaml': text });
  await stage.app.config.refresh();
}

describe('an MCP server over HTTP', () => {
  test('gets the headers of its document, with the values of references', async () => {
    expect(await add(await adder())).toMatchObject({ text: '5', trust: 'untrusted' });
    expect(server.requests.length).toBeGreaterThan(2);
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(stage.app.mcpServers.status()).toMatchObject([{ state: 'ready', name: 'adder 2', tools: 1 }]);
  });

  test('may speak only the protocol of 2026', async () => {
    const modern = await startHttpServer('reject');
    await change(documentOf(`allowHosts: ['${modern.host}']\n`, modern.url));
    expect(await add(await adder())).toMatchObject({ text: '5' });
    await modern.close();
  });

  test('on a loopback address that is not listed gets no request', async () => {
    await change(documentOf(''));
    expect(await adder()).toBeUndefined();
    expect(server.requests).toEqual([]);
    expect(stage.app.mcpServers.status()).toMatchObject([{ error: expect.stringContaining('not on the internet') }]);
  });

  test('cannot send a request on to another host', async () => {
    const other = await startHttpServer();
    const tool = await adder();
    server.intercept((_, response) => response.writeHead(307, { location: other.url }).end());
    await expect(add(tool)).rejects.toMatchObject({ code: 'TOOL_FAILED' });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test('that forgets its session is connected again, and the call goes through', async () => {
    const tool = await adder();
    let refused = 0;
    server.intercept((_, response) => {
      server.intercept(undefined);
      refused++;
      response.writeHead(404).end();
    });
    expect(await add(tool)).toMatchObject({ text: '5' });
    expect(refused).toBe(1);
  });

  test('that fails gives an error that a model reads', async () => {
    const tool = await adder();
    server.intercept((_, response) => response.writeHead(500).end('out of order'));
    await expect(add(tool)).rejects.toMatchObject({ code: 'TOOL_FAILED', hint: expect.stringContaining('later') });
  });

  test('that changes to another protocol gives an error at once', async () => {
    server.intercept((_, response) => response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end());
    const access = { allowHosts: [server.host], resolve: async () => [], headers: () => ({}) };
    const init = { method: 'POST', body: '{}' };
    await expect(createGuardedFetch(access)(server.url, init)).rejects.toThrow('another protocol');
  });

  test('that answers without an end is cut off', async () => {
    const tool = await adder();
    server.intercept((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = Buffer.alloc(1024 * 1024, ' ');
      const pour = () => {
        while (response.write(piece));
        response.once('drain', pour);
      };
      pour();
    });
    await expect(add(tool)).rejects.toMatchObject({ code: 'TOOL_FAILED' });
  });
});
