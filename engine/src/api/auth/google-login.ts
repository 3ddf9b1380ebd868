import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { GoogleLogin, Identity } from '../access.ts';

/** Google's name as an issuer (https://developers.google.com/identity/openid-connect/openid-connect). */
const GOOGLE = 'https://accounts.google.com';
/** Time for the sign-in at Google. */
export const SIGN_IN_MS = 10 * 60_000;
/** Time limit of one request to Google, in seconds. */
const REQUEST_SECONDS = 10;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The OAuth client of the sign-in; it is another one than that of accounts. */
export interface LoginClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: Google. Tests name a provider of this machine. */
  readonly issuer?: string | undefined;
}

/** Content of a ticket. */
interface Ticket {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly place: string;
  readonly endsAt: number;
}

/** Creates the sign-in. `openid-client` is loaded by the first one. */
export function createGoogleLogin(client: LoginClient, { clock }: { readonly clock: Clock }): GoogleLogin {
  const seals = createSeals(clock);
  let found: Promise<Configuration> | undefined;
  // A failed discovery is tried again by the next sign-in.
  const discovered = () => (found ??= discover(client).catch((error) => ((found = undefined), Promise.reject(error))));
  return {
    async begin({ redirectUri, place }) {
      const oidc = await import('openid-client');
      const config = await discovered();
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // A shared browser may be signed in to several accounts.
        prompt: 'select_account',
      });
      const ticket = { state, nonce, verifier, place, endsAt: clock.now() + SIGN_IN_MS };
      return { authorizeUrl: url.href, ticket: seals.seal(ticket) };
    },
    async finish(returned, sealed) {
      const ticket = seals.open(sealed);
      if (ticket === undefined || returned.searchParams.get('state') !== ticket.state)
        throw refused('this sign-in was not begun in this browser, or too long ago', 'sign in again');
      if (returned.searchParams.get('error') !== null)
        throw refused('the sign-in was cancelled at Google', 'sign in again');
      const oidc = await import('openid-client');
      const config = await discovered();
      const tokens = await oidc
        .authorizationCodeGrant(config, returned, {
          expectedState: ticket.state,
          expectedNonce: ticket.nonce,
          pkceCodeVerifier: ticket.verifier,
          idTokenExpected: true,
        })
        .catch((cause: unknown) => Promise.reject(failureOf(cause)));
      return { identity: identityOf(client, tokens.claims()), place: ticket.place };
    },
  };
}

/** Reads the addresses and keys of the provider. `LOGIN_FAILED`. */
async function discover({ clientId, clientSecret, issuer = GOOGLE }: LoginClient): Promise<Configuration> {
  const oidc = await import('openid-client');
  const options = {
    timeout: REQUEST_SECONDS,
    // The signature of the id token is checked too, not only its way by TLS. Plain HTTP is for the providers of tests.
    execute: [oidc.enableNonRepudiationChecks, ...(issuer === GOOGLE ? [] : [oidc.allowInsecureRequests])],
  };
  try {
    return await oidc.discovery(new URL(issuer), clientId, clientSecret, oidc.ClientSecretPost(clientSecret), options);
  } catch (cause) {
    throw new EngineError('LOGIN_FAILED', 'Google does not answer', {
      hint: 'check the network of the server, and try again',
      retryable: true,
      cause,
    });
  }
}

/** The library names each check that failed by a code; answers without one are those of the network. */
function failureOf(cause: unknown): EngineError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && cause instanceof Error && 'error' in cause) {
    const isClient = cause.error === 'invalid_client' || cause.error === 'unauthorized_client';
    if (isClient)
      return new EngineError('LOGIN_FAILED', 'Google does not know this OAuth client', {
        hint: 'check GOOGLE_LOGIN_CLIENT_ID and GOOGLE_LOGIN_CLIENT_SECRET on the server',
        cause,
      });
  }
  if (code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT')
    return refused('the answer of Google does not pass the checks of the sign-in', 'sign in again', cause);
  return new EngineError('LOGIN_FAILED', 'Google does not answer', { hint: 'try again', retryable: true, cause });
}

/** `LOGIN_REFUSED` unless the provider says that it has verified the address. */
function identityOf({ issuer = GOOGLE }: LoginClient, claims: unknown): Identity {
  const { sub, email, email_verified: isVerified, name } = isRecord(claims) ? claims : {};
  if (typeof sub !== 'string' || typeof email !== 'string')
    throw refused('Google did not say who signed in', 'allow Callsheet to see your e-mail address');
  if (isVerified !== true) throw refused(`Google has not verified the address ${email}`, 'verify it at Google first');
  return { subject: `${issuer} ${sub}`, email, name: typeof name === 'string' ? name.trim().slice(0, 200) : '' };
}

function refused(message: string, hint: string, cause?: unknown): EngineError {
  return new EngineError('LOGIN_REFUSED', message, { hint, cause });
}

/** Seals tickets with AES-256-GCM, under a key of this process: a sign-in that a restart interrupts is begun again. */
function createSeals(clock: Clock): { seal(ticket: Ticket): string; open(sealed: string): Ticket | undefined } {
  const key = randomBytes(32);
  return {
    seal(ticket) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(JSON.stringify(ticket), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        // Only this process seals with this key.
        const ticket = JSON.parse(text.toString('utf8')) as Ticket;
        return ticket.endsAt > clock.now() ? ticket : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
