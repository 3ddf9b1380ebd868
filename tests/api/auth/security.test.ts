import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenCheck } from '../../../engine/src/api/auth/token-check.ts';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { type Desk, openDesk, TOKEN } from '../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const cookieOf = (header: unknown) => String(header).split(';')[0] ?? '';
/** What a page sends after the sign-in: the cookie, and the key that the link left in its address. */
const signIn = async (at: Desk = desk, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await at.get(`/?token=${at.services.sessions.token}`, { isSignedIn: false, headers });
  const key = /^\/#key=([\w-]{43})$/.exec(String(answer.headers['location']))?.[1] ?? '';
  return { 'cookie': cookieOf(answer.headers['set-cookie']), 'x-callsheet-key': key };
};

describe('what the browser says of itself', () => {
  test.each([
    ['another name', { host: 'evil.example' }],
    ['another name with our port', { host: 'evil.example:PORT' }],
    ['our name with another port', { host: '127.0.0.1:1' }],
    ['our name without the port', { host: '127.0.0.1' }],
    ['a name that begins like ours', { host: 'localhost.evil.example:PORT' }],
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['the origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['our origin by https', { origin: 'https://127.0.0.1:PORT' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port of this machine', { 'sec-fetch-site': 'same-site' }],
    [
      'a frame of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ])('%s is refused, even with the token', async (_name, given) => {
    const headers = fill(given);
    const answer = await desk.get('/api/runs', { headers });
    expect(answer.status).toBe(403);
    expect(answer.json.error.code).toBe('FORBIDDEN');
  });

  test.each([
    ['no header but the name', {}],
    ['localhost', { host: 'localhost:PORT' }],
    ['the name in capitals', { host: 'LOCALHOST:PORT' }],
    ['the IPv6 name', { host: '[::1]:PORT' }],
    ['our origin', { 'origin': 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin' }],
    [
      'an address that was typed',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    [
      'a link on another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
  ])('%s is let in', async (_name, given) => {
    expect((await desk.get('/api/runs', { headers: fill(given) })).status).toBe(200);
  });

  test('a form of another site cannot post, whatever navigation it claims', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await desk.ask('POST', '/api/fetcher/stop', { headers })).status).toBe(403);
  });

  test('pages are refused to other names as well, against DNS rebinding', async () => {
    expect((await desk.get('/', { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  const fill = (headers: object) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value).replace('PORT', String(desk.port))]),
    );
});

describe('who may ask', () => {
  test.each([
    ['nothing', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['the beginning of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['a cookie that was not signed here', { cookie: 'vx.session=v2.aaaa.zzzzzzzz.zzzzzzzzz.bbbb' }],
    ['half a cookie', { cookie: 'vx.session=v2' }],
    ['a cookie without a time', { cookie: 'vx.session=v2.a...b' }],
  ])('with %s the API says 401', async (_name, headers) => {
    const answer = await desk.get('/api/runs', { headers, isSignedIn: false });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      error: { code: 'UNAUTHORIZED', message: expect.any(String), hint: expect.any(String) },
    });
  });

  test('a wrong Bearer is not saved by a good cookie', async () => {
    const headers = { ...(await signIn()), authorization: 'Bearer wrong' };
    expect((await desk.get('/api/runs', { headers, isSignedIn: false })).status).toBe(401);
  });

  test.each([['/api/health'], ['/api/v1/health'], ['/'], ['/ui/main.ts']])('%s needs no session', async (path) => {
    expect((await desk.get(path, { isSignedIn: false })).status).toBe(200);
  });

  test.each([
    ['/api/health/../runs'],
    ['/api//runs'],
    ['/api/v1/runs'],
    ['/api/stream'],
    ['/api/nothing'],
    ['/api/runs/'],
  ])('%s is not let in by a trick of the path', async (path) => {
    expect((await desk.get(path, { isSignedIn: false })).status).toBe(401);
  });

  test.each([
    ['/API/runs'],
    ['/Api/Runs'],
    ['/%61pi/runs'],
    ['//api/runs'],
    ['/api/V1/runs'],
    ['/API/emails?expand=runs'],
  ])('%s is no other way in', async (path) => {
    const answer = await desk.get(path, { isSignedIn: false });
    expect(answer.json.items).toBeUndefined();
    expect([401, 404]).toContain(answer.status);
  });

  test('the token in the link sets a cookie and leaves the address', async () => {
    const answer = await desk.get(`/?token=${TOKEN}`, { isSignedIn: false });
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/#key=[\w-]{43}$/);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^vx\.session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect(String(answer.headers['set-cookie'])).not.toContain(TOKEN);
    expect(
      (await desk.get('/api/auth/whoami', { headers: await signIn(), isSignedIn: false })).json.user,
    ).toMatchObject({
      id: 'local',
    });
  });

  test.each([
    ['without a key', () => ({ 'x-callsheet-key': '' })],
    ['with the key of another session', async () => ({ 'x-callsheet-key': (await signIn())['x-callsheet-key'] })],
    ['with a key that is too short', () => ({ 'x-callsheet-key': 'a' })],
  ])('a cookie %s is not enough', async (_name, more) => {
    const headers = { ...(await signIn()), ...(await more()) };
    for (const path of ['/api/runs', '/api/auth/whoami', '/api/stream'])
      expect((await desk.get(path, { headers, isSignedIn: false })).status).toBe(401);
  });

  test('a key without its cookie is not enough', async () => {
    const { 'x-callsheet-key': key } = await signIn();
    const headers = { 'x-callsheet-key': key };
    expect((await desk.get('/api/runs', { headers, isSignedIn: false })).status).toBe(401);
  });

  test('a key in the address lets a browser read, and changes nothing', async () => {
    const { cookie, 'x-callsheet-key': key } = await signIn();
    const ask = { headers: { cookie }, isSignedIn: false };
    expect((await desk.get(`/api/runs?key=${key}`, ask)).status).toBe(200);
    expect((await desk.get(`/api/runs?key=${key}&key=${key}`, ask)).status).toBe(401);
    expect((await desk.ask('POST', `/api/fetcher/stop?key=${key}`, ask)).status).toBe(401);
    expect((await desk.ask('DELETE', `/api/browser-sessions?key=${key}`, ask)).status).toBe(401);
  });

  test('signing in again goes on with the session, so that other tabs stay signed in', async () => {
    const first = await signIn();
    const second = await signIn(desk, first);
    expect(second['x-callsheet-key']).toBe(first['x-callsheet-key']);
    expect((await desk.get('/api/runs', { headers: first, isSignedIn: false })).status).toBe(200);
    expect((await signIn())['x-callsheet-key']).not.toBe(first['x-callsheet-key']);
  });

  test('a wrong token is answered late, and the right one at once meanwhile', async () => {
    const clock = new SimulatedClock();
    const isToken = createTokenCheck('right', clock);
    let answered = 0;
    for (let n = 0; n < 50; n++) void isToken(`wrong-${n}`).then((isRight) => !isRight && answered++);
    expect(await isToken('right')).toBe(true);
    await setImmediate();
    // What does not fit in is answered at once: nothing piles up.
    expect(answered).toBe(18);
    clock.advance(499);
    await setImmediate();
    expect(answered).toBe(18);
    clock.advance(1);
    await setImmediate();
    expect(answered).toBe(50);
  });

  test('a wrong token takes half a second, in a request and in the link', async () => {
    const began = performance.now();
    const headers = { authorization: 'Bearer wrong' };
    expect((await desk.get('/api/runs', { headers })).status).toBe(401);
    expect(performance.now() - began).toBeGreaterThan(490);
    const link = performance.now();
    expect((await desk.get('/?token=wrong', { isSignedIn: false })).status).toBe(401);
    expect(performance.now() - link).toBeGreaterThan(490);
  });

  test('a wrong token in the link sets no cookie', async () => {
    const answer = await desk.get('/?token=wrong', { isSignedIn: false });
    expect(answer.status).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('whoami without a session says 401, in the shape of every error', async () => {
    const answer = await desk.get('/api/auth/whoami', { isSignedIn: false });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('logging out ends the session for good, also for one who kept the cookie', async () => {
    const headers = await signIn();
    const out = await desk.ask('POST', '/api/auth/logout', { headers, isSignedIn: false });
    expect(out.status).toBe(204);
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await desk.get('/api/runs', { headers, isSignedIn: false })).status).toBe(401);
  });

  test('a tampered cookie is refused', async () => {
    const { cookie, ...key } = await signIn();
    for (const part of [/(v2\.[^.]+\.)[^.]+/, /(v2\.[^.]+\.[^.]+\.)[^.]+/]) {
      const later = cookie.replace(part, '$1zzzzzzzzz');
      expect(later).not.toBe(cookie);
      expect((await desk.get('/api/runs', { headers: { ...key, cookie: later }, isSignedIn: false })).status).toBe(401);
    }
  });

  test('a cookie survives a restart and the token does not', async () => {
    const own = await openDesk();
    const headers = await signIn(own);
    await own.restart('another-token-0123456789');
    expect((await own.get('/api/runs', { headers, isSignedIn: false })).status).toBe(200);
    expect((await own.get('/api/runs', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401);
    // An old link with an open session goes on to the page.
    expect((await own.get(`/?token=${TOKEN}`, { headers, isSignedIn: false })).status).toBe(303);
    await own.close();
  });

  test('a session that was ended stays ended after a restart', async () => {
    const own = await openDesk();
    const headers = await signIn(own);
    await own.ask('POST', '/api/auth/logout', { headers, isSignedIn: false });
    await own.restart('another-token-0123456789');
    expect((await own.get('/api/runs', { headers, isSignedIn: false })).status).toBe(401);
    await own.close();
  });

  test.skipIf(process.platform === 'win32')(
    'the signing key is readable by its owner only (left out on Windows, which has no such modes)',
    () => {
      const file = join(desk.services.dataDir, 'session.key');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    },
  );
});

test('no answer of the API may be kept, framed or guessed at', async () => {
  const { headers } = await desk.get('/api/runs');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
});
