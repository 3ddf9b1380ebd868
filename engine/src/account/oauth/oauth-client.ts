import type { Abortable } from '../../base/abort.ts';

/** Tokens from a provider. Times are epoch milliseconds of our clock. */
export interface TokenGrant {
  readonly accessToken: string;
  readonly expiresAt: number;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** Absent where the stored refresh token remains valid. */
  readonly refreshToken?: string;
}

/** Parameters of a sign-in link. */
export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** S256 hash of the verifier (RFC 7636). */
  readonly challenge: string;
  /** The address that should sign in. */
  readonly loginHint: string;
}

/** Authorization code from the redirect, with the parameters of its exchange. */
export interface CodeRequest {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/**
 * OAuth at one provider, for one client of ours. Throws `ACCOUNT_GRANT_LOST` (the code or refresh token is no longer
 * accepted), or `ACCOUNT_FAILED`, retryable on network errors and throttling. No error contains a token, a code or a
 * secret. Nothing is retried here.
 */
export interface OAuthClient {
  /** Makes the link to the provider's sign-in page. */
  authorizeUrl(request: AuthorizeRequest): Promise<string>;
  /** Exchanges the code for tokens. `addresses` are the mail addresses of the person who signed in. */
  exchange(request: CodeRequest, options?: Abortable): Promise<TokenGrant & { readonly addresses: readonly string[] }>;
  /** Exchanges the refresh token for new tokens. */
  refresh(
    request: { readonly refreshToken: string; readonly scopes: readonly string[] },
    options?: Abortable,
  ): Promise<TokenGrant>;
}

/** Time limit of one request to a provider. */
export const REQUEST_MS = 30_000;
