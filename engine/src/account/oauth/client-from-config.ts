import type { Clock } from '../../base/clock.ts';
import { expectValue, parseReference } from '../../config/reference.ts';
import type { OAuthClient } from './oauth-client.ts';
import { createGoogleOAuth } from './google-oauth.ts';
import { createMicrosoftOAuth } from './microsoft-oauth.ts';
import type { CloudAccount } from '../required-scopes.ts';

/** Values of references such as `${env:NAME}`; undefined where there is none. */
export interface SecretLookup {
  /** Value of a secret; it is redacted from then on. */
  readonly secret: (reference: string) => string | undefined;
  /** Value that is public, such as a client id, which is part of every sign-in link. */
  readonly open: (reference: string) => string | undefined;
}

/** Client id of an account; `ACCOUNT_FAILED` where its reference has no value. */
export function clientIdOf({ id, oauth }: CloudAccount, references: SecretLookup): string {
  return parseReference(oauth.clientId) === undefined
    ? oauth.clientId
    : expectValue(id, { key: 'oauth.clientId', reference: oauth.clientId, value: references.open(oauth.clientId) });
}

/** OAuth client of an account; `ACCOUNT_FAILED` where its id or secret has no value. */
export function clientOf(
  account: CloudAccount,
  { references, clock }: { references: SecretLookup; clock: Clock },
): OAuthClient {
  const { id: accountId, endpoints } = account;
  const base = { accountId, clientId: clientIdOf(account, references), endpoints, clock };
  const secretOf = (reference: string) =>
    expectValue(accountId, { key: 'oauth.clientSecret', reference, value: references.secret(reference) });
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
