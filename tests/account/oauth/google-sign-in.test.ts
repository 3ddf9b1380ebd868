import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { createLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { readToken } from '../../../engine/src/account/oauth/token-store.ts';
import { scopesFor } from '../../../engine/src/account/scopes.ts';
import { type Answer, type Desk, letter, openDesk } from '../../api/harness.ts';
import { CLIENT, type GoogleEmulator, startGoogle } from './google-emulator.ts';

const KEY = 'c0ffee00'.repeat(8);
const READ = scopesFor('gmail', ['read']);
const HOUR = 3_600_000;

let google: GoogleEmulator;
let desk: Desk;
let clock: SimulatedClock;
let log: string;
/** Every text that left the server. */
let answers: string;

async function open(env: Readonly<Record<string, string>> = {}): Promise<void> {
  log = answers = '';
  clock = new SimulatedClock(Date.now());
  const redactor = createRedactor();
  const write = (text: string) => void (log += text);
  const values: Readonly<Record<string, string>> = {
    KEY: 'sk-test-key',
    VX_MAILAGENT_KEY: KEY,
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    ...env,
  };
  desk = await openDesk({
    app: {
      redactor,
      clock,
      env: (name) => values[name],
      log: createLogger({ write, clock: systemClock, redactor, level: 'debug', json: true, color: false }),
    },
  });
  google = await startGoogle([`http://127.0.0.1:${desk.port}/api/oauth2/google/callback`]);
  await account();
}

/** Writes the account's file, with more keys. */
async function account(more = ''): Promise<void> {
  desk.stage.write({
    'accounts/support.yaml': `id: support
provider: gmail
email: jane@example.org
oauth: { clientId: '\${env:GOOGLE_CLIENT_ID}', clientSecret: '\${env:GOOGLE_CLIENT_SECRET}' }
endpoints: ${google.endpoints}
${more}`,
  });
  await desk.stage.app.config.refresh();
}

async function ask(path: string, headers: Readonly<Record<string, string>> = {}, isSignedIn = true): Promise<Answer> {
  const answer = await desk.get(path, { headers, isSignedIn });
  answers += `${JSON.stringify(answer.headers)}${answer.text}\n`;
  return answer;
}

const BROWSER = { 'accept': 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

async function begin(): Promise<string> {
  const { status, headers } = await ask('/api/oauth2/google/initiate?accountId=support', BROWSER);
  expect(status).toBe(303);
  return String(headers['location']);
}

/** What a browser without a session does with where it is sent. */
function follow(url: URL): Promise<Answer> {
  return ask(url.pathname + url.search, { ...BROWSER, 'sec-fetch-site': 'cross-site' }, false);
}

async function connect(): Promise<Answer> {
  return follow(await google.consent(await begin(), 'jane@example.org'));
}

async function standing(): Promise<unknown> {
  const { json } = await ask('/api/connections');
  return json.items.find(({ accountId }) => accountId === 'support');
}

const tokens = () => desk.stage.app.connections.tokensOf('support');

async function kept() {
  const row = await readToken(desk.stage.app.deps.store, 'support');
  if (row === undefined) throw new Error('nothing is kept');
  return row.token;
}

beforeEach(() => open());
afterEach(async () => {
  await google.close();
  await desk.close();
});

test('a person who lets us in connects the account, and the token reads the mailbox', async () => {
  expect(await standing()).toMatchObject({ state: 'not_connected' });
  const page = await connect();
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.text).toContain('support is connected');
  expect(await standing()).toEqual({
    ...{ accountId: 'support', provider: 'gmail', email: 'jane@example.org', state: 'connected' },
    connect: '/api/oauth2/google/initiate?accountId=support',
  });
  const token = await tokens().accessToken({ scopes: READ });
  const labels = await fetch(`${google.url}/gmail/v1/users/me/labels`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(labels.status).toBe(200);
});

test('mail is fetched once somebody has signed in, and the account passes its test', async () => {
  await connect();
  const token = await tokens().accessToken({ scopes: READ });
  const raw = Buffer.from(letter('Hello Jane')).toString('base64url');
  await fetch(`${google.url}/gmail/v1/users/me/messages/import`, {
    method: 'POST',
    headers: { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ raw, labelIds: ['INBOX'] }),
  });
  await desk.fetch();
  const { json } = await ask('/api/emails');
  expect(json.items).toMatchObject([{ subject: 'Hello Jane', accountId: 'support' }]);
  expect((await ask('/api/accounts/support/gmail-test')).json).toEqual({ ok: true });
  expect((await ask('/api/accounts/inbox/test')).json).toEqual({ ok: true });
  expect((await ask('/api/accounts/inbox/gmail-test')).status).toBe(400);
});

test('the link asks for PKCE with S256, a refresh token, the right person, and reading alone', async () => {
  const asked = new URL(await begin()).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    access_type: 'offline',
    login_hint: 'jane@example.org',
    scope: 'openid email https://www.googleapis.com/auth/gmail.readonly',
  });
});

