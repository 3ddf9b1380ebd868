import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES, roleOf } from '../../engine/src/api/routes/routes.ts';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { createLoginLimit } from '../../engine/src/api/auth/login-limit.ts';
import { type FakeProvider, type Forgery, startFakeProvider } from '../api/auth/fake-provider.ts';
import { beginSignIn, BEHIND_PROXY, cookiesOf, openLoginDesk, PROXIED, returnTo, USERS } from '../api/auth/sign-in.ts';
import { type Desk, letter, openDesk } from '../api/harness.ts';

/** Attacks on the sign-in and on the web side, through the public surface. Each test names its guard. */

let provider: FakeProvider;
let desk: Desk;
beforeAll(async () => {
  provider = await startFakeProvider();
  desk = await openLoginDesk(provider.url, { isUnlimited: true });
});
afterAll(async () => {
  await desk?.close();
  await provider?.close();
});

const as = (headers: Readonly<Record<string, string>>) => ({ headers, isSignedIn: false });
const keyIn = (location: unknown) => /^\/#key=([\w-]{43})/.exec(String(location))?.[1] ?? '';

/** A whole sign-in; the headers are those of the page afterwards. */
async function signIn(at: Desk = desk, email = 'jane@example.org', headers: Readonly<Record<string, string>> = {}) {
  const { authorizeUrl, cookie } = await beginSignIn(at, { headers });
  const claims = { email, sub: email };
  const answer = await returnTo(at, provider.consent(authorizeUrl, { claims }), cookie, headers);
  return {
    answer,
    headers: { ...headers, 'cookie': cookiesOf(answer), 'x-callsheet-key': keyIn(answer.headers['location']) },
  };
}

describe('a request that another site makes in the browser of a person (CSRF)', () => {
  test.each([
    ['its origin', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['its fetch metadata', { 'sec-fetch-site': 'cross-site' }],
    ['those of another subdomain', { 'sec-fetch-site': 'same-site' }],
  ])('is refused by %s, although it has cookie and key', async (_name, more) => {
    const { headers } = await signIn();
    const answer = await desk.ask('POST', '/api/fetcher/start', as({ ...headers, ...more }));
    expect([answer.status, answer.json.error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await desk.ask('POST', '/api/fetcher/start', as(headers))).status).toBe(200);
  });

  test('is refused without the key of the page, which no browser adds by itself', async () => {
    const { headers } = await signIn();
    const { cookie } = headers;
    const key = headers['x-callsheet-key'];
    expect((await desk.ask('POST', '/api/fetcher/start', as({ cookie }))).status).toBe(401);
    expect((await desk.ask('POST', `/api/fetcher/start?key=${key}`, as({ cookie }))).status).toBe(401);
  });

  test('signs nobody in as somebody else: the answer of the provider belongs to the browser that began', async () => {
    const attacker = await beginSignIn(desk);
    const back = provider.consent(attacker.authorizeUrl);
    // The victim follows the link of the attacker, with no cookie and with one of a sign-in of their own.
    const own = await beginSignIn(desk);
    for (const cookie of ['', own.cookie, `${own.cookie}x`, 'vx.signin=AAAA']) {
      const answer = await returnTo(desk, back, cookie);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'LOGIN_REFUSED']);
      expect(String(answer.headers['set-cookie'])).not.toContain('vx.session');
    }
  });
});

describe('a foreign name that resolves to the server (DNS rebinding)', () => {
  test.each([
    ['evil.example'],
    ['desk.example.org.evil.example'],
    ['desk.example.org:8443'],
    ['desk.example.org@evil'],
  ])('is refused: Host "%s"', async (host) => {
    const own = await openLoginDesk(provider.url, { access: BEHIND_PROXY });
    for (const path of ['/', '/api/health', '/api/runs', '/api/auth/google/initiate'])
      expect((await own.get(path, { headers: { ...PROXIED, host } })).status).toBe(403);
    await own.close();
  });

  test('is refused on a server of this machine, and so is the public name of another one', async () => {
    for (const host of ['evil.example', `evil.example:${desk.port}`, 'desk.example.org'])
      expect((await desk.get('/', { headers: { host } })).status).toBe(403);
  });
});

test('no answer can be framed by another site (clickjacking)', async () => {
  desk.drop('mail.eml', letter('frames'));
  await desk.fetch();
  const [mail] = (await desk.get('/api/emails')).json.items;
  const answers = await Promise.all([
    desk.get('/', as({})),
    desk.get('/api/runs'),
    desk.get('/api/nothing'),
    desk.get(`/api/emails/${mail?.id}/body.html`),
    desk.get('/api/auth/google/callback', as({ accept: 'text/html' })),
    desk.get('/api/oauth2/google/callback', as({ accept: 'text/html' })),
    desk.get('/?token=wrong', as({})),
    desk.get('/nothing', as({})),
    desk.get('/ui/main.ts', as({})),
    desk.get('/metrics'),
  ]);
  for (const { headers, status } of answers) {
    const policy = String(headers['content-security-policy']);
    // Mails are shown in a frame of the viewer, and nowhere else.
    expect([status, policy]).toEqual([status, expect.stringMatching(/frame-ancestors '(?:none|self)'/)]);
  }
});

