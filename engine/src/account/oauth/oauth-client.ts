import type { Abortable } from '../../base/abort.ts';

/** What a provider gives out. Times are epoch milliseconds of our clock. */
export interface TokenGrant {
  readonly accessToken: string;
  readonly expiresAt: number;
  /** What it may be used for. */
  readonly scopes: readonly string[];
  /** Absent where the one that is kept goes on to hold. */
  readonly refreshToken?: string;
}

/** Where a person is sent to sign in. */
export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** S256 of a verifier (RFC 7636). */
  readonly challenge: string;
  /** The address that is to sign in. */
  readonly loginHint: string;
}

/** What a person brought back. */
export interface CodeRequest {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/**
 * OAuth at one provider, for one client of ours. Errors by code: `ACCOUNT_GRANT_LOST` (code or refresh token are not taken any
 * more), `ACCOUNT_FAILED`, retryable where nobody answered or asked for patience. No error holds a token, a code or a secret.
 * Nothing is tried twice here.
 */
export interface OAuthClient {
  authorizeUrl(request: AuthorizeRequest): Promise<string>;
  /** `addresses` are those of whoever signed in. */
  exchange(request: CodeRequest, options?: Abortable): Promise<TokenGrant & { readonly addresses: readonly string[] }>;
  refresh(
    request: { readonly refreshToken: string; readonly scopes: readonly string[] },
    options?: Abortable,
  ): Promise<TokenGrant>;
}

/** How long one request to a provider may take. */
export const REQUEST_MS = 30_000;
