import type { Abortable } from '../base/abort.ts';

/**
 * Addresses of a provider, for emulators, proxies and national clouds. The provider's own address applies where one is
 * absent.
 */
export interface Endpoints {
  /** Sign-in page: `https://accounts.google.com`, `https://login.microsoftonline.com`. */
  readonly auth?: string;
  /** Token endpoint; default Google's own, at Microsoft `auth`. */
  readonly token?: string;
  /** Root of the API: `https://gmail.googleapis.com`, `https://graph.microsoft.com`. */
  readonly api?: string;
}

/** True where two accounts' `endpoints` name the same addresses. */
export function isSameEndpoints(one: Endpoints = {}, other: Endpoints = {}): boolean {
  const keys = ['auth', 'token', 'api'] as const;
  return keys.every((key) => withoutSlash(one[key] ?? '') === withoutSlash(other[key] ?? ''));
}

/** An address of `Endpoints` without trailing slashes, so that a path can follow. */
export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Category of a failed sign-in or connection test (seed 000, 3.2.2a). */
export type AuthorizeProblem = 'missing_refresh_token' | 'invalid_grant' | 'network' | 'other';

/**
 * Access tokens of one account. `accessToken` returns a token that is valid for at least another minute and covers
 * `scopes`, from the store or by a refresh; concurrent callers share one refresh. `refused` is a token that the
 * provider has just answered with 401; it is not returned again. Throws `ACCOUNT_NOT_CONNECTED` (nobody has signed in
 * yet), `ACCOUNT_GRANT_LOST` (the provider no longer accepts the refresh token), `ACCOUNT_SCOPE_MISSING` (names the
 * scope), or a retryable `ACCOUNT_FAILED` (network); rejects on abort.
 */
export interface AccountTokens {
  accessToken(options: Abortable & { readonly scopes: readonly string[]; readonly refused?: string }): Promise<string>;
}
