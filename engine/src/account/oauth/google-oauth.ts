import type { gaxios } from 'google-auth-library';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { GOOGLE } from '../../config/provider-addresses.ts';
import { type TokenGrant, type OAuthClient, REQUEST_MS } from './oauth-client.ts';
import { networkReason, oauthError, readOAuthError, type OAuthRefusal } from './oauth-error.ts';
import { type Endpoints, withoutSlash } from '../account.ts';

/** Options of `createGoogleOAuth`. */
export interface GoogleOptions {
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoints?: Endpoints | undefined;
  readonly clock: Clock;
}

/** Scopes that tell who signs in; they reveal only the address. */
const IDENTITY_SCOPES = ['openid', 'email'];

/** OAuth at Google with google-auth-library, which is loaded on first use. */
export function createGoogleOAuth(options: GoogleOptions): OAuthClient {
  const fail = (error: unknown, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    return refusalOf(error, options.accountId);
  };
  return {
    async authorizeUrl({ redirectUri, scopes, state, challenge, loginHint }) {
      const { CodeChallengeMethod } = await import('google-auth-library');
      const client = await openClient(options);
      return client.generateAuthUrl({
        redirect_uri: redirectUri,
        scope: [...IDENTITY_SCOPES, ...scopes],
        state,
        code_challenge: challenge,
        code_challenge_method: CodeChallengeMethod.S256,
        access_type: 'offline',
        // Without it Google returns a refresh token only at the very first consent.
        prompt: 'consent',
        login_hint: loginHint,
      });
    },
    async exchange({ code, verifier, redirectUri, scopes }, { signal } = {}) {
      const client = await openClient(options, signal);
      const { tokens } = await client
        .getToken({ code, codeVerifier: verifier, redirect_uri: redirectUri })
        .catch((error: unknown) => Promise.reject(fail(error, signal)));
      return { ...read(tokens, scopes, options), addresses: addressesIn(tokens.id_token) };
    },
    async refresh({ refreshToken, scopes }, { signal } = {}) {
      const client = await openClient(options, signal);
      client.setCredentials({ refresh_token: refreshToken });
      // The library keeps the old refresh token even where Google replaces it (RFC 6749, 6).
      let next: string | null | undefined;
      client.on('tokens', (tokens) => (next = tokens.refresh_token));
      await client.getAccessToken().catch((error: unknown) => Promise.reject(fail(error, signal)));
      return read({ ...client.credentials, refresh_token: next }, scopes, options);
    },
  };
}

/**
 * Revokes a token at Google. This ends every grant of this person to programs of the same project. An invalid token is
 * no error. Throws `ACCOUNT_FAILED`.
 */
export async function revokeAtGoogle(
  { accountId, token, endpoints = {} }: Pick<GoogleOptions, 'accountId' | 'endpoints'> & { readonly token: string },
  { signal }: Abortable = {},
): Promise<void> {
  const transport = await openTransport(signal);
  // In the body (RFC 7009, 2.1): proxies log addresses, and the library would put the token there.
  const request = {
    url: `${withoutSlash(endpoints.token ?? GOOGLE.token)}/revoke`,
    method: 'POST',
    data: new URLSearchParams({ token }),
  };
  await transport.request(request).catch((thrown: unknown) => {
    signal?.throwIfAborted();
    const { status, error, description } = readThrown(thrown);
    if (error === 'invalid_token') return;
    const details = [error, description].filter(Boolean).join(': ') || (status === undefined ? '' : `HTTP ${status}`);
    const what = status === undefined ? 'Google cannot be reached' : 'Google did not revoke the grant';
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${what}${details === '' ? '' : `: ${details}`}`);
  });
}

/** HTTP without retries and redirects, with a time limit. */
async function openTransport(signal: AbortSignal | undefined): Promise<gaxios.Gaxios> {
  const { gaxios } = await import('google-auth-library');
  const retryConfig = { retry: 0, noResponseRetries: 0 };
  class Once extends gaxios.Gaxios {
    override request<T>(request: object = {}) {
      const timeout = AbortSignal.timeout(REQUEST_MS);
      const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      return super.request<T>({ ...request, retryConfig, redirect: 'error', signal: ends });
    }
  }
  return new Once();
}

async function openClient({ clientId, clientSecret, endpoints = {} }: GoogleOptions, signal?: AbortSignal) {
  const { OAuth2Client } = await import('google-auth-library');
  return new OAuth2Client({
    clientId,
    clientSecret,
    transporter: await openTransport(signal),
    endpoints: {
      ...(endpoints.auth !== undefined && { oauth2AuthBaseUrl: `${withoutSlash(endpoints.auth)}/o/oauth2/v2/auth` }),
      ...(endpoints.token !== undefined && { oauth2TokenUrl: `${withoutSlash(endpoints.token)}/token` }),
    },
  });
}

interface Tokens {
  readonly access_token?: string | null;
  readonly refresh_token?: string | null;
  readonly expiry_date?: number | null;
  readonly scope?: string;
}

/** Converts Google's tokens. `request` are the requested scopes, which apply where the response names none (RFC 6749, 5.1). */
function read(tokens: Tokens, request: readonly string[], { accountId, clock }: GoogleOptions): TokenGrant {
  const { access_token: accessToken, refresh_token: refreshToken, expiry_date: expiry, scope } = tokens;
  if (typeof accessToken !== 'string' || accessToken === '')
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: Google answered without a token`);
  return {
    accessToken,
    // The library uses the machine's clock; Google's tokens last an hour.
    expiresAt: clock.now() + (typeof expiry === 'number' ? expiry - Date.now() : 3_600_000),
    scopes: typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : request,
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refreshToken }),
  };
}

/**
 * The verified mail address in an ID token. The token came from the token endpoint over TLS, so its signature need not be checked (OpenID Connect Core, 3.1.3.7).
 */
function addressesIn(idToken: string | null | undefined): string[] {
  const claims = readClaims(idToken ?? '');
  const { email, email_verified: isVerified } = claims;
  return typeof email === 'string' && isVerified !== false ? [email] : [];
}

function readClaims(jwt: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Converts an error of the library. That error contains the request and the response, so it must not be the `cause`. */
function refusalOf(thrown: unknown, accountId: string): EngineError {
  return oauthError({ company: 'Google', accountId, ...readThrown(thrown) });
}

function readThrown(thrown: unknown): Pick<OAuthRefusal, 'status' | 'error' | 'description'> {
  const response =
    isRecord(thrown) || thrown instanceof Error ? (Reflect.get(thrown, 'response') as unknown) : undefined;
  if (!isRecord(response)) return { description: networkReason(thrown) };
  const { status, data } = response;
  return { status: typeof status === 'number' ? status : undefined, ...readOAuthError(data) };
}
