import type { Context, Middleware } from 'koa';
import { EngineError } from '../../base/error.ts';
import type { AddRoutes, Services } from '../api.ts';
import { markSignedIn } from '../connections.ts';
import { SESSION_MS } from './browser-sessions.ts';

const COOKIE = 'vx.session';

/** Routes that need no session. */
const PUBLIC = /^\/api\/(?:health|auth(?:\/.*)?|oauth2\/(?:google|outlook)\/callback)$/;

/**
 * `/?token=…` sets the cookie and redirects to `/`, so that the token does not stay in the browser history. With a wrong token, a
 * signed-in browser is redirected too; any other gets 401 with a hint.
 */
export function tokenLink({ sessions }: Services): Middleware {
  return (ctx, next) => {
    const token = ctx.query['token'];
    if (ctx.path !== '/' || ctx.method !== 'GET' || token === undefined) return next();
    if (typeof token === 'string' && sessions.isToken(token)) setCookie(ctx, sessions.open(), SESSION_MS / 1000);
    else if (!sessions.isOpen(cookieOf(ctx))) return refuseLink(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.status = 303;
    ctx.redirect('/');
    return undefined;
  };
}

function refuseLink(ctx: Context): void {
  ctx.status = 401;
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body =
    'This link is no longer valid: Callsheet was restarted.\nOpen the URL that "callsheet start" printed last.\n';
}

/** Dependencies of the login check. */
export interface LoginDeps {
  readonly sessions: Pick<Services['sessions'], 'isToken' | 'isOpen'>;
}

/** Requires the token or a session. `UNAUTHORIZED`. */
export function requireSession({ sessions }: LoginDeps): Middleware {
  return (ctx, next) => {
    if (isPublic(ctx)) return next();
    if (!isSignedIn(ctx, sessions)) throw unauthorized();
    markSignedIn(ctx.req.socket);
    return next();
  };
}

/** Whether a route needs no session. Such a route must read no body. */
export function isPublic(ctx: Context): boolean {
  return PUBLIC.test(ctx.path);
}

/** `GET /api/auth/whoami` · `POST /api/auth/logout` */
export const loginRoutes: AddRoutes = (router, { sessions }) => {
  router.get('/auth/whoami', (ctx) => {
    if (!isSignedIn(ctx, sessions)) throw unauthorized();
    ctx.body = { user: { id: 'local', name: 'Local user' } };
  });
  router.post('/auth/logout', async (ctx) => {
    await sessions.end(cookieOf(ctx));
    setCookie(ctx, '', 0);
    ctx.status = 204;
  });
};

function isSignedIn(ctx: Context, sessions: LoginDeps['sessions']): boolean {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization')) ?? [];
  if (bearer !== undefined) return sessions.isToken(bearer);
  return sessions.isOpen(cookieOf(ctx));
}

function unauthorized(): EngineError {
  return new EngineError('UNAUTHORIZED', 'not signed in', {
    hint: 'open the URL that callsheet start printed, or send "Authorization: Bearer <token>"',
  });
}

function cookieOf(ctx: Context): string {
  return ctx.cookies.get(COOKIE) ?? '';
}

/** Not `Secure`: the server uses plain HTTP, on this machine only. */
function setCookie(ctx: Context, value: string, maxAgeSeconds: number): void {
  ctx.set('Set-Cookie', `${COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`);
}