test('a token that has ended is renewed, and no sooner', async () => {
  await connect();
  const first = await tokens().accessToken({ scopes: READ });
  clock.advance(HOUR / 2);
  expect(await tokens().accessToken({ scopes: READ })).toBe(first);
  clock.advance(HOUR / 2);
  const second = await tokens().accessToken({ scopes: READ });
  expect(second).not.toBe(first);
  expect(await kept()).toMatchObject({ accessToken: second, refreshToken: expect.stringContaining('google_refresh_') });
});

test('a token that was refused is not given again', async () => {
  await connect();
  const refused = await tokens().accessToken({ scopes: READ });
  const other = await tokens().accessToken({ scopes: READ, refused });
  expect(other).not.toBe(refused);
  expect(await tokens().accessToken({ scopes: READ })).toBe(other);
});

test('a grant that was taken back is said with a link, asked for once, and mended by it', async () => {
  await connect();
  google.forget();
  clock.advance(HOUR);
  await expect(tokens().accessToken({ scopes: READ })).rejects.toMatchObject({ code: 'ACCOUNT_GRANT_LOST' });
  expect(await standing()).toMatchObject({ state: 'grant_lost', problem: { code: 'ACCOUNT_GRANT_LOST' } });
  const { json } = await ask('/api/accounts/support/gmail-test');
  expect(json).toMatchObject({ ok: false, error: 'invalid_grant', authorizeUrl: expect.stringContaining(google.url) });
  const { authorizeUrl } = json as unknown as { authorizeUrl: string };
  expect((await follow(await google.consent(authorizeUrl, 'jane@example.org'))).status).toBe(200);
  expect(await standing()).toMatchObject({ state: 'connected' });
  await tokens().accessToken({ scopes: READ });
});

