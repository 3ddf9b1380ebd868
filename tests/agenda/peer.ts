import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { bodyParser } from '@koa/bodyparser';
import Koa, { type Context } from 'koa';
import type { Clock } from '../../engine/src/base/clock.ts';
import type { AccountTokens } from '../../engine/src/account/account.ts';

/** Limits of a request, which a test does not wait for. */
const LONG_MS = 30_000;

/** A request that a peer has seen. */
export interface Seen {
  readonly method: string;
  /** Path and query, decoded. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly prefer: string;
  readonly body: unknown;
}

/** What a peer does with the next request that writes. */
export type Trouble =
  /** None. */
  | 'pass'
  /** It is carried out, and the connection cut before the answer. */
  | 'lose answer'
  /** The connection is cut, and nothing carried out. */
  | 'lose request'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

/** A stand-in for a provider's API on loopback. */
export interface Peer {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** What becomes of the next requests of a method, one after the other. */
  meet(method: string, ...troubles: readonly Trouble[]): void;
  /** Accepts no other token from now on. */
  accept(token: string): void;
  close(): Promise<void>;
}

export interface PeerCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly prefer: string;
  readonly body: Record<string, unknown>;
  readonly url: string;
}

export interface PeerAnswer {
  readonly status?: number;
  readonly body?: unknown;
}

/** Serves what `answer` says; an undefined one is a 404 as `notFound` words it. */
export async function startPeer(
  answer: (call: PeerCall) => PeerAnswer | undefined,
  words: { readonly unauthorized: object; readonly notFound: object },
): Promise<Peer> {
  const seen: Seen[] = [];
  const troubles = new Map<string, Trouble[]>();
  let token: string | undefined;
  let url = '';
  const cut = (ctx: Context) => {
    ctx.respond = false;
    ctx.req.socket.destroy();
  };
  const app = new Koa();
  app.silent = true;
  app.use(bodyParser());
  app.use((ctx) => {
    const query = Object.fromEntries(new URLSearchParams(ctx.querystring));
    const body = (ctx.request.body ?? {}) as Record<string, unknown>;
    const prefer = ctx.get('prefer');
    seen.push({ method: ctx.method, url: decodeURIComponent(ctx.url), query, prefer, body });
    if (token !== undefined && ctx.get('authorization') !== `Bearer ${token}`)
      return Object.assign(ctx, { status: 401, body: words.unauthorized });
    const trouble = troubles.get(ctx.method)?.shift();
    if (trouble === 'lose request') return cut(ctx);
    if (typeof trouble === 'object') {
      ctx.set({ ...trouble.headers });
      return Object.assign(ctx, { status: trouble.status, body: trouble.body ?? {} });
    }
    const call = { method: ctx.method, path: decodeURIComponent(ctx.path), query, prefer, body, url };
    const { status = 200, body: said = {} } = answer(call) ?? { status: 404, body: words.notFound };
    if (trouble === 'lose answer') return cut(ctx);
    return Object.assign(ctx, { status, body: said });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    meet: (method, ...more) => void troubles.set(method, [...(troubles.get(method) ?? []), ...more]),
    accept: (one) => void (token = one),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Tokens `token-1`, `token-2`, …: another one after each that was refused. `asked` are the scopes of each time. */
export function playTokens(): AccountTokens & { readonly asked: readonly (readonly string[])[] } {
  const asked: (readonly string[])[] = [];
  let number = 1;
  return {
    asked,
    accessToken({ scopes, refused, signal }) {
      signal?.throwIfAborted();
      asked.push(scopes);
      if (refused === `token-${number}`) number++;
      return Promise.resolve(`token-${number}`);
    },
  };
}

/** A clock for which nothing has to be waited: short delays are over at once, and `waits` has them; long ones never end. */
export function hastyClock(nowMs = Date.UTC(2026, 10, 22, 12)): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    delay(fn, ms) {
      if (ms >= LONG_MS) return () => {};
      waits.push(ms);
      const timer = setImmediate(fn);
      return () => clearImmediate(timer);
    },
  };
}
