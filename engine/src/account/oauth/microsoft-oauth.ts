import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { NATIONAL_CLOUDS, WORLDWIDE } from '../../config/validate/microsoft-cloud.ts';
import { type TokenGrant, type OAuthClient, REQUEST_MS } from './oauth-client.ts';
import { createNetwork, type MsalNetwork } from './microsoft-network.ts';
import { oauthError } from './oauth-error.ts';
import { type Endpoints, withoutSlash } from '../account.ts';

export interface MicrosoftOptions {
  readonly accountId: string;
  readonly clientId: string;
  /** Absent for a client of the platform "Mobile and desktop applications". */
  readonly clientSecret?: string | undefined;
  readonly tenant: string;
  readonly endpoints?: Endpoints | undefined;
  readonly clock: Clock;
}

/** Beside what the account is used for, and what msal adds (openid, profile, offline_access): who signs in. */
const IDENTITY_SCOPES = ['email', 'User.Read'];
/** Clouds that msal knows without asking (`AuthorityMetadata` of msal-common). */
const CLOUDS: ReadonlySet<string> = new Set([WORLDWIDE, ...NATIONAL_CLOUDS].map(({ auth }) => auth));
/** Their Graphs; scopes without an address are those of the worldwide one. */
const NATIONAL_GRAPHS: ReadonlySet<string> = new Set(NATIONAL_CLOUDS.flatMap(({ graphs }) => graphs));
const [GRAPH] = WORLDWIDE.graphs;
/** Scopes of OpenID Connect, which belong to no API. */
const OPENID_SCOPES: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

/** OAuth at Microsoft through msal, which is loaded when it is first used. One application a request, so that nothing is kept in it. */
export function createMicrosoftOAuth(options: MicrosoftOptions): OAuthClient {
  const { accountId, endpoints = {} } = options;
  const fullScopes = (scopes: readonly string[]) =>
    [...IDENTITY_SCOPES, ...scopes].map((scope) => fullScope(scope, endpoints.api));
  return {
    async authorizeUrl({ redirectUri, scopes, state, challenge, loginHint }) {
      const application = await openApplication(options, createNetwork(addresses(endpoints)));
      const url = await application.getAuthCodeUrl({
        scopes: fullScopes(scopes),
        redirectUri,
        state,
        codeChallenge: challenge,
        codeChallengeMethod: 'S256',
        loginHint,
      });
      const { authority, auth } = addresses(endpoints);
      return url.startsWith(authority) ? auth + url.slice(authority.length) : url;
    },
    async exchange({ code, verifier, redirectUri, scopes }, { signal } = {}) {
      const network = createNetwork({ ...addresses(endpoints), signal });
      const application = await openApplication(options, network);
      const result = await application
        .acquireTokenByCode({ code, codeVerifier: verifier, redirectUri, scopes: fullScopes(scopes) })
        .catch((error: unknown) => Promise.reject(refusalOf(error, network, accountId, signal)));
      const granted = read(result, application.getTokenCache().serialize(), options, network);
      const { preferred_username: name, email, upn } = result.idTokenClaims as Readonly<Record<string, unknown>>;
      const known = [name, email, upn].filter((text) => typeof text === 'string');
      return { ...granted, addresses: [...known, ...(await addressesOf(granted, endpoints.api, signal))] };
    },
    async refresh({ refreshToken, scopes }, { signal } = {}) {
      const network = createNetwork({ ...addresses(endpoints), signal });
      const application = await openApplication(options, network);
      const result = await application
        // Kept in the application's cache, which alone shows the next refresh token.
        .acquireTokenByRefreshToken({ refreshToken, scopes: fullScopes(scopes), forceCache: true })
        .catch((error: unknown) => Promise.reject(refusalOf(error, network, accountId, signal)));
      return read(result, application.getTokenCache().serialize(), options, network);
    },
  };
}

/**
 * What msal is told, and where people and requests go. It takes no address but one of https, and asks Microsoft about each host
 * that it does not know; so what is no cloud of Microsoft's is given to it under the name of the worldwide one.
 */
