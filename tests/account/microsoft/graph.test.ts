import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import type { EngineError } from '../../../engine/src/base/error.ts';
import type { Graph, GraphOptions } from '../../../engine/src/account/microsoft/graph.ts';
import { createGraph } from '../../../engine/src/account/microsoft/graph-client.ts';
import { isResync } from '../../../engine/src/account/microsoft/graph-error.ts';
import { until } from '../../mail/until.ts';
import { type Answer, type GraphPeer, problem, startGraphPeer } from './graph-peer.ts';

const READ = ['Mail.Read'];
const NEWS = '/me/messages/one';
const THROTTLED: Answer = { status: 429, headers: { 'retry-after': '600' }, body: problem('ApplicationThrottled') };

describe('Microsoft Graph', () => {
  let peer: GraphPeer;
  let clock: SimulatedClock;
  beforeEach(async () => {
    peer = await startGraphPeer();
    clock = new SimulatedClock();
  });
  afterEach(() => peer.close());

  const graphOf = (options: Partial<GraphOptions> = {}): Graph =>
    createGraph({
      ...{ accountId: 'team', tokens: peer.tokens, endpoints: { api: peer.api }, clock, timeoutMs: 3_600_000 },
      ...options,
    });

  /** Gives these answers one after the other to requests of a path, then `{}`. */
  function answers(path: string, ...given: Answer[]): void {
    peer.intercept((asked) => (asked.path === path ? (given.shift() ?? { status: 200, body: {} }) : undefined));
  }

  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );

  /** The outcome of `promise` while time passes second by second; how many seconds have passed. */
  async function whileTimePasses<T>(promise: Promise<T>): Promise<{ outcome: T | EngineError; seconds: number }> {
    let outcome: T | EngineError | undefined;
    let seconds = 0;
    void promise.then(
      (value) => (outcome = value),
      (error: unknown) => (outcome = error as EngineError),
    );
    let before = peer.asked.length;
    await until(() => {
      // Only what waits for time is helped by it: a request under way is waited for.
      if (outcome === undefined && peer.asked.length === before) {
        clock.advance(1000);
        seconds++;
      }
      before = peer.asked.length;
      return outcome !== undefined;
    });
    return { outcome: outcome as T | EngineError, seconds };
  }

  test('asks with a token for its scopes, and for ids that stay', async () => {
    answers(NEWS, { status: 200, body: { id: 'one' } });
    expect(await graphOf().json({ path: NEWS, scopes: READ, prefer: ['odata.maxpagesize=5'] })).toEqual({ id: 'one' });
    expect(peer.tokensAsked).toEqual([{ scopes: READ, refused: undefined }]);
    expect(peer.asked[0]?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      prefer: 'IdType="ImmutableId", odata.maxpagesize=5',
    });
  });

  test('takes a fresh token once where one is refused', async () => {
    peer.acceptOnly('token-2');
    answers(NEWS, { status: 200, body: { id: 'one' } });
    expect(await graphOf().json({ path: NEWS, scopes: READ })).toEqual({ id: 'one' });
    expect(peer.tokensAsked.map(({ refused }) => refused)).toEqual([undefined, 'token-1']);
  });

  test('says that somebody has to sign in again where a fresh token is refused too', async () => {
    peer.acceptOnly('none');
    const error = await errorOf(graphOf().json({ path: NEWS, scopes: READ }));
    expect(error).toMatchObject({ code: 'ACCOUNT_GRANT_LOST' });
    expect(error?.hint).toContain('callsheet accounts connect team');
    expect(JSON.stringify(error) + String(error?.cause)).not.toContain('token-');
    expect(peer.tokensAsked).toHaveLength(2);
  });

  test('waits as long as it is told before it asks again, and nobody else of the account asks meanwhile', async () => {
    answers(NEWS, { status: 429, headers: { 'retry-after': '7' }, body: problem('ApplicationThrottled') });
    answers('/me/messages/two', { status: 200, body: { id: 'two' } });
    const waits: number[] = [];
    const delay: Clock['delay'] = (fn, ms) => {
      waits.push(ms);
      return clock.delay(fn, ms);
    };
    const watched: Clock = { now: () => clock.now(), delay };
    const first = graphOf({ clock: watched }).json({ path: NEWS, scopes: READ });
    await until(() => waits.includes(7000));
    const second = await whileTimePasses(graphOf().json({ path: '/me/messages/two', scopes: READ }));
    expect(second.seconds).toBeGreaterThanOrEqual(7);
    expect(await first).toEqual({});
    expect(peer.asked.map(({ path }) => path).filter((path) => path === NEWS)).toHaveLength(2);
  });

  test('gives up at once where it is told to wait for long, and asks nothing until then', async () => {
    answers(NEWS, THROTTLED);
    const graph = graphOf();
    const error = await errorOf(graph.json({ path: NEWS, scopes: READ }));
    expect(error).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(await errorOf(graph.json({ path: NEWS, scopes: READ }))).toMatchObject({ retryable: true });
    expect(peer.asked).toHaveLength(1);
    clock.advance(600_000);
    expect(await graph.json({ path: NEWS, scopes: READ })).toEqual({});
  });

  test('gives up at once what waited for room while Microsoft asked to wait for long', async () => {
    answers('/$batch', THROTTLED);
    const graph = graphOf();
    // A batch takes all places.
    const batch = errorOf(graph.batch([{ path: NEWS, scopes: READ }]));
    const waiting = errorOf(graph.json({ path: '/me/messages/two', scopes: READ }));
    expect(await waiting).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    await batch;
    expect(peer.asked.map(({ path }) => path)).toEqual(['/$batch']);
  });

  test('asks nothing either where it is a part of a batch that is told to wait for long', async () => {
    answers(NEWS, THROTTLED);
    const graph = graphOf();
    const [answer] = await graph.batch([{ path: NEWS, scopes: READ }]);
    expect(answer).toMatchObject({ ok: false, error: { retryable: true } });
    expect(await errorOf(graph.json({ path: NEWS, scopes: READ }))).toMatchObject({ retryable: true });
    expect(peer.asked.map(({ path }) => path)).toEqual(['/$batch', NEWS]);
  });

  test('asks again after a passing failure, but never sends again what may have been done', async () => {
    const failure = { status: 503, body: problem('ErrorServerBusy') };
    answers(NEWS, failure, failure);
    expect((await whileTimePasses(graphOf().json({ path: NEWS, scopes: READ }))).outcome).toEqual({});
    expect(peer.asked).toHaveLength(3);
    answers('/me/sendMail', failure);
    const error = await errorOf(graphOf().json({ method: 'POST', path: '/me/sendMail', scopes: ['Mail.Send'] }));
    expect(error).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(peer.asked).toHaveLength(4);
  });

  test('asks four times, alone or in a batch, where a failure does not pass', async () => {
    const failures = Array.from({ length: 20 }, () => ({ status: 503, body: problem('ErrorServerBusy') }));
    answers(NEWS, ...failures);
    expect((await whileTimePasses(errorOf(graphOf().json({ path: NEWS, scopes: READ })))).outcome).toMatchObject({
      ...{ code: 'ACCOUNT_FAILED', retryable: true },
    });
    expect(peer.asked).toHaveLength(4);
    const batch = graphOf().batch([{ path: NEWS, scopes: READ }]);
    expect((await whileTimePasses(batch)).outcome).toMatchObject([{ ok: false, error: { retryable: true } }]);
    expect(peer.asked.filter(({ path }) => path === NEWS)).toHaveLength(8);
  });

  test('sends again what was throttled: that was not done', async () => {
    answers('/me/sendMail', { status: 429, headers: { 'retry-after': '1' } }, { status: 202 });
    const sent = graphOf().json({ method: 'POST', path: '/me/sendMail', scopes: ['Mail.Send'] });
    expect((await whileTimePasses(sent)).outcome).toEqual({});
  });

  test('has at most four requests of an account under way, whoever asks', async () => {
    await peer.close();
    peer = await startGraphPeer({ latencyMs: 20 });
    const id = peer.deliver(Buffer.from('Subject: one\r\n\r\nHello.'));
    const path = `/me/messages/${id}`;
    const asked = [graphOf(), graphOf()].flatMap((graph) =>
      Array.from({ length: 8 }, () => graph.json({ path, scopes: READ })),
    );
    await Promise.all(asked);
    expect(peer.mostAtOnce()).toBe(4);
  });

  test('lets an abort end a request, and those that wait for room or for time', async () => {
    await peer.close();
    peer = await startGraphPeer({ latencyMs: 200 });
    const abort = new AbortController();
    const graph = graphOf({ clock: systemClock });
    const asked = Array.from({ length: 8 }, () => graph.json({ path: NEWS, scopes: READ, signal: abort.signal }));
    const outcomes = Promise.allSettled(asked);
    await until(() => peer.mostAtOnce() === 4);
    abort.abort(new Error('enough'));
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { message: 'enough' } });
    // Nobody holds a place any more.
    expect(await errorOf(graph.json({ path: NEWS, scopes: READ }))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('ends a request that takes too long', async () => {
    await peer.close();
    peer = await startGraphPeer({ latencyMs: 60_000 });
    const asked = errorOf(graphOf({ timeoutMs: 5000 }).json({ path: NEWS, scopes: READ }));
    await until(() => peer.mostAtOnce() === 1);
    clock.advance(5000);
    expect(await asked).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
  });

  test('takes as long as it takes while something comes, and no longer', async () => {
    const body = new PassThrough();
    peer.intercept(() => ({ status: 200, body }));
    let limits = 0;
    const delay: Clock['delay'] = (fn, ms) => {
      limits++;
      return clock.delay(fn, ms);
    };
    const graph = graphOf({ timeoutMs: 60_000, clock: { now: () => clock.now(), delay } });
    const asked = errorOf(graph.bytes({ path: NEWS, scopes: READ, maxBytes: 1000 }));
    for (let piece = 1; piece <= 3; piece++) {
      body.write('piece');
      await until(() => limits === piece + 1);
      clock.advance(40_000);
    }
    clock.advance(20_000);
    expect(await asked).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    body.destroy();
  });

  test('goes through the pages of a collection', async () => {
    for (let n = 0; n < 5; n++) peer.deliver(Buffer.from(`Subject: ${n}\r\n\r\nHello.`));
    const ids: unknown[] = [];
    for await (const { id } of graphOf().items({ path: '/me/messages?$top=2', scopes: READ })) ids.push(id);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });

  test('sends no token to another host than the API, though an answer names one as its next page', async () => {
    const stranger = await startGraphPeer();
    try {
      answers('/me/messages', {
        status: 200,
        body: { 'value': [], '@odata.nextLink': `${stranger.api}/v1.0/me/messages` },
      });
      const all = async () => {
        for await (const _ of graphOf().items({ path: '/me/messages', scopes: READ }));
      };
      expect(await errorOf(all())).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: false });
      expect(stranger.asked).toEqual([]);
      expect(stranger.mostAtOnce()).toBe(0);
    } finally {
      await stranger.close();
    }
  });

  test('follows no redirect', async () => {
    const stranger = await startGraphPeer();
    try {
      answers(NEWS, { status: 302, headers: { location: `${stranger.api}/v1.0/me` } });
      expect(await errorOf(graphOf().json({ path: NEWS, scopes: READ }))).toMatchObject({ code: 'ACCOUNT_FAILED' });
      expect(stranger.mostAtOnce()).toBe(0);
    } finally {
      await stranger.close();
    }
  });

  test('reads no more of an answer than it is to take', async () => {
    const id = peer.deliver(Buffer.from(`Subject: one\r\n\r\n${'x'.repeat(5000)}`));
    const path = `/me/messages/${id}/$value`;
    expect(await errorOf(graphOf().bytes({ path, scopes: READ, maxBytes: 1000 }))).toMatchObject({ code: 'TOO_LARGE' });
    expect(await graphOf().bytes({ path, scopes: READ, maxBytes: 10_000 })).toHaveLength(5016);
  });

  test.each([
    {
      name: 'a missing scope',
      status: 403,
      code: 'ErrorAccessDenied',
      becomes: 'ACCOUNT_SCOPE_MISSING',
      says: /Mail\.Read/,
    },
    {
      name: 'a scope that nobody has agreed to',
      status: 403,
      code: 'Authorization_RequestDenied',
      becomes: 'ACCOUNT_SCOPE_MISSING',
      says: /Mail\.Read/,
    },
    {
      name: 'no mailbox',
      status: 404,
      code: 'MailboxNotEnabledForRESTAPI',
      becomes: 'ACCOUNT_FAILED',
      says: /no mailbox/,
    },
    {
      name: 'a mail that is gone',
      status: 404,
      code: 'ErrorItemNotFound',
      becomes: 'NOT_FOUND',
      says: /no longer has the requested item/,
    },
    {
      name: 'an id that is none',
      status: 400,
      code: 'ErrorInvalidIdMalformed',
      becomes: 'NOT_FOUND',
      says: /no longer has the requested item/,
    },
    { name: 'a race', status: 412, code: 'ErrorIrresolvableConflict', becomes: 'CONFLICT', says: /same time/ },
    { name: 'too much', status: 413, code: 'RequestEntityTooLarge', becomes: 'TOO_LARGE', says: /so large/ },
    {
      name: 'the address of somebody else',
      status: 403,
      code: 'ErrorSendAsDenied',
      becomes: 'ACCOUNT_FAILED',
      says: /send as/,
    },
    { name: 'a full mailbox', status: 403, code: 'ErrorQuotaExceeded', becomes: 'ACCOUNT_FAILED', says: /full/ },
    { name: 'a lost place', status: 410, code: 'syncStateNotFound', becomes: 'ACCOUNT_FAILED', says: /too old/ },
    {
      name: 'a request that nobody understands',
      status: 400,
      code: 'BadRequest',
      becomes: 'ACCOUNT_FAILED',
      says: /BadRequest/,
    },
  ])('says what is wrong: $name', async ({ status, code, becomes, says }) => {
    answers(NEWS, { status, body: problem(code) });
    const error = await errorOf(graphOf().json({ path: NEWS, scopes: READ }));
    expect(error?.code).toBe(becomes);
    expect(error?.message).toMatch(says);
    expect(error?.message).toContain('account team');
  });

  test.each(['resyncRequired', 'SyncStateNotFound', 'syncStateInvalid'])(
    'knows by %s that a place is lost',
    async (code) => {
      answers(NEWS, { status: 400, body: problem(code) });
      expect(isResync(await errorOf(graphOf().json({ path: NEWS, scopes: READ })))).toBe(true);
    },
  );

  test('says that nobody listens, and that something else answers in the place of Microsoft', async () => {
    answers(NEWS, { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Log in to the Wi-Fi</html>' });
    expect((await errorOf(graphOf().json({ path: NEWS, scopes: READ })))?.hint).toContain('proxy');
    const { api } = peer;
    await peer.close();
    const error = await errorOf(graphOf({ endpoints: { api } }).json({ path: NEWS, scopes: READ }));
    expect(error).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(error?.message).toContain('nothing listens');
  });

  describe('in batches', () => {
    const paths = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ path: `/me/messages/${n}`, scopes: READ }));
    const batchesOf = () =>
      peer.asked
        .filter(({ path }) => path === '/$batch')
        .map(({ body }) => (JSON.parse(body) as { requests: { url: string }[] }).requests.map(({ url }) => url));

    test('asks twenty at a time, and gives the answers in the order of the requests', async () => {
      peer.intercept(({ path, isInBatch }) => (isInBatch ? { status: 200, body: { path } } : undefined));
      const given = await graphOf().batch(paths(45));
      expect(given.map((one) => one.ok && one.body)).toEqual(paths(45).map(({ path }) => ({ path })));
      expect(batchesOf().map((urls) => urls.length)).toEqual([20, 20, 5]);
      expect(peer.asked.filter(({ isInBatch }) => isInBatch)[0]?.headers['prefer']).toContain('ImmutableId');
    });

    test('asks again alone for the parts that were throttled, after the longest wait that one of them asks for', async () => {
      const refused = new Set(['/me/messages/1', '/me/messages/3']);
      peer.intercept(({ path, isInBatch }) => {
        if (!isInBatch) return undefined;
        if (!refused.delete(path)) return { status: 200, body: { path } };
        return {
          status: 429,
          headers: { 'Retry-After': path.endsWith('1') ? '9' : '2' },
          body: problem('TooManyRequests'),
        };
      });
      const { outcome, seconds } = await whileTimePasses(graphOf().batch(paths(5)));
      expect(outcome).toMatchObject(paths(5).map(({ path }) => ({ ok: true, body: { path } })));
      expect(seconds).toBeGreaterThanOrEqual(9);
      expect(batchesOf()[1]).toEqual(['/me/messages/1', '/me/messages/3']);
    });

    test('gives each part its own outcome', async () => {
      peer.intercept(({ path, isInBatch }) => {
        if (!isInBatch) return undefined;
        return path.endsWith('1')
          ? { status: 403, body: problem('ErrorAccessDenied') }
          : { status: 200, body: { path } };
      });
      const given = await graphOf().batch(paths(3));
      expect(given.map(({ ok }) => ok)).toEqual([true, false, true]);
      expect(given[1]).toMatchObject({ error: { code: 'ACCOUNT_SCOPE_MISSING' } });
      expect(batchesOf()).toHaveLength(1);
    });

    test('asks again for a part that the answer leaves out, but not where that may do it twice', async () => {
      let isFirst = true;
      peer.intercept(({ path, body }) => {
        if (path !== '/$batch' || !isFirst) return undefined;
        isFirst = false;
        const { requests } = JSON.parse(body) as { requests: { id: string }[] };
        return { status: 200, body: { responses: requests.slice(2).map(({ id }) => ({ id, status: 204 })) } };
      });
      const requests = [{ ...paths(1)[0], method: 'POST', path: '/me/messages' } as const, ...paths(2)];
      const { outcome } = await whileTimePasses(graphOf().batch(requests.map((one) => ({ ...one, scopes: READ }))));
      expect(outcome).toMatchObject([
        { ok: false, error: { code: 'ACCOUNT_FAILED', retryable: true } },
        { ok: false, error: { code: 'NOT_FOUND' } },
        { ok: true, status: 204 },
      ]);
      expect(batchesOf()[1]).toEqual(['/me/messages/0']);
    });
  });
});
