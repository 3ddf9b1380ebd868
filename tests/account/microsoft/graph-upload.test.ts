import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EngineError } from '../../../engine/src/base/error.ts';
import type { Graph } from '../../../engine/src/account/microsoft/graph.ts';
import { createGraph } from '../../../engine/src/account/microsoft/graph-client.ts';
import { hastyClock } from '../../mail/hasty-clock.ts';
import { until } from '../../mail/until.ts';
import { type GraphPeer, startGraphPeer } from './graph-peer.ts';

const scopes = ['Mail.ReadWrite'];
const RANGE = 4 * 320 * 1024;

describe('a file for an upload session', () => {
  const bytes = Buffer.alloc(3 * RANGE + 100_001, 'callsheet');
  let peer: GraphPeer;
  let graph: Graph;
  let arrived: Buffer[];
  beforeEach(async () => {
    peer = await startGraphPeer();
    graph = createGraph({ accountId: 'team', tokens: peer.tokens, endpoints: { api: peer.api }, clock: hastyClock });
    arrived = [];
  });
  afterEach(() => peer.close());

  const open = () => String(peer.uploads.open(bytes.length, (whole) => void arrived.push(whole))['uploadUrl']);
  const upload = (uploadUrl = open(), more: { signal?: AbortSignal } = {}) =>
    graph.upload({ uploadUrl, bytes, scopes, ...more });
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as EngineError,
    );

  test('goes in ranges of a multiple of 320 KiB, in their order and without a token', async () => {
    expect(await upload()).toBe(true);
    expect(arrived).toEqual([bytes]);
    const total = bytes.length;
    expect(peer.uploads.puts).toEqual(
      [0, 1, 2, 3].map((n) => ({
        range: `bytes ${n * RANGE}-${Math.min((n + 1) * RANGE, total) - 1}/${total}`,
        authorization: undefined,
        size: Math.min(RANGE, total - n * RANGE),
      })),
    );
    expect(peer.tokensAsked).toEqual([]);
  });

  test.each([
    { name: 'in the middle of a range', mishap: 'cut' },
    { name: 'after a range, before its answer', mishap: 'cut late' },
    { name: 'by a server that is busy', mishap: { status: 503 } },
    { name: 'by a server that asks to wait', mishap: { status: 429, headers: { 'retry-after': '1' } } },
    { name: 'by a server that wants another range', mishap: { status: 416 } },
  ] as const)('goes on where the session says when it is broken off $name', async ({ mishap }) => {
    peer.uploads.mishap(2, mishap);
    expect(await upload()).toBe(true);
    expect(arrived[0]?.equals(bytes)).toBe(true);
    expect(peer.uploads.gets()).toBe(1);
  });

  test.each([404, 410] as const)('is given up where the session has run out (%i)', async (status) => {
    peer.uploads.expireAt(3, status);
    expect(await upload()).toBe(false);
    expect(peer.uploads.puts).toHaveLength(3);
    expect(arrived).toEqual([]);
  });

  test('is left open where the answer to the last range is lost', async () => {
    peer.uploads.mishap(4, 'cut late');
    expect(await upload()).toBe(false);
    expect(arrived).toHaveLength(1);
  });

  test('is left open where the server does not say how far it has come', async () => {
    peer.uploads.keepSilent();
    peer.uploads.mishap(2, 'cut');
    expect(await upload()).toBe(false);
    expect(arrived).toEqual([]);
  });

  test('is tried so often and no more where nothing gets further', async () => {
    for (let nth = 2; nth < 20; nth++) peer.uploads.mishap(nth, { status: 503 });
    expect(await errorOf(upload())).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: true });
    expect(peer.uploads.puts).toHaveLength(5);
  });

  test('is given up where the server takes ranges and never wants another one', async () => {
    for (let nth = 2; nth < 20; nth++)
      peer.uploads.mishap(nth, { status: 200, body: { nextExpectedRanges: [String(RANGE)] } });
    expect(await upload()).toBe(false);
    expect(peer.uploads.puts).toHaveLength(5);
  });

  test('is not taken for complete before its end', async () => {
    peer.uploads.mishap(2, { status: 201 });
    expect(await upload()).toBe(false);
  });

  test('is refused as too large', async () => {
    peer.uploads.mishap(1, { status: 413 });
    expect(await errorOf(upload())).toMatchObject({ code: 'TOO_LARGE', retryable: false });
  });

  test('never has its address in an error, whatever the server answers', async () => {
    peer.uploads.mishap(1, { status: 400 });
    const error = await errorOf(upload());
    expect(error).toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining(peer.uploads.origin.slice(7)),
    });
    expect(JSON.stringify([error, error?.message, error?.stack, error?.cause])).not.toMatch(/secret|authtoken/);
  });

  test.each([
    { name: 'no address', address: '' },
    { name: 'plain text on another host', address: 'http://outlook.example/upload?authtoken=secret' },
    { name: 'a file', address: 'file:///tmp/x' },
    { name: 'an address with a password', address: 'https://user:secret@outlook.example/upload' },
  ])('goes nowhere where Graph names $name', async ({ address }) => {
    const error = await errorOf(upload(address));
    expect(error).toMatchObject({ code: 'ACCOUNT_FAILED', retryable: false });
    expect(error?.message).not.toContain('secret');
  });

  test('goes to this machine in plain text only from a Graph that is on it, too', async () => {
    const far = createGraph({ accountId: 'team', tokens: peer.tokens, clock: hastyClock });
    expect(await errorOf(far.upload({ uploadUrl: open(), bytes, scopes }))).toMatchObject({ code: 'ACCOUNT_FAILED' });
    expect(peer.uploads.puts).toEqual([]);
  });

  test('follows nobody to another host', async () => {
    peer.uploads.mishap(1, { status: 307, headers: { location: `${peer.api}/v1.0/me` } });
    expect(await errorOf(upload())).toMatchObject({ code: 'ACCOUNT_FAILED' });
    expect(peer.asked).toEqual([]);
  });

  test('stops with the reason of an abort', async () => {
    const abort = new AbortController();
    peer.uploads.mishap(2, 'silence');
    const outcome = errorOf(upload(open(), { signal: abort.signal }));
    await until(() => peer.uploads.puts.length === 2);
    abort.abort(new Error('enough'));
    expect((await outcome)?.message).toBe('enough');
  });
});
