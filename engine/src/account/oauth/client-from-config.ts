import type { Clock } from '../../base/clock.ts';
import { expectValue, parseReference } from '../../config/reference.ts';
import type { OAuthClient } from './oauth-client.ts';
import { createGoogleOAuth } from './google-oauth.ts';
import { createMicrosoftOAuth } from './microsoft-oauth.ts';
import type { CloudAccount } from '../required-scopes.ts';

/** What a reference such as `${env:NAME}` stands for, or undefined. */
export interface SecretLookup {
  /** Of a secret: what it stands for is redacted from then on. */
  readonly secret: (reference: string) => string | undefined;
  /** Of something that may be seen, such as the id of a client, which stands in every link for signing in. */
  readonly open: (reference: string) => string | undefined;
}

/** Id of the client that an account's file names; `ACCOUNT_FAILED` where it is a reference to nothing. */
export function clientIdOf({ id, oauth }: CloudAccount, references: SecretLookup): string {
  return parseReference(oauth.clientId) === undefined
    ? oauth.clientId
    : expectValue(id, { key: 'oauth.clientId', reference: oauth.clientId, value: references.open(oauth.clientId) });
}

/** OAuth with the client of an account; `ACCOUNT_FAILED` where there is no value for its id or its secret. */
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
