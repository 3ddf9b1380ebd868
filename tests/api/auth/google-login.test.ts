import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoogleEmulator, startGoogle } from '../../account/oauth/google-emulator.ts';
import { call } from '../../run/harness.ts';
import { type Desk, openDesk, send, TOKEN } from '../harness.ts';
import { beginSignIn, BEHIND_PROXY, openLoginDesk, PROXIED, returnTo, signIn, USERS } from './sign-in.ts';

let google: GoogleEmulator;
let desk: Desk;
beforeAll(async () => {
  google = await startGoogle();
  desk = await openLoginDesk(google.url);
});
afterAll(async () => {
  await desk?.close();
  await google?.close();
});

const as = (headers: Readonly<Record<string, string>>) => ({ headers, isSignedIn: false });

describe('a sign-in with Google', () => {
  test('asks for an identity only, with PKCE, a state and a nonce', async () => {
    const { answer, authorizeUrl } = await beginSignIn(desk);
    const query = Object.fromEntries(new URL(authorizeUrl).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `http://127.0.0.1:${desk.port}/api/auth/google/callback`,
    });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^vx\.signin=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  test('redirects a browser', async () => {
    const answer = await desk.get('/api/auth/google/initiate', as({ accept: 'text/html' }));
    expect([answer.status, new URL(String(answer.headers['location'])).origin]).toEqual([303, google.url]);
  });

  test('of a person whom the settings name opens a session, in any case of the address', async () => {
    const { answer, headers } = await signIn(desk, google, 'jane@example.org');
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/#key=[\w-]{43}$/);
    const [cookie] = [answer.headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('vx.session='));
    expect(cookie).toMatch(/^vx\.session=v3\.[^;]+; Path=\/; Max-Age=2\d{5}; HttpOnly; SameSite=Lax$/);
    const { user } = (await desk.get('/api/auth/whoami', as(headers))).json;
    expect(user).toMatchObject({ id: expect.stringMatching(/^user_/), email: 'jane@example.org', role: 'admin' });
    // The same person has the same id the next time.
    const again = await signIn(desk, google, 'jane@example.org');
    expect((await desk.get('/api/auth/whoami', as(again.headers))).json.user).toEqual(user);
  });

  test('leads back to where the person was', async () => {
    const { authorizeUrl, cookie } = await beginSignIn(desk, { place: '#/runs/run_1' });
    const answer = await returnTo(desk, await google.consent(authorizeUrl, 'jane@example.org'), cookie);
    expect(answer.headers['location']).toMatch(/^\/#key=[\w-]{43}\/runs\/run_1$/);
  });

  test('of a person whom they do not name is refused, and nothing is stored', async () => {
    const own = await openLoginDesk(google.url, { settings: 'login: { users: [] }\n' });
    const { answer } = await signIn(own, google, 'john@example.org');
    expect([answer.status, answer.json.error.code]).toEqual([403, 'LOGIN_REFUSED']);
    expect(String(answer.headers['set-cookie'])).not.toContain('vx.session');
    expect(await own.services.deps.store.list('person')).toEqual([]);
    await own.close();
  });

  test('says what a browser can use before it is signed in', async () => {
    expect((await desk.get('/api/auth/methods', as({}))).text).toBe('{"methods":["google"]}');
    const own = await openDesk();
    expect((await own.get('/api/auth/methods', as({}))).text).toBe('{"methods":[]}');
    expect((await own.get('/api/auth/google/initiate', as({}))).status).toBe(404);
    await own.close();
  });

  test('ends with a log-out, which clears the cookie', async () => {
    const { headers } = await signIn(desk, google, 'john@example.org');
    expect((await desk.ask('POST', '/api/auth/logout', as(headers))).status).toBe(204);
    expect((await desk.get('/api/runs', as(headers))).status).toBe(401);
  });
});

describe('who is signed in', () => {
  test('outlives a restart, and is gone without the sign-in', async () => {
    const own = await openLoginDesk(google.url);
    const { headers } = await signIn(own, google, 'jane@example.org');
    await own.restart('another-token-0123456789');
    expect((await own.get('/api/runs', as(headers))).status).toBe(200);
    await own.close();
  });

  test('a change of a role, and the end of it, hold at once for open sessions and their streams', async () => {
    const own = await openLoginDesk(google.url);
    const { headers } = await signIn(own, google, 'jane@example.org');
    const set = async (settings: string) => {
      writeFileSync(join(own.stage.root, 'config/settings.yaml'), settings);
      await own.services.config.refresh();
    };
    expect((await own.ask('POST', '/api/fetcher/start', as(headers))).status).toBe(200);
    await set(USERS.replace('role: admin', 'role: viewer'));
    expect((await own.ask('POST', '/api/fetcher/start', as(headers))).status).toBe(403);
    expect((await own.get('/api/auth/whoami', as(headers))).json.user).toMatchObject({ role: 'viewer' });
    const stream = send(own.port, '', 'GET', '/api/stream', as(headers));
    await set('login: { users: [{ email: john@example.org, role: admin }] }\n');
    // The answer of a stream is whole only once the server ends it.
    expect((await stream).status).toBe(200);
    expect((await own.get('/api/runs', as(headers))).status).toBe(401);
    await own.close();
  });

  test('the holder of the token is an admin beside them', async () => {
    const { user } = (await desk.get('/api/auth/whoami')).json;
    expect(user).toEqual({ id: 'local', name: 'Local user', role: 'admin' });
  });

  test('stands in runs, approvals and sessions, by id and by name', async () => {
    const own = await openLoginDesk(google.url, {
      files: {
        'directors/boss.yaml':
          'id: boss\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
        'agents/ann.yaml': 'id: ann\napiConfigId: main\n',
      },
      play: ({ turn }) =>
        turn === 1
          ? { tool_calls: [call('c1', 'workspace_add_item', { label: 'x', mimeType: 'text/plain', data: 'x' })] }
          : { content: 'done' },
    });
    const { headers } = await signIn(own, google, 'jane@example.org');
    const { user } = (await own.get('/api/auth/whoami', as(headers))).json;
    const id = String(Reflect.get(user, 'id'));
    const body = { directorId: 'boss', message: 'hello' };
    const run = (await own.ask('POST', '/api/runs', { ...as(headers), body })).json;
    expect(run).toMatchObject({ startedBy: id });
    await own.rest();
    const shown = (await own.get(`/api/runs/${run.id}`)).json;
    expect(shown).toMatchObject({ startedBy: id, startedByName: Reflect.get(user, 'name') });
    expect((await own.get('/api/runs')).json.items[0]).toMatchObject({ startedByName: Reflect.get(user, 'name') });
    const [approval] = (await own.get('/api/approvals?status=pending')).json.items;
    const decision = { ...as(headers), body: { decision: 'deny' } };
    const decided = (await own.ask('POST', `/api/approvals/${approval?.id}`, decision)).json;
    expect(decided).toMatchObject({ decidedBy: id, decidedByName: Reflect.get(user, 'name') });
    const [line] = (await own.get('/api/audit')).json.items;
    expect(line).toMatchObject({ startedBy: id, startedByName: Reflect.get(user, 'name'), wasAllowed: false });
    const session = (await own.ask('POST', '/api/agents/ann/sessions', { ...as(headers), body: {} })).json;
    expect(session).toMatchObject({ startedBy: id, startedByName: Reflect.get(user, 'name') });
    await own.close();
  });
});

describe('behind a proxy with https', () => {
  let own: Desk;
  beforeAll(async () => {
    own = await openLoginDesk(google.url, { access: BEHIND_PROXY });
  });
  afterAll(() => own?.close());

  test('cookies are Secure, the redirect address is public, and HSTS is sent', async () => {
    const { answer, headers } = await signIn(own, google, 'jane@example.org', PROXIED);
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies).toContainEqual(expect.stringMatching(/^vx\.session=v3\.[^;]+; .*HttpOnly; SameSite=Lax; Secure$/));
    expect(cookies).toContainEqual(expect.stringMatching(/^__Host-vx\.signin=; .*Secure$/));
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect((await own.get('/api/runs', as(headers))).status).toBe(200);
    const { authorizeUrl } = await beginSignIn(own, { headers: PROXIED });
    expect(new URL(authorizeUrl).searchParams.get('redirect_uri')).toBe(
      'https://desk.example.org/api/auth/google/callback',
    );
  });

  test.each([
    ['plain HTTP at the proxy', { ...PROXIED, 'x-forwarded-proto': 'http' }, '/ui/main.ts', '/ui/main.ts'],
    ['a request that passed no proxy', { host: 'desk.example.org' }, '/', '/'],
    ['a link with the token', { host: 'desk.example.org' }, '/?token=x', '/'],
    ['this machine by its own name', {}, '/', '/'],
  ])('%s is redirected to https', async (_name, headers, path, place) => {
    const answer = await own.get(path, as(headers));
    expect([answer.status, answer.headers['location']]).toEqual([307, `https://desk.example.org${place}`]);
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  });

  test('a change by plain HTTP is refused', async () => {
    const headers = { ...PROXIED, 'x-forwarded-proto': 'http', 'authorization': `Bearer ${TOKEN}` };
    expect((await own.ask('POST', '/api/fetcher/stop', as(headers))).status).toBe(403);
  });

  test('programs of this machine use the token, and the health check needs none', async () => {
    expect((await own.get('/api/runs')).status).toBe(200);
    expect((await own.get('/api/health', as({}))).status).toBe(200);
  });
});
