import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createKeepAliveFetch } from '../../../engine/src/model/http/keep-alive-fetch.ts';
import { type ChatServer, type Handler, startServer } from '../chat-server.ts';

/** Key and certificate of nobody, made for this test. */
const selfSigned = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'self-signed.pem'));

let close: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of close) await end();
  close = [];
});

async function open(handle: Handler, options?: Parameters<typeof createKeepAliveFetch>[0]) {
  const server: ChatServer = await startServer(handle);
  const thin = createKeepAliveFetch(options);
  close.push(async () => {
    thin.close();
    await server.close();
  });
  return { server, thin };
}

test('gives status, headers and text as the global fetch does', async () => {
  const { server, thin } = await open((_, response) => {
    response.writeHead(418, {
      'content-type': 'text/plain; charset=utf-8',
      'x-request-id': 'r1',
      'set-cookie': ['a=1', 'b=2'],
    });
    response.end('Grüße 🍵');
  });
  const of = async (fetch: typeof globalThis.fetch) => {
    const answer = await fetch(`${server.origin}/a?b=c`, { method: 'POST', body: 'ü', headers: { 'X-One': '1' } });
    const { status, ok, url, headers } = answer;
    const names = ['content-type', 'X-Request-Id', 'missing', 'set-cookie'];
    return { status, ok, url, headers: names.map((name) => headers.get(name)), text: await answer.text() };
  };
  expect(await of(thin.fetch)).toEqual(await of(fetch));
  expect(server.seen.map(({ path, body, headers }) => [path, body, headers['x-one'], headers.host])).toEqual([
    ['/a?b=c', 'ü', '1', new URL(server.origin).host],
    ['/a?b=c', 'ü', '1', new URL(server.origin).host],
  ]);
});

test('puts an answer of many pieces together, also where a letter is cut in two', async () => {
  const bytes = Buffer.from('tea 🍵 '.repeat(20_000));
  const { server, thin } = await open((_, response) => {
    for (let at = 0; at < bytes.length; at += 997) response.write(bytes.subarray(at, at + 997));
    response.end();
  });
  expect(await (await thin.fetch(server.origin)).text()).toBe(bytes.toString());
});

test('gives the answer as a stream to those who want one', async () => {
  const { server, thin } = await open((_, response) => response.end('data: 1\n\n'));
  const { body } = await thin.fetch(server.origin);
  const parts: string[] = [];
  for await (const part of body ?? []) parts.push(new TextDecoder().decode(part as Uint8Array));
  expect(parts.join('')).toBe('data: 1\n\n');
});

test('an abort before the request rejects with the reason, and nothing is sent', async () => {
  const { server, thin } = await open((_, response) => response.end());
  const reason = new Error('stopped');
  await expect(thin.fetch(server.origin, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.connections).toBe(0);
});

test('an abort on the way rejects with the reason and closes the connection', async () => {
  const { server, thin } = await open(() => undefined);
  const controller = new AbortController();
  const pending = thin.fetch(server.origin, { signal: controller.signal });
  pending.catch(() => undefined);
  await server.whenSeen(1);
  const closed = new Promise((resolve) => server.seen[0]?.socket.once('close', resolve));
  const reason = new Error('stopped');
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
  await closed;
});

test('an abort in the middle of the answer rejects its text', async () => {
  const { server, thin } = await open((_, response) => void response.write('begin'));
  const controller = new AbortController();
  const answer = await thin.fetch(server.origin, { signal: controller.signal });
  const text = answer.text();
  controller.abort(new Error('stopped'));
  await expect(text).rejects.toThrow();
});

test('an answer above the limit is not read to its end', async () => {
  const { server, thin } = await open((_, response) => void response.end('x'.repeat(2000)), { maxBytes: 1000 });
  await expect((await thin.fetch(server.origin)).text()).rejects.toMatchObject({ code: 'ERR_ANSWER_TOO_LONG' });
});

test('a listener on the signal goes when the request is over', async () => {
  const { server, thin } = await open((_, response) => response.end('x'));
  const { signal } = new AbortController();
  let listeners = 0;
  const counted = new Proxy(signal, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'addEventListener') listeners++;
      if (name === 'removeEventListener') listeners--;
      return value.bind(target);
    },
  });
  const answer = await thin.fetch(server.origin, { signal: counted });
  await answer.text();
  await new Promise(setImmediate);
  expect(listeners).toBe(0);
});

test('a certificate that nobody vouches for is refused', async () => {
  const server = createServer({ key: selfSigned, cert: selfSigned }, (_, response) => response.end('secret'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const thin = createKeepAliveFetch();
  await expect(thin.fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: expect.stringMatching(/SELF_SIGNED/),
  });
  thin.close();
  await new Promise((resolve) => server.close(resolve));
});

test('rejects where the server changes to another protocol', async () => {
  const { server, thin } = await open((_, response) =>
    response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end(),
  );
  await expect(thin.fetch(server.origin, { signal: AbortSignal.timeout(1000) })).rejects.toThrow('another protocol');
});
