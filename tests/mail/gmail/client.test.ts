import type { gmail_v1 } from '@googleapis/gmail';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { GmailClient, type GmailOptions, type GmailRequest } from '../../../engine/src/mail/gmail/client.ts';
import { createGmailQuota, unlimitedQuota } from '../../../engine/src/mail/gmail/quota.ts';
import { scopesFor } from '../../../engine/src/account/scopes.ts';
import type { AccountTokens } from '../../../engine/src/account/account.ts';
import { GmailPeer, said } from './gmail-peer.ts';
import { fixedTokens } from './gmail-tokens.ts';
import { until } from '../until.ts';

const SECRET = 'ya29.a-token-that-nobody-may-see';

describe('requests to Gmail', () => {
  let peer: GmailPeer;
  let url: string;
  beforeEach(async () => {
    peer = new GmailPeer();
    url = await peer.start();
  });
  afterEach(() => peer.close());

  const clientOf = (options: Partial<GmailOptions> = {}) =>
    new GmailClient({
      ...{ accountId: 'support', email: 'team@example.org', clock: systemClock },
      ...{ tokens: fixedTokens(SECRET), endpoints: { api: url } },
      ...options,
    });

  const request: GmailRequest<gmail_v1.Schema$Profile> = {
    units: 1,
    scopes: scopesFor('gmail', ['read']),
    send: (api, how) => api.users.getProfile({ userId: 'me' }, how),
  };
  const ask = (client: GmailClient, more: Partial<typeof request> = {}) => client.request({ ...request, ...more });
  const failureOf = (client = clientOf(), more: Partial<typeof request> = {}) =>
    ask(client, more).then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );

  /** Lets time pass until nobody waits for it any more. */
  async function passing<T>(clock: SimulatedClock, work: Promise<T>): Promise<{ value: T; waitedMs: number }> {
    const start = clock.now();
    let outcome: { value: T } | undefined;
    const settled = work.then((value) => (outcome = { value }));
    await until(() => {
      if (outcome === undefined) clock.advance(250);
      return outcome !== undefined;
    });
    await settled;
    return { value: outcome!.value, waitedMs: clock.now() - start };
  }

  test.each([
    [429, said(429, 'rateLimitExceeded'), {}, 1000],
    [403, said(403, 'userRateLimitExceeded'), {}, 1000],
    [403, said(403, 'rateLimitExceeded'), { 'retry-after': '7' }, 7000],
    [503, {}, {}, 1000],
  ])('waits after %i as Gmail says, and asks again', async (status, body, headers, leastMs) => {
    const clock = new SimulatedClock(Date.now());
    peer.fault = () => (peer.asked.length === 1 ? { status, body, headers } : undefined);
    const { value, waitedMs } = await passing(clock, ask(clientOf({ clock })));
    expect(value).toMatchObject({ emailAddress: 'team@example.org' });
    expect(waitedMs).toBeGreaterThanOrEqual(leastMs);
    expect(peer.asked).toHaveLength(2);
  });

  test('waits longer each time, and gives up after a minute', async () => {
    const clock = new SimulatedClock(Date.now());
    peer.fault = () => ({ status: 429, body: said(429, 'rateLimitExceeded', 'Too many') });
    const { value, waitedMs } = await passing(clock, failureOf(clientOf({ clock })));
    expect(value).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(value?.message).toContain('Too many');
    expect(peer.asked).toHaveLength(6);
    expect(waitedMs).toBeLessThanOrEqual(60_000);
  });

  test('asks three times where nobody knows what became of it', async () => {
    const clock = new SimulatedClock(Date.now());
    peer.fault = () => ({ status: 503 });
    const { value } = await passing(clock, failureOf(clientOf({ clock })));
    expect(value).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(peer.asked).toHaveLength(3);
  });

  test('asks no more until the time that Gmail names, where that is long', async () => {
    const clock = new SimulatedClock(Date.now());
    const when = new Date(clock.now() + 3_600_000).toISOString();
    const body = said(429, 'userRateLimitExceeded', `User-rate limit exceeded.  Retry after ${when}`);
    peer.fault = () => (peer.asked.length === 1 ? { status: 429, body } : undefined);
    const client = clientOf({ clock });
    expect((await failureOf(client))?.message).toContain('for 3600 s');
    expect(await failureOf(client)).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(peer.asked).toHaveLength(1);
    clock.advance(3_600_001);
    expect(await failureOf(client)).toBeUndefined();
  });

  test('repeats what may be done once only where Gmail has done nothing', async () => {
    const clock = new SimulatedClock(Date.now());
    peer.fault = () => ({ status: 503 });
    expect(await failureOf(clientOf({ clock }), { isOnce: true })).toMatchObject({ retryable: true });
    expect(peer.asked).toHaveLength(1);
    peer.asked.length = 0;
    peer.fault = () => (peer.asked.length === 1 ? { status: 429, body: said(429, 'rateLimitExceeded') } : undefined);
    expect((await passing(clock, failureOf(clientOf({ clock }), { isOnce: true }))).value).toBeUndefined();
  });

  test('takes a new token once where one is refused, and shows neither', async () => {
    const given: (string | undefined)[] = [];
    const tokens: AccountTokens = {
      async accessToken({ refused }) {
        given.push(refused);
        return refused === undefined ? SECRET : 'ya29.another-token';
      },
    };
    peer.fault = () => (peer.asked.length === 1 ? { status: 401, body: said(401, 'authError') } : undefined);
    expect(await failureOf(clientOf({ tokens }))).toBeUndefined();
    expect(given).toEqual([undefined, SECRET]);
    peer.fault = () => ({ status: 401, body: said(401, 'authError', `Invalid Credentials`) });
    const error = await failureOf(clientOf({ tokens }));
    expect(error).toMatchObject({ code: 'ACCOUNT_GRANT_LOST', retryable: false });
    expect(error?.hint).toContain('callsheet accounts connect support');
    expect(JSON.stringify([error, error?.cause, error?.stack])).not.toMatch(/ya29/);
  });

  test('passes on what the tokens say', async () => {
    const tokens: AccountTokens = {
      accessToken: () => Promise.reject(new EngineError('ACCOUNT_NOT_CONNECTED', 'nobody has signed in')),
    };
    expect(await failureOf(clientOf({ tokens }))).toMatchObject({ code: 'ACCOUNT_NOT_CONNECTED' });
    expect(peer.asked).toEqual([]);
  });

  const url403 = 'https://console.developers.google.com/apis/api/gmail.googleapis.com/overview?project=1';
  test.each([
    [
      'a missing scope by its name',
      403,
      said(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.'),
      ...['ACCOUNT_SCOPE_MISSING', /gmail\.readonly/, /accounts connect/],
    ],
    [
      'where the API is switched on, as Google says',
      403,
      said(403, 'accessNotConfigured', 'Gmail API has not been used', [{ metadata: { activationUrl: url403 } }]),
      ...['ACCOUNT_FAILED', /not enabled/, /overview\?project=1/],
    ],
    [
      'where the API is switched on, where Google does not say, or somebody else does',
      403,
      said(403, 'accessNotConfigured', 'x', [{ metadata: { activationUrl: 'https://evil.example/' } }]),
      ...['ACCOUNT_FAILED', /not enabled/, /console\.cloud\.google\.com\/apis\/library\/gmail/],
    ],
    ['a used up day', 403, said(403, 'dailyLimitExceeded'), 'ACCOUNT_FAILED', /daily quota/, /Quotas/],
    ['an administrator', 403, said(403, 'domainPolicy'), 'ACCOUNT_FAILED', /administrator/, /API controls/],
    [
      'an account without Gmail',
      400,
      said(400, 'failedPrecondition', 'Mail service not enabled'),
      ...['ACCOUNT_FAILED', /no Gmail/, /mailbox at Google/],
    ],
    ['a wrong endpoint', 404, 'not here', 'ACCOUNT_FAILED', /does not know/, /endpoints\.api/],
    [
      'a page of somebody else',
      200,
      '<html>Sign in</html>',
      'ACCOUNT_FAILED',
      /other than JSON/,
      /proxy.*endpoints\.api/,
    ],
    ['anything else', 400, said(400, 'badRequest', 'Bad thing'), 'ACCOUNT_FAILED', /Bad thing/, /report/],
  ])('names %s', async (_name, status, body, code, message, hint) => {
    peer.fault = () => ({ status: Number(status), body });
    const error = await failureOf();
    expect(error).toMatchObject({ code });
    expect(error?.message).toMatch(message as RegExp);
    expect(error?.hint).toMatch(hint as RegExp);
  });

  test('says that nothing listens, or that a host is not known', async () => {
    await peer.close();
    expect(await failureOf()).toMatchObject({
      code: 'ACCOUNT_FAILED',
      retryable: true,
      hint: expect.stringMatching(/proxy/),
    });
    peer = new GmailPeer();
    await peer.start();
    const error = await failureOf(clientOf({ endpoints: { api: 'https://gmail.invalid' } }));
    expect(error?.message).toContain('the host gmail.invalid is not known');
  });

  test('keeps a path of the endpoint', async () => {
    await failureOf(clientOf({ endpoints: { api: `${url}/proxy` } }));
    expect(peer.asked).toEqual(['GET /proxy/gmail/v1/users/me/profile']);
  });
});

