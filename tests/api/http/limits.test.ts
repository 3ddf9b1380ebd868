import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { requestBodies } from '../../../engine/src/api/http/body.ts';
import { markSignedIn } from '../../../engine/src/api/connections.ts';
import { errorResponses } from '../../../engine/src/api/http/error-response.ts';
import { LIMITS, listenOn } from '../../../engine/src/api/listen.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { type Desk, openDesk, TOKEN } from '../harness.ts';

const MB = 1024 * 1024;
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const sockets: Socket[] = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

interface Line {
  readonly socket: Socket;
  /** The status of the first answer; 0 if the connection ended without one. */
  readonly status: Promise<number>;
  readonly closed: Promise<unknown>;
}

async function dial(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const first = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
  const status = Promise.race([first, closed.then(() => '')]).then((text) => Number(text.split(' ')[1] ?? 0));
  await once(socket, 'connect');
  return { socket, status, closed };
}

/** The head of a request with a JSON body of `length` bytes. */
function head(port: number, line: string, length: number, token?: string): string {
  const lines = [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Content-Type: application/json'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  return [...lines, `Content-Length: ${length}`, '', ''].join('\r\n');
}

/** Sends a head and the beginning of a body that never ends. */
async function sendPart(line: string, part: string, token?: string): Promise<Line> {
  const dialled = await dial(desk.port);
  await new Promise<void>((resolve) =>
    dialled.socket.write(head(desk.port, line, 10 * MB, token) + part, () => resolve()),
  );
  return dialled;
}

describe('a body', () => {
  test.each([
    ['GET /api/health', 200],
    ['POST /api/health', 405],
    ['POST /api/auth/logout', 204],
    ['GET /api/oauth2/google/callback', 400],
    ['POST /api/runs', 401],
    ['POST /', 404],
  ])('of %s without a token is not read: the answer comes before its end', async (line, status) => {
    const { status: answer } = await sendPart(line, '{"a":'.repeat(1000));
    expect(await answer).toBe(status);
  });

  test('that would fill the memory together with others is refused until they are gone', async () => {
    const part = 'x'.repeat(9 * MB);
    const open = await Promise.all(Array.from({ length: 12 }, () => sendPart('POST /api/runs', part, TOKEN)));
    const waiting = Symbol('no answer');
    const answers = () => Promise.all(open.map(({ status }) => Promise.race([status, pause(0, waiting)])));
    await expect.poll(async () => (await answers()).filter((answer) => answer === 503).length).toBeGreaterThan(3);
    expect((await answers()).filter((answer) => answer === waiting).length).toBeGreaterThan(3);
    for (const { socket } of open) socket.destroy();
    const body = { directorId: 'nobody', message: 'x'.repeat(9 * MB) };
    await expect.poll(async () => (await desk.post('/api/runs', body)).json.error.code).toBe('NOT_FOUND');
  });

  test('that breaks off is no error of the server', async () => {
    const status = Promise.withResolvers<number>();
    const own = new Koa();
    own.silent = true;
    own.use(async (ctx, next) => {
      await next();
      status.resolve(ctx.status);
    });
    own.use(errorResponses(silentLogger));
    own.use(requestBodies());
    const server = await listenOn({ port: 0 }, own, new AbortController());
    const { socket } = await dial(server.port);
    socket.end(head(server.port, 'POST /', 100) + '{"directorId":');
    expect(await status.promise).toBe(400);
    await server.close();
  });

  const nested = (levels: number) => `{"directorId":"boss","message":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const ask = (raw: string) => desk.ask('POST', '/api/runs', { raw, headers: { 'content-type': 'application/json' } });

  test('that nests deeper than 100 levels is refused', async () => {
    expect((await ask(nested(99))).json.error.message).toContain('"message" must be a string');
    expect((await ask(nested(100))).json.error).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'the body nests deeper than 100 levels',
    });
    const text = await ask(JSON.stringify({ directorId: 'nobody', message: `\\"${'[{'.repeat(5000)}` }));
    expect(text.json.error.code).toBe('NOT_FOUND');
  });

  test('of 10 MB of brackets is refused before it is parsed', async () => {
    const raw = Buffer.from(nested(4.9 * MB));
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const answer = await desk.ask('POST', '/api/runs', { raw, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.json.error.message]).toEqual([400, 'the body nests deeper than 100 levels']);
    expect(Math.max(0, ...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(1000);
  });
});

describe('connections', () => {
  const app = new Koa();
  app.silent = true;
  app.use((ctx) => {
    if (ctx.path === '/in') markSignedIn(ctx.req.socket);
    ctx.body = 'ok';
    if (ctx.path === '/body') return new Promise(() => {});
  });
  const open = (limits: Partial<typeof LIMITS>) =>
    listenOn({ port: 0 }, app, new AbortController(), { ...LIMITS, ...limits });
  const call = async (port: number, path: string) => {
    const line = await dial(port);
    line.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return line;
  };

  test('above the limit close the oldest one that never signed in', async () => {
    const server = await open({ maxConnections: 4 });
    const owner = await call(server.port, '/in');
    expect(await owner.status).toBe(200);
    const idle = [];
    for (let n = 0; n < 12; n++) idle.push(await dial(server.port));
    const late = await call(server.port, '/in');
    expect(await late.status).toBe(200);
    await Promise.all(idle.slice(0, 10).map(({ closed }) => closed));
    expect([owner, late, ...idle.slice(10)].map(({ socket }) => socket.destroyed)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    await server.close();
  });

  test('that never signed in have a limit of their own', async () => {
    const server = await open({ maxStrangers: 2 });
    const owners = [await call(server.port, '/in'), await call(server.port, '/in')];
    expect(await Promise.all(owners.map(({ status }) => status))).toEqual([200, 200]);
    const idle = [await dial(server.port), await dial(server.port), await dial(server.port)];
    await idle[0]?.closed;
    expect([...owners, ...idle].map(({ socket }) => socket.destroyed)).toEqual([false, false, true, false, false]);
    await server.close();
  });

  test('of signed-in clients only are not closed for a new one', async () => {
    const server = await open({ maxConnections: 2 });
    const owners = [await call(server.port, '/in'), await call(server.port, '/in')];
    expect(await Promise.all(owners.map(({ status }) => status))).toEqual([200, 200]);
    await (
      await dial(server.port)
    ).closed;
    expect(owners.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    await server.close();
  });

  test.each([
    ['no byte', ''],
    ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['half a body', 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n12'],
  ])('with %s are closed after their time', async (_name, sent) => {
    const server = await open({ headersMs: 200, requestMs: 200, checkMs: 50 });
    const line = await dial(server.port);
    line.socket.write(sent);
    await line.closed;
    await server.close();
  });

  test('with requests that follow without an answer to the first are served up to four', async () => {
    const server = await open({});
    const pipeline = async (count: number) => {
      const { socket, closed } = await dial(server.port);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const last = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 1) + last);
      await closed;
      return text.split('HTTP/1.1 200 OK').length - 1;
    };
    expect(await pipeline(4)).toBe(4);
    expect(await pipeline(5)).toBe(0);
    await server.close();
  });

  test('that ask for the page many times and read nothing do not fill the memory', async () => {
    const before = process.memoryUsage.rss();
    const text = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${desk.port}\r\n\r\n`.repeat(2000);
    for (let n = 0; n < 50; n++) {
      const { socket } = await dial(desk.port);
      socket.pause().write(text);
    }
    expect((await desk.get('/api/health')).status).toBe(200);
    expect((process.memoryUsage.rss() - before) / MB).toBeLessThan(300);
  });

  test('of the engine are few, and heads have little time', () => {
    const times = { headersMs: 10_000, requestMs: 60_000, checkMs: 1000 };
    expect(LIMITS).toEqual({ maxConnections: 512, maxStrangers: 64, maxPipelined: 4, ...times });
  });
});
