import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { EngineError } from '../../base/error.ts';
import type { AddRoutes, OpenSession, Services } from '../api.ts';
import { markSignedIn } from '../connections.ts';
import type { Access } from '../access.ts';
import { addCookie } from '../http/cookie.ts';
import { LOCAL, personOf, setPerson } from './person.ts';

const COOKIE = 'vx.session';
/** Carries the key of a session beside its cookie. Where a browser can send no header, `?key=` of a GET carries it. */
const KEY_HEADER = 'X-Callsheet-Key';

/** Routes that need no session. */
const PUBLIC = /^\/api\/(?:health|auth(?:\/.*)?|oauth2\/(?:google|outlook)\/callback|approvals\/link\/[^/]+)$/;

/** The sessions of the requests in work. */
const sessionsInUse = new WeakMap<IncomingMessage, OpenSession>();

/**
 * `/?token=…` sets the cookie and redirects to `/#key=…`, so that the token does not stay in the browser history. The page moves
 * the key into its storage, which no other port can read. With a wrong token, a browser with a valid cookie is redirected to `/`;
 * any other gets 401 with a hint.
 */
export function tokenLink({ sessions, access }: Pick<Services, 'sessions' | 'access'>): Middleware {
  return async (ctx, next) => {
    const token = ctx.query['token'];
    if (ctx.path !== '/' || ctx.method !== 'GET' || token === undefined) return next();
    const isRight = typeof token === 'string' && (await sessions.isToken(token));
    if (!isRight && !sessions.hasCookie(cookieOf(ctx))) return refuseLink(ctx);
    const session = isRight ? sessions.open(cookieOf(ctx)) : undefined;
    if (session !== undefined) setSessionCookie(ctx, session.cookie, session.leftMs, access);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.status = 303;
    // Not ctx.redirect, which would encode the fragment.
    ctx.set('Location', session === undefined ? '/' : `/#key=${session.key}`);
    ctx.body = '';
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
  readonly sessions: Pick<Services['sessions'], 'isToken' | 'find'>;
  readonly users: Pick<Services['users'], 'find'>;
  readonly access: Access;
}

/**
 * Requires the token, or a session: its cookie and its key; and of a person who signed in, that the settings still name them.
 * Prolongs the session. `UNAUTHORIZED`.
 */
export function requireSession(deps: LoginDeps): Middleware {
  return async (ctx, next) => {
    if (isPublic(ctx)) return next();
    if (!(await isSignedIn(ctx, deps))) throw unauthorized();
    markSignedIn(ctx.req.socket);
    return next();
  };
}

/** Whether a route needs no session. Such a route must read no body before it knows who sends it. */
export function isPublic(ctx: Context): boolean {
  return PUBLIC.test(ctx.path);
}

/** The browser session of a request that passed the check; undefined if it came with the token. */
export function sessionOf(ctx: Context): OpenSession | undefined {
  return sessionsInUse.get(ctx.req);
}

/**
 * `GET /api/auth/whoami` `{ user: { id, name, email?, role } }` · `GET /api/auth/methods` `{ methods }`: `google` if people
 * can sign in with it · `POST /api/auth/logout` · `DELETE /api/browser-sessions`: ends all sessions of browsers
 */
export const loginRoutes: AddRoutes = (router, services) => {
  const { sessions, access, login } = services;
  router.get('/auth/whoami', async (ctx) => {
    if (!(await isSignedIn(ctx, services))) throw unauthorized();
    ctx.body = { user: personOf(ctx) };
  });
  router.get('/auth/methods', (ctx) => {
    ctx.body = { methods: login === undefined ? [] : ['google'] };
  });
  router.post('/auth/logout', async (ctx) => {
    const session = sessions.find(cookieOf(ctx), keyOf(ctx));
    if (session !== undefined) await sessions.end(session);
    setSessionCookie(ctx, '', 0, access);
    ctx.status = 204;
  });
  router.delete('/browser-sessions', (ctx) => {
    sessions.endAll();
    setSessionCookie(ctx, '', 0, access);
    ctx.status = 204;
  });
};

async function isSignedIn(ctx: Context, { sessions, users, access }: LoginDeps): Promise<boolean> {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization')) ?? [];
  if (bearer !== undefined) {
    if (!(await sessions.isToken(bearer))) return false;
    setPerson(ctx, LOCAL);
    return true;
  }
  if (sessionsInUse.has(ctx.req)) return true;
  const session = sessions.find(cookieOf(ctx), keyOf(ctx));
  const person = session && (await users.find(session.person));
  if (session === undefined || person === undefined) return false;
  sessionsInUse.set(ctx.req, session);
  setPerson(ctx, person);
  if (session.isRenewed) setSessionCookie(ctx, session.cookie, session.leftMs, access);
  return true;
}

function unauthorized(): EngineError {
  return new EngineError('UNAUTHORIZED', 'not signed in', {
    hint: 'sign in, open the URL that callsheet start printed, or send "Authorization: Bearer <token>"',
  });
}

function cookieOf(ctx: Context): string {
  return ctx.cookies.get(COOKIE) ?? '';
}

/** A key in an address cannot change anything: addresses are stored in more places than headers. */
function keyOf(ctx: Context): string {
  const header = ctx.get(KEY_HEADER);
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const query = isRead ? ctx.query['key'] : undefined;
  return header === '' && typeof query === 'string' ? query : header;
}

/** Sets the cookie of a session; with an age of 0 deletes it. */
export function setSessionCookie(ctx: Context, value: string, ageMs: number, access: Access): void {
  addCookie(ctx, { name: COOKIE, value, ageMs }, access);
}