function addresses({ auth = WORLDWIDE.auth, token = auth }: Endpoints): {
  authority: string;
  auth: string;
  token: string;
} {
  const [authRoot, tokenRoot] = [withoutSlash(auth), withoutSlash(token)];
  return { authority: CLOUDS.has(authRoot) ? authRoot : WORLDWIDE.auth, auth: authRoot, token: tokenRoot };
}

async function openApplication(
  { clientId, clientSecret, tenant, endpoints = {} }: MicrosoftOptions,
  network: MsalNetwork,
) {
  const { ConfidentialClientApplication, PublicClientApplication } = await import('@azure/msal-node');
  const auth = { clientId, authority: `${addresses(endpoints).authority}/${tenant}` };
  const system = { networkClient: network.client, disableInternalRetries: true };
  return clientSecret === undefined
    ? new PublicClientApplication({ auth, system })
    : new ConfidentialClientApplication({ auth: { ...auth, clientSecret }, system });
}

interface Result {
  readonly accessToken: string;
  readonly expiresOn: Date | null;
  readonly scopes: readonly string[];
}

function read(
  result: Result | null,
  cache: string,
  { accountId, clock }: MicrosoftOptions,
  network: MsalNetwork,
): TokenGrant {
  // msal gives an empty token for an answer that it does not understand.
  if (result === null || result.accessToken === '')
    throw network.refusal === undefined
      ? new EngineError('ACCOUNT_FAILED', `account ${accountId}: Microsoft answered without a token`)
      : oauthError({ company: 'Microsoft', accountId, ...network.refusal });
  const { accessToken, expiresOn, scopes } = result;
  const refreshToken = refreshTokenIn(cache);
  return {
    accessToken,
    // msal counts on the machine's clock.
    expiresAt: clock.now() + (expiresOn === null ? 3_600_000 : expiresOn.getTime() - Date.now()),
    scopes,
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

/** Of the cache as `TokenCache.serialize` writes it. */
function refreshTokenIn(cache: string): string | undefined {
  const parsed: unknown = JSON.parse(cache);
  const stored = isRecord(parsed) && isRecord(parsed['RefreshToken']) ? Object.values(parsed['RefreshToken']) : [];
  const secrets = stored.map((entry) => (isRecord(entry) ? entry['secret'] : undefined));
  return secrets.find((secret) => typeof secret === 'string' && secret !== '') as string | undefined;
}

/** Every address of whoever signed in: a work account may be signed in to by another name than its mail has. */
async function addressesOf(
  { accessToken }: TokenGrant,
  api: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const url = `${withoutSlash(api ?? GRAPH)}/v1.0/me?$select=mail,userPrincipalName,proxyAddresses`;
  const ends = AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(REQUEST_MS)]);
  try {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${accessToken}` }, signal: ends });
    const me: unknown = answer.ok ? await answer.json() : undefined;
    if (!isRecord(me)) return [];
    const { mail, userPrincipalName, proxyAddresses } = me;
    const proxies = Array.isArray(proxyAddresses) ? (proxyAddresses as unknown[]) : [];
    return [mail, userPrincipalName, ...proxies]
      .filter((text) => typeof text === 'string')
      .map((text) => text.replace(/^smtp:/i, ''));
  } catch {
    // What the token itself says has to do.
    signal?.throwIfAborted();
    return [];
  }
}

function fullScope(scope: string, api: string | undefined): string {
  const graph = withoutSlash(api ?? GRAPH);
  return NATIONAL_GRAPHS.has(graph) && !OPENID_SCOPES.has(scope) && !scope.includes('://')
    ? `${graph}/${scope}`
    : scope;
}

/** What msal throws as ours: what was answered says more than its classes. */
function refusalOf(
  thrown: unknown,
  network: MsalNetwork,
  accountId: string,
  signal: AbortSignal | undefined,
): EngineError {
  signal?.throwIfAborted();
  const code = thrown instanceof Error ? (Reflect.get(thrown, 'errorCode') as unknown) : undefined;
  const refusal = network.refusal ?? { error: typeof code === 'string' ? code : 'unknown' };
  return oauthError({ company: 'Microsoft', accountId, ...refusal });
}
