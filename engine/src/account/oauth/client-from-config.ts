import type { Clock } from '../../base/clock.ts';
import { expectValue, parseReference, type ResolveReference } from '../../config/reference.ts';
import { signInHosts } from '../../config/secret-uses.ts';
import type { OAuthClient } from './oauth-client.ts';
import { createGoogleOAuth } from './google-oauth.ts';
import { createMicrosoftOAuth } from './microsoft-oauth.ts';
import type { CloudAccount } from '../required-scopes.ts';

/** Values of references such as `${env:NAME}`; undefined where there is none. */
export interface SecretLookup {
  /** Value of a secret; it is redacted from then on. */
  readonly secret: ResolveReference;
  /** Value that is public, such as a client id, which is part of every sign-in link. */
  readonly open: ResolveReference;
}

/** Client id of an account; `ACCOUNT_FAILED` where its reference has no value. */
export function clientIdOf(account: CloudAccount, references: SecretLookup): string {
  const { clientId } = account.oauth;
  if (parseReference(clientId) === undefined) return clientId;
  const value = references.open(clientId, signInHosts(account));
  return expectValue(account.id, { key: 'oauth.clientId', reference: clientId, value });
}

/** OAuth client of an account; `ACCOUNT_FAILED` where its id or secret has no value. */
export function clientOf(
  account: CloudAccount,
  { references, clock }: { references: SecretLookup; clock: Clock },
): OAuthClient {
  const { id: accountId, endpoints } = account;
  const base = { accountId, clientId: clientIdOf(account, references), endpoints, clock };
  const secretOf = (reference: string) =>
    expectValue(accountId, {
      key: 'oauth.clientSecret',
      reference,
      value: references.secret(reference, signInHosts(account)),
    });
  if (account.provider === 'gmail') {
    return createGoogleOAuth({ ...base, clientSecret: secretOf(account.oauth.clientSecret) });
  }
  const { clientSecret, tenant } = account.oauth;
  return createMicrosoftOAuth({
    ...base,
    tenant,
    ...(clientSecret !== undefined && { clientSecret: secretOf(clientSecret) }),
  });
}
