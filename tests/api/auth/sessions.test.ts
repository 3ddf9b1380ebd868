import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSessions } from '../../../engine/src/api/auth/browser-sessions.ts';
import type { Sessions } from '../../../engine/src/api/api.ts';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { type Desk, openDesk, TOKEN } from '../harness.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

describe('the life of a session', () => {
  let clock: SimulatedClock;
  let sessions: Sessions;
  beforeEach(async () => {
    clock = new SimulatedClock();
    sessions = await openSessions({ dataDir: undefined, store: desk.services.deps.store, clock, token: TOKEN });
  });

  test('is three days after its last use', () => {
    const { cookie, key } = sessions.open();
    clock.advance(3 * DAY - 1);
    expect(sessions.find(cookie, key)).toBeDefined();
    clock.advance(1);
    expect(sessions.find(cookie, key)).toBeUndefined();
  });

  test('goes on with each use, with a new cookie at most once an hour', () => {
    const { cookie, key, id } = sessions.open();
    clock.advance(HOUR - 1);
    expect(sessions.find(cookie, key)).toMatchObject({ isRenewed: false, cookie });
    clock.advance(1);
    const renewed = sessions.find(cookie, key);
    expect(renewed).toMatchObject({ id, isRenewed: true, leftMs: 3 * DAY });
    clock.advance(3 * DAY - HOUR);
    expect([sessions.find(cookie, key), sessions.find(renewed?.cookie ?? '', key)]).toEqual([
      undefined,
      expect.objectContaining({ id }),
    ]);
  });

  test('is thirty days at most, however much it is used', () => {
    const { cookie, key } = sessions.open();
    let last = cookie;
    let days = 0;
    for (; sessions.find(last, key) !== undefined; days++) {
      last = sessions.find(last, key)?.cookie ?? '';
      clock.advance(DAY);
    }
    expect(days).toBe(30);
  });

  test('that was ended stays so with every cookie of it', async () => {
    const { cookie, key, ...session } = sessions.open();
    clock.advance(2 * HOUR);
    const renewed = sessions.find(cookie, key)?.cookie ?? '';
    await sessions.end(session);
    expect([sessions.find(cookie, key), sessions.find(renewed, key)]).toEqual([undefined, undefined]);
  });
});

describe('a live stream', () => {
  const listen = async (headers: Readonly<Record<string, string>>) => {
    const asked = request({ host: '127.0.0.1', port: desk.port, path: '/api/stream', headers, agent: false });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    let hasEnded = false;
    response.resume().on('end', () => (hasEnded = true));
    return { status: response.statusCode, hasEnded: () => hasEnded, close: () => asked.destroy() };
  };
  const open = async () => {
    const { cookie, key } = desk.services.sessions.open();
    const headers = { 'cookie': `vx.session=${cookie}`, 'x-callsheet-key': key };
    return { headers, stream: await listen(headers) };
  };

  test('ends when its session is ended, and those of others go on', async () => {
    const [mine, other] = [await open(), await open()];
    const bearer = await listen({ authorization: `Bearer ${TOKEN}` });
    expect([mine.stream.status, other.stream.status, bearer.status]).toEqual([200, 200, 200]);
    await desk.ask('POST', '/api/auth/logout', { headers: mine.headers, isSignedIn: false });
    await expect.poll(mine.stream.hasEnded).toBe(true);
    expect([other.stream.hasEnded(), bearer.hasEnded()]).toEqual([false, false]);
    expect((await desk.ask('DELETE', '/api/browser-sessions')).status).toBe(204);
    await expect.poll(other.stream.hasEnded).toBe(true);
    expect((await desk.get('/api/runs', { headers: other.headers, isSignedIn: false })).status).toBe(401);
    desk.services.deps.live.publish('mail', { id: 'x' });
    expect(bearer.hasEnded()).toBe(false);
    bearer.close();
  });
});

test('the end of all sessions outlives a restart, and a new sign-in works', async () => {
  const { cookie, key } = desk.services.sessions.open();
  const headers = { 'cookie': `vx.session=${cookie}`, 'x-callsheet-key': key };
  await desk.ask('DELETE', '/api/browser-sessions', { headers, isSignedIn: false });
  await desk.restart('another-token-0123456789');
  expect((await desk.get('/api/runs', { headers, isSignedIn: false })).status).toBe(401);
  const again = desk.services.sessions.open(cookie);
  expect(again.id).not.toBe(cookie.split('.')[1]);
  const now = { 'cookie': `vx.session=${again.cookie}`, 'x-callsheet-key': again.key };
  expect((await desk.get('/api/runs', { headers: now, isSignedIn: false })).status).toBe(200);
});

test('an answer renews the cookie after an hour of its life', async () => {
  const clock = new SimulatedClock();
  const { store } = desk.services.deps;
  const sessions = await openSessions({ dataDir: undefined, store, clock, token: TOKEN });
  const own = await openDesk({ patch: { sessions } });
  const { cookie, key } = sessions.open();
  const headers = { 'cookie': `vx.session=${cookie}`, 'x-callsheet-key': key };
  const renewed = async () => (await own.get('/api/runs', { headers, isSignedIn: false })).headers['set-cookie'];
  expect(await renewed()).toBeUndefined();
  clock.advance(HOUR);
  expect(String(await renewed())).toMatch(/^vx\.session=v2\.[^;]+; Path=\/; Max-Age=259200; HttpOnly; SameSite=Lax$/);
  await own.close();
});
