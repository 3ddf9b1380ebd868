import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import type { OAuthClient } from '../../../engine/src/account/oauth/oauth-client.ts';
import { createGoogleOAuth } from '../../../engine/src/account/oauth/google-oauth.ts';
import { createMicrosoftOAuth } from '../../../engine/src/account/oauth/microsoft-oauth.ts';
import type { Endpoints } from '../../../engine/src/account/account.ts';

const ASKED = { refreshToken: 'a-refresh-token-of-ours', scopes: ['Mail.Read'] };

const google = (endpoints?: Endpoints) =>
  createGoogleOAuth({
    accountId: 'a',
    clientId: 'client',
    clientSecret: 'a-client-secret',
    endpoints,
    clock: systemClock,
  });

const microsoft = (endpoints?: Endpoints) =>
  createMicrosoftOAuth({ accountId: 'a', clientId: 'client', tenant: 'common', endpoints, clock: systemClock });

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
  nock.activate();
});

interface Provider {
  readonly name: string;
  readonly open: (endpoints?: Endpoints) => OAuthClient;
  readonly at: () => nock.Interceptor;
}

const PROVIDERS: readonly Provider[] = [
  { name: 'Google', open: google, at: () => nock('https://oauth2.googleapis.com').post('/token') },
  {
    name: 'Microsoft',
    open: microsoft,
    at: () => nock('https://login.microsoftonline.com').post('/common/oauth2/v2.0/token').query(true),
  },
];

test.each(PROVIDERS)('$name is asked at its own address, and once', async ({ open, at }) => {
  const body = { access_token: 'an-access-token', expires_in: 3600, token_type: 'Bearer', scope: 'Mail.Read' };
  const asked = at().reply(200, body);
  expect(await open().refresh(ASKED)).toMatchObject({ accessToken: 'an-access-token', scopes: ['Mail.Read'] });
  asked.done();
});

test.each(PROVIDERS)('a refresh token that $name gives in place of ours is not lost', async ({ open, at }) => {
  const body = { access_token: 'an-access-token', expires_in: 3600, token_type: 'Bearer', scope: 'Mail.Read' };
  at().reply(200, { ...body, refresh_token: 'the-next-refresh-token' });
  expect(await open().refresh(ASKED)).toMatchObject({ refreshToken: 'the-next-refresh-token' });
  at().reply(200, body);
  expect(await open().refresh(ASKED)).not.toHaveProperty('refreshToken');
});

test.each(PROVIDERS)('a connection to $name that breaks is a failure of the network', async ({ open, at }) => {
  at().replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  await expect(open().refresh(ASKED)).rejects.toMatchObject({
    code: 'ACCOUNT_FAILED',
    retryable: true,
    message: expect.stringContaining('cannot be reached: ECONNRESET'),
  });
});

test.each(PROVIDERS)('so is one to $name that breaks in the middle of the answer', async ({ open }) => {
  nock.enableNetConnect('127.0.0.1');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"access_token":', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await expect(open({ auth: url, token: url }).refresh(ASKED)).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      retryable: true,
      message: expect.stringContaining('cannot be reached'),
    });
  } finally {
    server.close();
  }
});

test.each(PROVIDERS)(
  'who sends a request to $name on to somebody else is not followed with what is secret',
  async ({ open }) => {
    nock.enableNetConnect('127.0.0.1');
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await expect(open({ auth: url, token: url }).refresh(ASKED)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
      expect(asked).toHaveLength(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

test.each(PROVIDERS)('$name having trouble is no end of the sign-in', async ({ open, at }) => {
  at().reply(503, '<html>Service Unavailable</html>', { 'content-type': 'text/html' });
  await expect(open().refresh(ASKED)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
});

test.each(PROVIDERS)('what $name takes no more is lost, and its words hold no token', async ({ open, at }) => {
  at().reply(400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' });
  const error: unknown = await open()
    .refresh(ASKED)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'ACCOUNT_GRANT_LOST' });
  expect(error).not.toHaveProperty('cause');
  expect(String(error)).toContain('Token has been expired or revoked.');
  expect(JSON.stringify(error)).not.toContain(ASKED.refreshToken);
});

test.each(PROVIDERS)('an answer of $name without a token is no token', async ({ open, at }) => {
  at().reply(200, {});
  await expect(open().refresh(ASKED)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
});

test.each(PROVIDERS)('a refresh at $name that nobody wants any more rejects', async ({ open, at }) => {
  const giveUp = new AbortController();
  at().reply(200, () => {
    giveUp.abort(new Error('enough'));
    return {};
  });
  await expect(open().refresh(ASKED, { signal: giveUp.signal })).rejects.toThrow('enough');
});

test('a national cloud is asked at its own address, for scopes of its own Graph', async () => {
  const cloud = microsoft({ auth: 'https://login.microsoftonline.us', api: 'https://graph.microsoft.us' });
  const url = new URL(
    await cloud.authorizeUrl({
      ...{ redirectUri: 'http://localhost:1/x', scopes: ['Mail.Read'], state: 's', challenge: 'c', loginHint: 'a@b.c' },
    }),
  );
  expect(url.origin).toBe('https://login.microsoftonline.us');
  expect(url.searchParams.get('scope')).toContain('https://graph.microsoft.us/Mail.Read');
  const asked = nock('https://login.microsoftonline.us')
    .post('/common/oauth2/v2.0/token', /scope=[^&]*graph\.microsoft\.us%2FMail\.Read/)
    .query(true)
    .reply(200, { access_token: 'an-access-token', expires_in: 3600, scope: 'https://graph.microsoft.us/Mail.Read' });
  await cloud.refresh({ ...ASKED, scopes: ['https://graph.microsoft.us/Mail.Read'] });
  asked.done();
});
