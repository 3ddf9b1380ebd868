import { EngineError, errorBody } from '../../base/error.ts';
import { CLOUD_PROVIDERS, type CloudProvider, PROVIDER_NAMES } from '../../account/scopes.ts';
import type { SignedIn } from '../../account/oauth/sign-in.ts';
import type { RouteContext, AddRoutes, Services } from '../api.ts';
import { flag, optional, readBody, text } from '../http/body.ts';
import { asPage, homeOf, isBrowser, messagePage } from '../http/message-page.ts';
import { queryText } from '../http/query.ts';
import { originOf } from '../http/same-origin.ts';

/** Hosts of redirect addresses. Google's desktop clients accept any port of 127.0.0.1, Microsoft's any port of `localhost` only. */
const HOSTS: Readonly<Record<CloudProvider, string>> = { gmail: '127.0.0.1', outlook: 'localhost' };

/**
 * `GET /api/oauth2/google/initiate?accountId=`: redirects a browser, answers a program `{ authorizeUrl, attempt,
 * expiresAt }` · `POST` of the same `{ accountId, plaintext? }` · `GET /api/oauth2/google/callback`: needs no session, since
 * its `state` proves who began (RFC 6749, 10.12) · `GET /api/oauth2/attempts/:id` `{ state, accountId, message? }` · the same
 * under `outlook`.
 */
export const oauthRoutes: AddRoutes = (router, services) => {
  const { signIns, access } = services;
  const shownAs = { title: 'Not connected', access, place: '#/config' };
  router.get('/oauth2/attempts/:id', async (ctx) => {
    ctx.body = await signIns.outcome(String(ctx.params['id']));
  });
  for (const provider of CLOUD_PROVIDERS) {
    const { route } = PROVIDER_NAMES[provider];
    router.get(`/oauth2/${route}/initiate`, (ctx) => asPage(ctx, shownAs, () => initiate(ctx, services, provider)));
    router.post(`/oauth2/${route}/initiate`, async (ctx) => {
      const { accountId, plaintext } = readBody(ctx, { accountId: text, plaintext: optional(flag) });
      expectProvider(services, accountId, provider);
      const how = { redirectUri: redirectUri(ctx, provider, services.access), allowsPlaintext: plaintext === true };
      ctx.body = shown(await signIns.begin(accountId, how));
    });
    router.get(`/oauth2/${route}/callback`, (ctx) => asPage(ctx, shownAs, () => callback(ctx, services, provider)));
  }
};

/** The redirect address of a provider for sign-ins on this server. */
export function redirectUri(ctx: RouteContext, provider: CloudProvider, access: Services['access']): string {
  const path = `/api/oauth2/${PROVIDER_NAMES[provider].route}/callback`;
  if (originOf(ctx, access) === access.publicOrigin) return access.publicOrigin + path;
  return `http://${HOSTS[provider]}:${ctx.req.socket.localPort}${path}`;
}

async function initiate(ctx: RouteContext, services: Services, provider: CloudProvider): Promise<void> {
  const accountId = queryText(ctx, 'accountId');
  if (accountId === undefined) throw new EngineError('BAD_REQUEST', '"accountId" is missing in the query');
  expectProvider(services, accountId, provider);
  const begun = await services.signIns.begin(accountId, { redirectUri: redirectUri(ctx, provider, services.access) });
  if (!isBrowser(ctx)) return void (ctx.body = shown(begun));
  ctx.status = 303;
  ctx.redirect(begun.authorizeUrl);
}

async function callback(ctx: RouteContext, services: Services, provider: CloudProvider): Promise<void> {
  const { fetcher, deps, signIns, access } = services;
  const state = queryText(ctx, 'state') ?? '';
  const returned = { provider, state, code: queryText(ctx, 'code'), error: queryText(ctx, 'error') };
  const done = await signIns.finish(returned);
  const { state: fetching } = fetcher.status();
  // Pages that show the state of the account reload it.
  deps.live.publish('fetcher', { state: fetching });
  if (fetching === 'running')
    fetcher.fetch().catch((error: unknown) => deps.log.error('fetching failed', { ...errorBody(error) }));
  if (!isBrowser(ctx)) return void (ctx.body = done);
  const home = `${homeOf(ctx, access)}#/config`;
  messagePage(ctx, { title: `${done.accountId} is connected`, lines: tell(done), isDone: true, home });
}

function tell({ address, missing }: SignedIn): string[] {
  const who = `You are signed in as ${address}. You can close this tab.`;
  if (missing.length === 0) return [who];
  return [who, `Not granted, but used by the config: ${missing.join(', ')}. Sign in again to grant it.`];
}

function expectProvider({ connections }: Services, accountId: string, provider: CloudProvider): void {
  const found = connections.accountOf(accountId).provider;
  if (found !== provider) throw new EngineError('BAD_REQUEST', `account ${accountId} is at ${found}, not ${provider}`);
}

function shown({ expiresAt, ...begun }: Awaited<ReturnType<Services['signIns']['begin']>>): object {
  return { ...begun, expiresAt: new Date(expiresAt).toISOString() };
}
