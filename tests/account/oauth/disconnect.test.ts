import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { createLogger, silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { disconnect } from '../../../engine/src/account/oauth/disconnect.ts';
import { type StoredToken, readToken, writeToken } from '../../../engine/src/account/oauth/token-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';

const REFRESH = '1//a-refresh-token-of-jane';

let dir: string;
let store: Store;
let server: Server;
let url: string;
/** What was asked of Google's address for taking grants back. */
let asked: { line: string; body: string }[];
let answer: { status: number; body: string };
let log: string;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-disconnect-'));
  store = openSqlite({ dir, key: 'ab'.repeat(32), log: silentLogger });
  asked = [];
  log = '';
  answer = { status: 200, body: '{}' };
  server = createServer(async (request, response) => {
    const kept = (await readToken(store, 'support')) === undefined ? 'gone' : 'kept';
    asked.push({ line: `${request.method} ${request.url}, here ${kept}`, body: await text(request) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

async function signedIn(account: string, over: Partial<StoredToken> = {}): Promise<void> {
  const token: StoredToken = {
    ...{ provider: 'gmail', clientId: 'client', email: 'jane@example.org', scopes: [] },
    ...{ accessToken: 'ya29.an-access-token-of-jane', expiresAt: 1, refreshToken: REFRESH, connectedAt: 1 },
    endpoints: { token: url },
    ...over,
  };
  await store.apply([writeToken(account, undefined, token)]);
}

function leave(account = 'support', isLocal = false, on = store) {
  const redactor = createRedactor();
  const write = (line: string) => void (log += line);
  const logger = createLogger({ write, clock: systemClock, redactor, level: 'debug', json: true, color: false });
  return disconnect(account, { store: on, redactor, log: logger, isLocal });
}

test('Google is asked to take the grant back, by the refresh token, once that is gone from here', async () => {
  await signedIn('support');
  expect(await leave()).toEqual({ accountId: 'support', grant: 'revoked' });
  expect(asked).toEqual([
    { line: 'POST /revoke, here gone', body: new URLSearchParams({ token: REFRESH }).toString() },
  ]);
});

test('a grant that is over at Google already is taken for taken back', async () => {
  answer = { status: 400, body: '{"error":"invalid_token","error_description":"Token expired or revoked"}' };
  await signedIn('support');
  expect(await leave()).toEqual({ accountId: 'support', grant: 'revoked' });
});

test.each([
  ['has trouble', { status: 503, body: '<html>' }, 'HTTP 503'],
  ['refuses, and repeats what it was given', { status: 400, body: `{"error":"${REFRESH}"}` }, '[redacted]'],
])('a Google that %s keeps no token here, and it is said', async (_name, failing, said) => {
  answer = failing;
  await signedIn('support');
  expect(await leave()).toMatchObject({ grant: 'failed', reason: expect.stringContaining(said) });
  expect(asked).toHaveLength(1);
  expect(await readToken(store, 'support')).toBeUndefined();
  expect(log).toContain('was not revoked');
  expect(log).not.toContain(REFRESH);
});

test('neither does one that cannot be reached', async () => {
  await signedIn('support', { endpoints: { token: 'http://127.0.0.1:1' } });
  expect(await leave()).toMatchObject({ grant: 'failed', reason: expect.stringContaining('cannot be reached') });
  expect(await readToken(store, 'support')).toBeUndefined();
});

test('a grant by which another account still works is left to it: Google would end both', async () => {
  await signedIn('support');
  await signedIn('other', { email: 'Jane@Example.org' });
  await signedIn('team', { provider: 'outlook' });
  expect(await leave()).toMatchObject({ grant: 'kept', reason: expect.stringContaining('account other') });
  expect(asked).toEqual([]);
  expect(await readToken(store, 'support')).toBeUndefined();
  expect(await leave('other')).toMatchObject({ grant: 'revoked' });
});

test('an account whose grant was lost holds none back', async () => {
  await signedIn('support');
  await signedIn('other', { lost: 'taken back' });
  expect(await leave()).toMatchObject({ grant: 'revoked' });
});

test('Microsoft is asked nothing, and that is said', async () => {
  await signedIn('support', { provider: 'outlook' });
  expect(await leave()).toMatchObject({ grant: 'kept', reason: expect.stringContaining('Microsoft') });
  expect(asked).toEqual([]);
});

test('whoever wants it forgotten here alone has it so', async () => {
  await signedIn('support');
  expect(await leave('support', true)).toMatchObject({ grant: 'kept' });
  expect(asked).toEqual([]);
  expect(await readToken(store, 'support')).toBeUndefined();
});

test('a row that cannot be opened any more can be got rid of', async () => {
  await signedIn('support');
  const broken: Store = {
    ...withApply(store, (changes) => store.apply(changes)),
    get: () => Promise.reject(new EngineError('STORE_TAMPERED', 'not as it was written')),
  };
  expect(await leave('support', false, broken)).toMatchObject({ grant: 'failed' });
  expect(await readToken(store, 'support')).toBeUndefined();
});

test('of an account that nobody is signed in to there is nothing to forget', async () => {
  await expect(leave()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
