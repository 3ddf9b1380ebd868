import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calendar } from '@googleapis/calendar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callGoogle } from '../../../engine/src/account/google/google-call.ts';
import {
  type GoogleProblem,
  googleProblem,
  isTransient,
  isDisabled,
  isThrottled,
  signInError,
} from '../../../engine/src/account/google/google-error.ts';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';

const SCOPES = ['https://www.googleapis.com/auth/calendar.events'];
const NOW = Date.UTC(2026, 10, 22, 12);
const ACTIVATE = 'https://console.developers.google.com/apis/api/calendar?project=1';

let server: Server;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

/** What one call of Google's own library becomes when the API answers like this. */
async function problemAfter(meet: (response: ServerResponse) => void): Promise<GoogleProblem> {
  answer = meet;
  const rootUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { events } = calendar({ version: 'v3', rootUrl });
  const errorOf = (cause: GoogleProblem) => new EngineError('ACCOUNT_FAILED', 'no', { cause });
  const call = callGoogle(
    { tokens: { accessToken: () => Promise.resolve('secret-token') }, clock: new SimulatedClock(NOW) },
    { scopes: SCOPES, timeoutMs: 5000, maxTries: () => 1, errorOf },
    (options) => events.list({ calendarId: 'primary' }, options),
  );
  const problem = googleProblem(await call.catch((error: unknown) => error));
  if (problem === undefined) throw new Error('the call did not fail');
  expect(JSON.stringify(problem)).not.toContain('secret-token');
  return problem;
}

function refusal(status: number, error: object, headers: Record<string, string> = {}) {
  return (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { code: status, message: 'why', ...error } }));
}

test.each([
  { name: 'a token that is refused twice', meet: refusal(401, {}), code: 'ACCOUNT_GRANT_LOST', message: 'jane' },
  {
    name: 'a scope that was not granted',
    meet: refusal(403, { errors: [{ reason: 'insufficientPermissions' }] }),
    ...{ code: 'ACCOUNT_SCOPE_MISSING', message: 'calendar.events' },
  },
])('$name is an error of the sign-in', async ({ meet, code, message }) => {
  const error = signInError(await problemAfter(meet), { accountId: 'jane', scopes: SCOPES });
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
});

test.each([
  { name: 'seconds', meet: refusal(429, {}, { 'retry-after': '7' }) },
  { name: 'a date', meet: refusal(429, {}, { 'retry-after': 'Sun, 22 Nov 2026 12:00:07 GMT' }) },
  {
    name: 'a date in the message, with the older reason',
    meet: refusal(403, {
      ...{ message: 'User-rate limit exceeded. Retry after 2026-11-22T12:00:07Z' },
      ...{ errors: [{ reason: 'userRateLimitExceeded' }], status: 'RESOURCE_EXHAUSTED' },
    }),
  },
])('a throttled request was not done, and says when to send it again: $name', async ({ meet }) => {
  const problem = await problemAfter(meet);
  expect([isThrottled(problem), problem.retryAfterMs]).toEqual([true, 7000]);
  expect(signInError(problem, { accountId: 'jane', scopes: SCOPES })).toBeUndefined();
});

test.each([
  { name: 'a server error', meet: refusal(503, {}), problem: { status: 503, message: 'why' }, brief: true },
  {
    name: 'a connection that is cut',
    meet: (response: ServerResponse) => void response.destroy(),
    ...{ problem: { status: 0, reason: 'ECONNRESET' }, brief: true },
  },
  {
    name: 'the HTML page of a proxy',
    meet: (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'),
    ...{ problem: { status: 0, reason: 'NO_JSON' }, brief: false },
  },
])('$name is no refusal: the request may have been done', async ({ meet, problem, brief }) => {
  const found = await problemAfter(meet);
  expect(found).toMatchObject(problem);
  expect([isTransient(found), isThrottled(found)]).toEqual([brief, false]);
});

test('an API that is not enabled names the page that enables it, at Google only', async () => {
  const meet = (activationUrl: string) =>
    refusal(403, { details: [{ reason: 'SERVICE_DISABLED', metadata: { activationUrl } }] });
  const problem = await problemAfter(meet(ACTIVATE));
  expect([isDisabled(problem), problem.activationUrl]).toEqual([true, ACTIVATE]);
  expect(await problemAfter(meet('https://evil.example/'))).not.toHaveProperty('activationUrl');
});
