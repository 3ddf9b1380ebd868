import type { Abortable } from '../base/abort.ts';

/** Where a provider is reached, for emulators, proxies and national clouds; what is left out is the provider's own. */
export interface Endpoints {
  /** Where a person signs in: `https://accounts.google.com`, `https://login.microsoftonline.com`. */
  readonly auth?: string;
  /** Where tokens are given out; left out, it is Google itself, and at Microsoft `auth`. */
  readonly token?: string;
  /** Root of the API: `https://gmail.googleapis.com`, `https://graph.microsoft.com`. */
  readonly api?: string;
}

/** An address of `Endpoints` as paths are put behind it. */
export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Why a person has to sign in again, or why that is not known (seed 000, 3.2.2a). */
export type AuthorizeProblem = 'missing_refresh_token' | 'invalid_grant' | 'network' | 'other';

/**
 * The tokens of one account. `accessToken` gives one that lasts for another minute at least and covers `scopes`, from what is
 * kept or by the refresh token; several askers share one refresh. `refused` is a token that the provider has just answered 401
 * to: it is not given again. Throws `ACCOUNT_NOT_CONNECTED` (nobody has signed in yet), `ACCOUNT_GRANT_LOST` (the refresh token
 * is not taken any more), `ACCOUNT_SCOPE_MISSING` (names the scope), or a retryable `ACCOUNT_FAILED` (network); rejects on abort.
 */
export interface AccountTokens {
  accessToken(options: Abortable & { readonly scopes: readonly string[]; readonly refused?: string }): Promise<string>;
}
