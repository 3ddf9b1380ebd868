import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoogleEmulator, startGoogle } from '../../account/oauth/google-emulator.ts';
import { nginx } from '../../available.ts';
import { type Nginx, startNginx } from '../../nginx.ts';
import { type Desk, letter, TOKEN } from '../harness.ts';
import { BEHIND_PROXY, openLoginDesk } from './sign-in.ts';

const leftOut = nginx === undefined ? ' (left out: no nginx on this machine; set NGINX to its path)' : '';
const HOST = 'desk.example.org';

type Headers = Readonly<Record<string, string>>;
interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

describe.skipIf(nginx === undefined)(`behind a real nginx${leftOut}`, () => {
  let google: GoogleEmulator;
  let desk: Desk;
  let proxy: Nginx;
  beforeAll(async () => {
    google = await startGoogle();
    desk = await openLoginDesk(google.url, { access: BEHIND_PROXY });
    proxy = await startNginx(desk.port);
  });
  afterAll(async () => {
    await proxy?.close();
    await desk?.close();
    await google?.close();
  });

  /** The answer as soon as its head is there. */
  const open = (method: string, path: string, headers: Headers = {}, isPlain = false) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const ask = isPlain ? httpRequest : httpsRequest;
      const port = isPlain ? proxy.httpPort : proxy.httpsPort;
      const options = { host: '127.0.0.1', port, method, path, agent: false, headers: { host: HOST, ...headers } };
      ask({ ...options, rejectUnauthorized: false }, resolve)
        .on('error', reject)
        .end();
    });
  const ask = async (...request: Parameters<typeof open>): Promise<Reply> => {
    const answer = await open(...request);
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += String(part);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  };
  const cookies = ({ headers }: Reply) => (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const signIn = async (): Promise<Headers> => {
    const begun = await ask('GET', '/api/auth/google/initiate');
    const back = await google.consent(
      (JSON.parse(begun.text) as { authorizeUrl: string }).authorizeUrl,
      'jane@example.org',
    );
    expect(back.origin).toBe(`https://${HOST}`);
    const done = await ask('GET', back.pathname + back.search, { cookie: cookies(begun) });
    const key = /#key=([\w-]+)/.exec(String(done.headers.location))?.[1] ?? '';
    return { 'cookie': cookies(done), 'x-callsheet-key': key, 'origin': `https://${HOST}` };
  };

  test('the viewer is served with HSTS, and plain HTTP leads to https', async () => {
    const page = await ask('GET', '/');
    expect([page.status, page.headers['strict-transport-security']]).toEqual([
      200,
      'max-age=31536000; includeSubDomains',
    ]);
    const plain = await ask('GET', '/?x=1', {}, true);
    expect([plain.status, plain.headers.location]).toEqual([308, `https://${HOST}/?x=1`]);
  });

  test('a person signs in, reads and changes, and programs use the token', async () => {
    const headers = await signIn();
    expect((await ask('GET', '/api/runs', headers)).status).toBe(200);
    expect((await ask('POST', '/api/fetcher/start', headers)).status).toBe(200);
    expect((await ask('POST', '/api/fetcher/start', { ...headers, origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask('GET', '/api/runs', { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await ask('GET', '/api/runs')).status).toBe(401);
  });

  test('another host is refused, and headers that a client forges are not believed', async () => {
    expect((await ask('GET', '/', { host: 'evil.example' })).status).toBe(403);
    const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '1.2.3.4' };
    const page = await ask('GET', '/', forged);
    expect([page.status, page.headers.location]).toEqual([200, undefined]);
  });

  test('server-sent events arrive as they happen, and go on by Last-Event-ID', async () => {
    const headers = await signIn();
    const stream = await open('GET', '/api/stream', headers);
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    await expect.poll(() => text).toContain('event: hello');
    desk.drop('mail.eml', letter('over the proxy'));
    await desk.fetch();
    await expect.poll(() => text).toContain('event: mail');
    stream.destroy();
    const id = /^id: (\d+)\nevent: hello/m.exec(text)?.[1] ?? '';
    const again = await open('GET', '/api/stream', { ...headers, 'last-event-id': id });
    let missed = '';
    again.setEncoding('utf8').on('data', (part: string) => (missed += part));
    await expect.poll(() => missed).toContain('event: mail');
    again.destroy();
  });
});
