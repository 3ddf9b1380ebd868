import type { Context, Middleware } from 'koa';
import { EngineError } from '../../base/error.ts';

/** Host names of this machine. Any other name in `Host` is a foreign domain that resolves to this machine. */
const HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Accepts only requests of the viewer and of programs on this machine (design.md, Safety): checks `Host` against DNS rebinding,
 * `Origin` and `Sec-Fetch-Site` against other sites in the same browser. A top-level GET navigation (a followed link) needs only
 * the right `Host`. Programs send neither header. `FORBIDDEN`.
 */
export function ownOrigin(): Middleware {
  return (ctx, next) => {
    const host = ctx.req.headers.host ?? '';
    if (!isOurs(host, ctx.req.socket.localPort))
      throw new EngineError('FORBIDDEN', `"${host}" is not a host name of this server`, {
        hint: 'use the URL that callsheet start printed',
      });
    if (!isNavigation(ctx)) {
      const origin = ctx.get('Origin');
      if (origin !== '' && !isOurOrigin(origin, ctx.req.socket.localPort)) throw stranger(origin);
      const site = ctx.get('Sec-Fetch-Site');
      if (site !== '' && site !== 'same-origin' && site !== 'none') throw stranger(`a ${site} page`);
    }
    return next();
  };
}

function isOurs(host: string, port: number | undefined): boolean {
  const [, name = '', given = '80'] = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(host) ?? [];
  return HOSTS.has(name.toLowerCase()) && Number(given) === port;
}

function isOurOrigin(origin: string, port: number | undefined): boolean {
  return origin.startsWith('http://') && isOurs(origin.slice('http://'.length), port);
}

function isNavigation(ctx: Context): boolean {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  return isRead && ctx.get('Sec-Fetch-Mode') === 'navigate' && ctx.get('Sec-Fetch-Dest') === 'document';
}

function stranger(who: string): EngineError {
  return new EngineError('FORBIDDEN', `requests from ${who} are not allowed`, {
    hint: 'only pages of this server, and programs with its token, may send requests',
  });
}