test('a person who disconnects the account has Google take the grant back, which no token outlives', async () => {
  await connect();
  const { refreshToken } = await kept();
  const { json } = await desk.ask('DELETE', '/api/connections/support');
  expect(json).toEqual({ accountId: 'support', grant: 'revoked' });
  expect(await standing()).toMatchObject({ state: 'not_connected' });
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
  const again = await fetch(`${google.url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...client, grant_type: 'refresh_token', refresh_token: refreshToken }),
  });
  expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
});

test('an account that nobody signed in to is told of by its probe', async () => {
  const { json } = await ask('/api/accounts/support/test');
  expect(json).toMatchObject({ ok: false, error: 'missing_refresh_token', authorizeUrl: expect.any(String) });
});

test('somebody else who signs in is refused by name, and nothing of theirs is kept', async () => {
  const page = await follow(await google.consent(await begin(), 'john@example.org'));
  expect(page.status).toBe(409);
  expect(page.text).toContain('support is jane@example.org, but john@example.org signed in');
  expect(await readToken(desk.stage.app.deps.store, 'support')).toBeUndefined();
});

test('who comes back without having been sent gets nowhere', async () => {
  const back = await google.consent(await begin(), 'jane@example.org');
  back.searchParams.set('state', 'x'.repeat(43));
  expect((await follow(back)).status).toBe(400);
  expect(await standing()).toMatchObject({ state: 'not_connected' });
});

test('a way back is good once', async () => {
  const back = await google.consent(await begin(), 'jane@example.org');
  expect((await follow(back)).status).toBe(200);
  const again = await follow(back);
  expect(again.status).toBe(400);
  expect(again.text).toContain('used already');
});

test('who signs in again is served by the new sign-in at once', async () => {
  await connect();
  const first = await tokens().accessToken({ scopes: READ });
  await connect();
  expect(await tokens().accessToken({ scopes: READ })).not.toBe(first);
});

test('of two that come back with one state, one is let in', async () => {
  const back = await google.consent(await begin(), 'jane@example.org');
  const both = await Promise.all([follow(back), follow(back)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('a way back runs out after ten minutes', async () => {
  const back = await google.consent(await begin(), 'jane@example.org');
  clock.advance(10 * 60_000);
  expect((await follow(back)).status).toBe(400);
});

test('a way back of Google is none at Microsoft', async () => {
  const back = await google.consent(await begin(), 'jane@example.org');
  back.pathname = '/api/oauth2/outlook/callback';
  expect((await follow(back)).status).toBe(400);
});

test('a person who says no is taken at their word', async () => {
  const state = new URL(await begin()).searchParams.get('state');
  const page = await ask(`/api/oauth2/google/callback?error=access_denied&state=${state}`, BROWSER, false);
  expect(page.status).toBe(409);
  expect(page.text).toContain('access was not allowed');
});

test('nobody begins to sign in without a session', async () => {
  expect((await ask('/api/oauth2/google/initiate?accountId=support', {}, false)).status).toBe(401);
  expect((await ask('/api/accounts/support/test', {}, false)).status).toBe(401);
});

test('what a program begins it can ask about', async () => {
  const { json } = await ask('/api/oauth2/google/initiate?accountId=support');
  const { authorizeUrl, attempt } = json as unknown as { authorizeUrl: string; attempt: string };
  const outcome = async () => (await ask(`/api/oauth2/attempts/${attempt}`)).json;
  expect(await outcome()).toEqual({ state: 'open', accountId: 'support' });
  await follow(await google.consent(authorizeUrl, 'john@example.org'));
  expect(await outcome()).toMatchObject({ state: 'failed', message: expect.stringContaining('john@example.org') });
});

test('a scope that the config came to need is named with what uses it', async () => {
  await connect();
  desk.stage.write({
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\n',
    'agents/helper.yaml': 'id: helper\nname: Helper\ndescription: Helps.\ntools: [calendar_read]\n',
  });
  await desk.stage.app.config.refresh();
  expect(await standing()).toMatchObject({
    state: 'scope_missing',
    problem: { message: expect.stringContaining('calendar.events.readonly (for agent helper (calendar_read))') },
  });
  const { json } = await ask('/api/accounts/support/test');
  expect(json).toMatchObject({ ok: false, error: 'other', problem: { code: 'ACCOUNT_SCOPE_MISSING' } });
  const { authorizeUrl } = json as unknown as { authorizeUrl: string };
  expect(new URL(authorizeUrl).searchParams.get('scope')).toContain('calendar.events.readonly');
  await follow(await google.consent(authorizeUrl, 'jane@example.org'));
  expect(await standing()).toMatchObject({ state: 'connected' });
});

test('what only a person who replies needs is asked for once the account says that people do', async () => {
  await connect();
  const scopes = scopesFor('gmail', ['send']);
  await expect(tokens().accessToken({ scopes })).rejects.toMatchObject({
    code: 'ACCOUNT_SCOPE_MISSING',
    hint: expect.stringContaining('`replies: true`'),
  });
  await account('replies: true\n');
  await expect(tokens().accessToken({ scopes })).rejects.toMatchObject({
    message: expect.stringContaining('gmail.compose (for replies of people)'),
  });
  await connect();
  await tokens().accessToken({ scopes });
});

test('an account whose address was changed has to be signed in to anew', async () => {
  await connect();
  desk.stage.write({
    'accounts/support.yaml': `id: support
provider: gmail
email: john@example.org
oauth: { clientId: '\${env:GOOGLE_CLIENT_ID}', clientSecret: '\${env:GOOGLE_CLIENT_SECRET}' }
endpoints: ${google.endpoints}
`,
  });
  await desk.stage.app.config.refresh();
  expect(await standing()).toMatchObject({
    state: 'not_connected',
    problem: { message: expect.stringContaining('for jane@example.org') },
  });
  await expect(tokens().accessToken({ scopes: READ })).rejects.toMatchObject({ code: 'ACCOUNT_NOT_CONNECTED' });
});

test('a client that Google does not know is said as such', async () => {
  await google.close();
  await desk.close();
  await open({ GOOGLE_CLIENT_SECRET: 'another-secret-than-it-is' });
  const page = await connect();
  expect(page.status).toBe(502);
  expect(page.text).toContain('Google refuses the client: invalid_client');
});

test('without a key nobody is sent away, and the page says what to do', async () => {
  await google.close();
  await desk.close();
  await open({ VX_MAILAGENT_KEY: '' });
  const page = await ask('/api/oauth2/google/initiate?accountId=support', BROWSER);
  expect(page.status).toBe(409);
  expect(page.text).toContain('callsheet key make');
  expect((await ask('/api/accounts/support/test')).json).toMatchObject({
    ok: false,
    error: 'missing_refresh_token',
    problem: { code: 'SECRET_NEEDS_KEY' },
  });
});

test('whoever allows plain text may sign in without a key, and is told of a broken network as such', async () => {
  await google.close();
  await desk.close();
  await open({ VX_MAILAGENT_KEY: '' });
  const { json } = await desk.post('/api/oauth2/google/initiate', { accountId: 'support', plaintext: true });
  const { authorizeUrl } = json as unknown as { authorizeUrl: string };
  expect((await follow(await google.consent(authorizeUrl, 'jane@example.org'))).status).toBe(200);
  await google.close();
  expect((await ask('/api/accounts/support/test')).json).toMatchObject({
    ...{ ok: false, error: 'network', problem: { code: 'ACCOUNT_FAILED' } },
  });
});

test('a variable that is not set is named before anybody is sent away', async () => {
  await google.close();
  await desk.close();
  await open({ GOOGLE_CLIENT_SECRET: '' });
  expect(await standing()).toMatchObject({
    state: 'client_missing',
    problem: { message: expect.stringContaining('GOOGLE_CLIENT_SECRET') },
  });
});

test('no token, code, verifier or secret is in an answer, in the log or on the disk', async () => {
  const url = await begin();
  const back = await google.consent(url, 'jane@example.org');
  await follow(back);
  const before = await kept();
  clock.advance(HOUR);
  await tokens().accessToken({ scopes: READ });
  const after = await kept();
  desk.stage.app.deps.log.info('a careless line', { token: after.accessToken, old: before.refreshToken });
  const paths = ['/api/connections', '/api/accounts/support', '/api/config', '/api/secrets', '/api/diagnostics'];
  for (const path of [...paths, '/api/accounts/support/test', '/api/fetcher/status']) await ask(path);
  const code = back.searchParams.get('code') ?? '';
  const secrets = [before.accessToken, after.accessToken, after.refreshToken, code, CLIENT.secret];
  const disk = readdirSync(join(desk.stage.root, 'data'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(desk.stage.root, 'data', name))
    .flatMap((file) => {
      try {
        return [readFileSync(file).toString('latin1')];
      } catch {
        // A folder.
        return [];
      }
    })
    .join('\n');
  expect(disk).toContain('SQLite');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(15);
    expect([answers, log, disk].map((text) => text.includes(secret))).toEqual([false, false, false]);
  }
  expect(log).toContain('"token":"[redacted]"');
  expect(disk.includes('jane@example.org')).toBe(false);
});
