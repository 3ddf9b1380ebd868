import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { NATIONAL_CLOUDS, WORLDWIDE } from '../../config/provider-addresses.ts';
import { type TokenGrant, type OAuthClient, REQUEST_MS } from './oauth-client.ts';
import { createNetwork, type MsalNetwork } from './microsoft-network.ts';
import { oauthError } from './oauth-error.ts';
import { type Endpoints, withoutSlash } from '../account.ts';

/** Options of `createMicrosoftOAuth`. */
export interface MicrosoftOptions {
  readonly accountId: string;
  readonly clientId: string;
  /** Absent for a client of the platform "Mobile and desktop applications". */
  readonly clientSecret?: string | undefined;
  readonly tenant: string;
  readonly endpoints?: Endpoints | undefined;
  readonly clock: Clock;
}

/** Scopes that tell who signs in; msal adds openid, profile and offline_access. */
const IDENTITY_SCOPES = ['email', 'User.Read'];
/** Clouds that msal knows without a request (`AuthorityMetadata` of msal-common). */
const CLOUDS: ReadonlySet<string> = new Set([WORLDWIDE, ...NATIONAL_CLOUDS].map(({ auth }) => auth));
/** Graph addresses of the national clouds; a scope without an address belongs to the worldwide Graph. */
const NATIONAL_GRAPHS: ReadonlySet<string> = new Set(NATIONAL_CLOUDS.flatMap(({ graphs }) => graphs));
const [GRAPH] = WORLDWIDE.graphs;
/** OpenID Connect scopes, which belong to no API. */
const OPENID_SCOPES: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

/**
 * OAuth at Microsoft with msal, which is loaded on first use. Each request uses a new application, so that msal keeps
 * nothing.
 */
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
        // Only the application's cache contains the next refresh token.
        .acquireTokenByRefreshToken({ refreshToken, scopes: fullScopes(scopes), forceCache: true })
        .catch((error: unknown) => Promise.reject(refusalOf(error, network, accountId, signal)));
      return read(result, application.getTokenCache().serialize(), options, network);
    },
  };
}

/**
 * The authority for msal, and the real addresses. msal accepts https addresses only, and asks Microsoft about each
 * unknown host; so every address outside Microsoft's clouds appears to it as the worldwide one.
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
  // msal returns an empty token for a response that it does not understand.
  if (result === null || result.accessToken === '')
    throw network.refusal === undefined
      ? new EngineError('ACCOUNT_FAILED', `account ${accountId}: Microsoft answered without a token`)
      : oauthError({ company: 'Microsoft', accountId, ...network.refusal });
  const { accessToken, expiresOn, scopes } = result;
  const refreshToken = refreshTokenIn(cache);
  return {
    accessToken,
    // msal uses the machine's clock.
    expiresAt: clock.now() + (expiresOn === null ? 3_600_000 : expiresOn.getTime() - Date.now()),
    scopes,
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

/** The refresh token in the JSON of `TokenCache.serialize`. */
function refreshTokenIn(cache: string): string | undefined {
  const parsed: unknown = JSON.parse(cache);
  const stored = isRecord(parsed) && isRecord(parsed['RefreshToken']) ? Object.values(parsed['RefreshToken']) : [];
  const secrets = stored.map((entry) => (isRecord(entry) ? entry['secret'] : undefined));
  return secrets.find((secret) => typeof secret === 'string' && secret !== '') as string | undefined;
}

/** All addresses of the person who signed in: the sign-in name of a work account may differ from its mail address. */
async function addressesOf(
  { accessToken }: TokenGrant,
  api: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const url = `${withoutSlash(api ?? GRAPH)}/v1.0/me?$select=mail,userPrincipalName,proxyAddresses`;
  const ends = AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(REQUEST_MS)]);
  try {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const answer = await fetch(url, { headers, signal: ends, redirect: 'error' });
    const me: unknown = answer.ok ? await answer.json() : undefined;
    if (!isRecord(me)) return [];
    const { mail, userPrincipalName, proxyAddresses } = me;
    const proxies = Array.isArray(proxyAddresses) ? (proxyAddresses as unknown[]) : [];
    return [mail, userPrincipalName, ...proxies]
      .filter((text) => typeof text === 'string')
      .map((text) => text.replace(/^smtp:/i, ''));
  } catch {
    // Without a response, the addresses in the claims of the token must be enough.
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

/** Converts an error of msal. The server's refusal is more precise than msal's error classes. */
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
