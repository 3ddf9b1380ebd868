import { EngineError } from '../../base/error.ts';
import type { AddRoutes, RouteContext, Services } from '../api.ts';
import { addCookie } from '../http/cookie.ts';
import { clientOf } from '../http/forwarded.ts';
import { asPage, isBrowser } from '../http/message-page.ts';
import { queryText } from '../http/query.ts';
import { originOf } from '../http/same-origin.ts';
import { SIGN_IN_MS } from './google-login.ts';
import { setSessionCookie } from './login.ts';

const CALLBACK = '/api/auth/google/callback';
/** Addresses inside the viewer; everything else leads to its first page, so that no link leads away from here. */
const PLACE = /^#\/[A-Za-z0-9_.~%/-]{0,300}$/;

/**
 * `GET /api/auth/google/initiate?place=`: redirects a browser to Google, answers a program `{ authorizeUrl }` ·
 * `GET /api/auth/google/callback`: stores the person, sets `vx.session`, and redirects to the viewer with the key of the page.
 * Neither needs a session; a sealed cookie ties the answer of Google to the browser that began. `NOT_FOUND` without the OAuth
 * client of the sign-in. `LOGIN_LIMIT`; errors of `GoogleLogin`.
 */
export const googleRoutes: AddRoutes = (router, services) => {
  router.get('/auth/google/initiate', (ctx) =>
    asPage(ctx, { title: 'Not signed in', access: services.access }, () => begin(ctx, services)),
  );
  router.get('/auth/google/callback', (ctx) =>
    asPage(ctx, { title: 'Not signed in', access: services.access }, () => finish(ctx, services)),
  );
};

async function begin(ctx: RouteContext, { login, loginLimit, access }: Services): Promise<void> {
  if (login === undefined) throw withoutLogin();
  loginLimit.take(clientOf(ctx.req, access));
  const place = queryText(ctx, 'place') ?? '';
  const begun = await login.begin({
    redirectUri: originOf(ctx, access) + CALLBACK,
    place: PLACE.test(place) ? place : '',
  });
  addCookie(ctx, { name: ticketName(access), value: begun.ticket, ageMs: SIGN_IN_MS }, access);
  if (!isBrowser(ctx)) return void (ctx.body = { authorizeUrl: begun.authorizeUrl });
  ctx.status = 303;
  ctx.redirect(begun.authorizeUrl);
}

async function finish(ctx: RouteContext, { login, loginLimit, access, sessions, users }: Services): Promise<void> {
  if (login === undefined) throw withoutLogin();
  loginLimit.take(clientOf(ctx.req, access));
  const name = ticketName(access);
  const ticket = ctx.cookies.get(name) ?? '';
  // One sign-in, one answer.
  addCookie(ctx, { name, value: '', ageMs: 0 }, access);
  const returned = new URL(`${originOf(ctx, access)}${CALLBACK}?${ctx.querystring}`);
  const { identity, place } = await login.finish(returned, ticket);
  const person = await users.signIn(identity);
  // Never the session that the browser had: somebody else may have put its cookie there.
  const session = sessions.openFor(person.id);
  setSessionCookie(ctx, session.cookie, session.leftMs, access);
  ctx.status = 303;
  // Not ctx.redirect, which would encode the fragment.
  ctx.set('Location', `/#key=${session.key}${place.slice(1)}`);
  ctx.body = '';
}

/** With https the prefix keeps other servers of the domain from setting the cookie. */
function ticketName({ isProduction }: Services['access']): string {
  return isProduction ? '__Host-vx.signin' : 'vx.signin';
}

function withoutLogin(): EngineError {
  return new EngineError('NOT_FOUND', 'this Callsheet has no sign-in with Google', {
    hint: 'open the URL that callsheet start printed, or set GOOGLE_LOGIN_CLIENT_ID and GOOGLE_LOGIN_CLIENT_SECRET',
  });
}