describe('the pace of a Gmail account', () => {
  /** Seconds until each of some requests may go out. */
  async function times(asked: readonly { units: number; isBackground?: boolean }[]): Promise<number[]> {
    const clock = new SimulatedClock();
    const start = clock.now();
    const pace = createGmailQuota(clock);
    const all = asked.map(({ units, ...how }) => pace.acquire(units, how).then(() => (clock.now() - start) / 1000));
    for (let n = 0; n < 1000; n++) {
      await Promise.resolve();
      clock.advance(100);
    }
    return Promise.all(all);
  }

  test('lets no more than 6,000 units through in any minute', async () => {
    const got = await times(Array.from({ length: 400 }, () => ({ units: 20 })));
    for (const start of got)
      expect(got.filter((at) => at >= start && at < start + 60).length * 20).toBeLessThanOrEqual(6000);
    expect(got.at(-1)).toBeLessThan(90);
  });

  test('leaves something to people and directors while mail is fetched', async () => {
    const fetching = Array.from({ length: 40 }, () => ({ units: 20, isBackground: true }));
    const pace = await times([...fetching.slice(0, 15), { units: 100 }]);
    expect(pace.at(-1)).toBe(0);
    const [first, ...more] = await times(fetching);
    expect(first).toBe(0);
    expect(more.at(-1)).toBeGreaterThan(4);
  });

  test('ends with the reason of an abort', async () => {
    const abort = new AbortController();
    const pace = createGmailQuota(new SimulatedClock());
    await pace.acquire(600, {});
    const waiting = pace.acquire(20, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(unlimitedQuota.acquire(1, { signal: abort.signal })).rejects.toThrow('enough');
  });
});