describe('a path that leads out of its folder (path traversal)', () => {
  /** As the bytes say: clients tidy such paths up. */
  const raw = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(desk.port, '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('end', () => resolve(text)).on('error', reject);
      socket.end(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${desk.port}\r\nConnection: close\r\n\r\n`);
    });

  test.each([
    ['/ui/../package.json'],
    ['/ui/../engine/src/main.ts'],
    ['/ui/%2e%2e/engine/src/main.ts'],
    ['/ui/..%2fengine/src/main.ts'],
    ['/ui/@000000000000/../../engine/src/main.ts'],
    ['/ui//etc/passwd.ts'],
    ['/vendor/../package.json'],
    ['/vendor/%2e%2e/package.json'],
    ['/../../../../etc/passwd'],
    ['/ui/..\\engine\\src\\main.ts'],
  ])('%s is not served', async (path) => {
    const answer = await raw(path);
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|401|404)/);
    expect(answer).not.toMatch(/#!\/usr\/bin\/env node|"dependencies"|root:/);
  });
});

describe('a session that an attacker put into the browser before (session fixation)', () => {
  test('is not the one that the sign-in opens: id, cookie and key are new', async () => {
    const attacker = await signIn(desk, 'john@example.org');
    const { authorizeUrl, cookie } = await beginSignIn(desk);
    const back = provider.consent(authorizeUrl);
    const answer = await returnTo(desk, back, `${cookie}; ${attacker.headers.cookie}`);
    const after = { 'cookie': cookiesOf(answer), 'x-callsheet-key': keyIn(answer.headers['location']) };
    expect(after['x-callsheet-key']).not.toBe(attacker.headers['x-callsheet-key']);
    expect(after.cookie.split('.')[2]).not.toBe(attacker.headers.cookie.split('.')[2]);
    // The attacker knows the key of the planted session: it does not open the new one.
    const stolen = { ...after, 'x-callsheet-key': attacker.headers['x-callsheet-key'] };
    expect((await desk.get('/api/runs', as(stolen))).status).toBe(401);
    const { user } = (await desk.get('/api/auth/whoami', as(attacker.headers))).json;
    expect(user).toMatchObject({ role: 'viewer' });
  });

  test('does not become that of whoever opens the link with the token', async () => {
    const attacker = await signIn(desk, 'john@example.org');
    const answer = await desk.get(`/?token=${desk.services.sessions.token}`, as({ cookie: attacker.headers.cookie }));
    const cookie = cookiesOf(answer);
    const key = attacker.headers['x-callsheet-key'];
    expect(keyIn(answer.headers['location'])).not.toBe(key);
    expect((await desk.get('/api/runs', as({ cookie, 'x-callsheet-key': key }))).status).toBe(401);
  });
});

describe('a sign-in with many attempts (rate limit)', () => {
  let own: Desk;
  afterEach(() => own.close());

  test('is refused after 20 steps a minute for each client, and others go on', async () => {
    own = await openLoginDesk(provider.url, { access: BEHIND_PROXY });
    const from = (address: string) => ({ ...PROXIED, 'x-forwarded-for': `10.9.9.9, ${address}` });
    const address = '203.0.113.7';
    const first = { headers: from(address) };
    for (let n = 0; n < 20; n++) expect((await beginSignIn(own, first)).answer.status).toBe(200);
    const { answer } = await beginSignIn(own, first);
    expect([answer.status, answer.json.error.code]).toEqual([429, 'LOGIN_LIMIT']);
    expect((await own.get('/api/auth/google/callback?state=x&code=y', as(first.headers))).status).toBe(429);
    expect((await beginSignIn(own, { headers: from('198.51.100.1') })).answer.status).toBe(200);
    // What the client itself claims to be does not count: only the last entry is the proxy's.
    const forged = { ...PROXIED, 'x-forwarded-for': `8.8.8.8, ${address}` };
    expect((await beginSignIn(own, { headers: forged })).answer.status).toBe(429);
  });

  test('is counted by the connection where no proxy is trusted', async () => {
    own = await openLoginDesk(provider.url);
    const answers = [];
    for (let n = 0; n < 21; n++)
      answers.push((await beginSignIn(own, { headers: { 'x-forwarded-for': `8.8.8.${n}` } })).answer.status);
    expect(answers.at(-1)).toBe(429);
  });

  test('is open again after a minute', async () => {
    own = await openDesk();
    const clock = new SimulatedClock();
    const limit = createLoginLimit(clock);
    for (let n = 0; n < 20; n++) limit.take('a');
    expect(() => limit.take('a')).toThrow(expect.objectContaining({ code: 'LOGIN_LIMIT' }));
    clock.advance(60_000);
    expect(() => limit.take('a')).not.toThrow();
  });
});

describe('a sign-in that should lead to another site (open redirect)', () => {
  test.each([
    ['https://evil.example'],
    ['//evil.example'],
    ['/\\evil.example'],
    ['#/runs\nLocation: https://evil.example'],

    ['javascript:alert(1)'],
    ['#/x&key=y'],
  ])('%j leads to the first page of the viewer', async (place) => {
    const own = await openLoginDesk(provider.url);
    const { authorizeUrl, cookie } = await beginSignIn(own, { place });
    const answer = await returnTo(own, provider.consent(authorizeUrl), cookie);
    expect(answer.headers['location']).toMatch(/^\/#key=[\w-]{43}$/);
    await own.close();
  });

  test('the redirect to https leads to the public address only, whatever the request names', async () => {
    const own = await openLoginDesk(provider.url, { access: BEHIND_PROXY });
    for (const path of ['//evil.example/', 'http://evil.example/', '@evil.example/', '/\\evil.example']) {
      const { headers } = await own.get(path, as({ host: 'desk.example.org' }));
      const location = headers['location'];
      if (location !== undefined) expect(new URL(String(location)).origin).toBe('https://desk.example.org');
    }
    await own.close();
  });
});

describe('an answer of the provider that is forged', () => {
  test.each<[string, Forgery]>([
    ['is signed by somebody else', { hasForeignKey: true }],
    ['is for another client', { audience: 'another-client' }],
    ['is of another provider', { issuer: 'https://accounts.google.com' }],
    ['has the nonce of another sign-in', { nonce: 'another-nonce' }],
    ['is too old', { expiresAt: Math.floor(Date.now() / 1000) - 3600 }],
    ['has an address that is not verified', { claims: { email_verified: false } }],
    ['says nothing of the verification', { claims: { email_verified: undefined } }],
    ['says so as a text', { claims: { email_verified: 'true' } }],
  ])('and %s signs nobody in', async (_name, forgery) => {
    const own = await openLoginDesk(provider.url);
    const { authorizeUrl, cookie } = await beginSignIn(own);
    const answer = await returnTo(own, provider.consent(authorizeUrl, forgery), cookie);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'LOGIN_REFUSED']);
    expect(String(answer.headers['set-cookie'])).not.toContain('vx.session=v');
    await own.close();
  });

  test('the code goes with the verifier that only the server knows (PKCE)', async () => {
    const own = await openLoginDesk(provider.url);
    const { authorizeUrl, cookie } = await beginSignIn(own);
    await returnTo(own, provider.consent(authorizeUrl), cookie);
    const exchange = provider.exchanges.at(-1);
    expect(exchange?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(authorizeUrl + cookie).not.toContain(exchange?.get('code_verifier'));
    await own.close();
  });
});

describe('a role', () => {
  test('is asked for by every route: a viewer can change nothing, and an approver only answers', async () => {
    const may = { viewer: [] as string[], approver: [] as string[] };
    const { default: Router } = await import('@koa/router');
    for (const resource of ROUTES) {
      const router = new Router({ prefix: '/api' });
      resource.add(router, desk.services, new AbortController().signal);
      for (const layer of router.stack) {
        const [method] = layer.methods.filter((name) => name !== 'HEAD');
        const role = roleOf(resource, layer);
        if (method !== 'GET' && (role === 'viewer' || role === 'approver'))
          may[role].push(`${method} ${String(layer.path)}`);
      }
    }
    // These compute something from what a viewer may read, and store nothing.
    expect(may.viewer).toEqual([
      ...['POST /api/config/regex', 'POST /api/config/yaml', 'POST /api/config/try'],
      ...['POST /api/prompts/preview', 'POST /api/estimate'],
    ]);
    const talks =
      /approvals|sessions|notifications|runs\/:id\/message|chats\/:id\/(messages|cancel|participants\/:pid\/run)$/;
    expect(may.approver.filter((route) => !talks.test(route))).toEqual([]);
    const viewer = await signIn(desk, 'john@example.org');
    for (const [method, path] of [
      ['POST', '/api/runs'],
      ['PUT', '/api/settings'],
      ['PUT', '/api/directors/boss'],
      ['DELETE', '/api/emails/x'],
      ['POST', '/api/approvals/x'],
      ['POST', '/api/agents/x/sessions'],
      ['PUT', '/api/secrets/X'],
      ['POST', '/api/mcp/tools/run_start'],
      ['DELETE', '/api/browser-sessions'],
      ['GET', '/api/oauth2/google/initiate?accountId=inbox'],
      ['POST', '/api/v1/runs'],
    ] as const) {
      const answer = await desk.ask(method, path, { ...as(viewer.headers), body: {} });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });

  test('that was taken away is gone for a session that is open', async () => {
    const own = await openLoginDesk(provider.url);
    const { headers } = await signIn(own);
    writeFileSync(join(own.stage.root, 'config/settings.yaml'), USERS.replace(/.*Jane.*\n/, ''));
    await own.services.config.refresh();
    expect((await own.get('/api/runs', as(headers))).status).toBe(401);
    await own.close();
  });
});
