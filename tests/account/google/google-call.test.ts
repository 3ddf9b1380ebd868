import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { callGoogle } from '../../../engine/src/account/google/google-call.ts';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A server that notes the tokens that it gets; `to` redirects every request. */
async function serve(to?: string): Promise<{ readonly url: string; readonly tokens: string[] }> {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization ?? 'none');
    if (to === undefined) response.setHeader('content-type', 'application/json').end('{"emailAddress":"a@b"}');
    else response.writeHead(307, { location: `${to}${request.url}` }).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens };
}

test('a redirect of the API is not followed: another host would get the request', async () => {
  const other = await serve();
  const google = await serve(other.url);
  const { gmail } = await import('@googleapis/gmail');
  const api = gmail({ version: 'v1' });
  const tokens = { accessToken: async () => 'secret-token' };
  const options = {
    ...{ scopes: [], signal: undefined, timeoutMs: 10_000, maxTries: () => 1 },
    errorOf: () => new EngineError('ACCOUNT_FAILED', 'refused'),
  };
  const calling = callGoogle({ tokens, clock: systemClock }, options, (how) =>
    api.users.getProfile({ userId: 'me' }, { ...how, rootUrl: google.url }),
  );
  await expect(calling).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
  expect([google.tokens, other.tokens]).toEqual([['Bearer secret-token'], []]);
});
