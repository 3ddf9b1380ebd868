import type { Context, Middleware } from 'koa';
import { EngineError } from '../../base/error.ts';
import { isLoopbackAddress } from '../../base/network-host.ts';
import type { Access } from '../access.ts';
import { LOCAL_ACCESS } from './read-access.ts';
import { isSecure, peerOf } from './forwarded.ts';

/** Host names of this machine. Any other name in `Host` is a foreign domain that resolves to this machine. */
const HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const HSTS = 'max-age=31536000; includeSubDomains';

/**
 * Accepts only requests of the viewer and of programs (design.md, Safety): checks `Host` against DNS rebinding, `Origin` and
 * `Sec-Fetch-Site` against other sites in the same browser. A top-level GET navigation (a followed link) needs only the right
 * `Host`. Programs send neither header. `FORBIDDEN`.
 *
 * `Host` is that of the public address, or a name of this machine in a connection from this machine. With a public https address,
 * plain HTTP is redirected there (only GET and HEAD; all else is `FORBIDDEN`), and the names of this machine are for programs with
 * the token, and for the health check.
 */
export function ownOrigin(access: Access = LOCAL_ACCESS): Middleware {
  return (ctx, next) => {
    const origins = originsOf(ctx, access);
    if (origins === undefined)
      throw new EngineError('FORBIDDEN', `"${ctx.req.headers.host ?? ''}" is not a host name of this server`, {
        hint: 'use the URL that callsheet start printed',
      });
    if (!isNavigation(ctx)) {
      const origin = ctx.get('Origin');
      if (origin !== '' && !origins.some((own) => isSameOrigin(own, origin))) throw stranger(origin);
      const site = ctx.get('Sec-Fetch-Site');
      if (site !== '' && site !== 'same-origin' && site !== 'none') throw stranger(`a ${site} page`);
    }
    if (!access.isProduction) return next();
    const isPublic = origins[0] === access.publicOrigin;
    if (isPublic && isSecure(ctx.req, access)) {
      ctx.set('Strict-Transport-Security', HSTS);
      return next();
    }
    return !isPublic && isForPrograms(ctx) ? next() : toHttps(ctx, access.publicOrigin ?? '');
  };
}

/** The origin at which a client reached the server; only for requests whose `Host` was checked. */
export function originOf(ctx: Context, { publicOrigin }: Access): string {
  const host = ctx.req.headers.host ?? '';
  return publicOrigin !== undefined && isHostOf(publicOrigin, host) ? publicOrigin : `http://${host}`;
}

/** The origins of pages that may send this request; undefined if `Host` is foreign. */
function originsOf(ctx: Context, { publicOrigin }: Access): readonly string[] | undefined {
  const host = ctx.req.headers.host ?? '';
  if (publicOrigin !== undefined && isHostOf(publicOrigin, host)) return [publicOrigin];
  const port = ctx.req.socket.localPort;
  if (!isOurs(host, port) || !isLoopbackAddress(peerOf(ctx.req))) return undefined;
  return [...HOSTS].map((name) => `http://${name}:${port}`);
}

function isOurs(host: string, port: number | undefined): boolean {
  const [, name = '', given = '80'] = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(host) ?? [];
  return HOSTS.has(name.toLowerCase()) && Number(given) === port;
}

/** Whether `Host` is that of an origin, with or without its default port. */
function isHostOf(origin: string, host: string): boolean {
  const { protocol, host: own, port } = new URL(origin);
  const usual = protocol === 'https:' ? ':443' : ':80';
  const given = host.toLowerCase();
  return given === own || (port === '' && given === `${own}${usual}`);
}

function isSameOrigin(own: string, given: string): boolean {
  return given.toLowerCase() === own || given.toLowerCase() === own.replace(/:80$/, '');
}

function isNavigation(ctx: Context): boolean {
  return isRead(ctx) && ctx.get('Sec-Fetch-Mode') === 'navigate' && ctx.get('Sec-Fetch-Dest') === 'document';
}

function isRead(ctx: Context): boolean {
  return ctx.method === 'GET' || ctx.method === 'HEAD';
}

/** Whether a program of this machine asks: it sends the token with each request, and no browser does. */
function isForPrograms(ctx: Context): boolean {
  return ctx.get('Authorization') !== '' || /^\/api\/(?:v1\/)?health$/.test(ctx.path);
}

/** The token never goes along: addresses are written to logs. */
function toHttps(ctx: Context, publicOrigin: string): void {
  if (!isRead(ctx))
    throw new EngineError('FORBIDDEN', 'this server accepts changes by https only', {
      hint: `send them to ${publicOrigin}`,
    });
  // A request can name any text as its address; only a path may follow the origin.
  const place = ctx.originalUrl.startsWith('/') && ctx.query['token'] === undefined ? ctx.originalUrl : '/';
  ctx.status = 307;
  ctx.set('Location', `${publicOrigin}${place}`);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}

function stranger(who: string): EngineError {
  return new EngineError('FORBIDDEN', `requests from ${who} are not allowed`, {
    hint: 'only pages of this server, and programs with its token, may send requests',
  });
}
