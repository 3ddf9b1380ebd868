import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { parseReference } from '../config/reference.ts';
import type { OAuthClient } from './client.ts';
import { googleClient } from './google.ts';
import { microsoftClient } from './microsoft.ts';
import type { CloudAccount } from './needs.ts';

/** What a reference such as `${env:NAME}` stands for, or undefined. */
export interface References {
  /** Of a secret: what it stands for is redacted from then on. */
  readonly secret: (reference: string) => string | undefined;
  /** Of something that may be seen, such as the id of a client, which stands in every link for signing in. */
  readonly open: (reference: string) => string | undefined;
}

/** Id of the client that an account's file names; `ACCOUNT_FAILED` where it is a reference to nothing. */
export function clientIdOf({ id, oauth }: CloudAccount, references: References): string {
  return parseReference(oauth.clientId) === undefined
    ? oauth.clientId
    : expect(id, 'clientId', oauth.clientId, references.open);
}

/** OAuth with the client of an account; `ACCOUNT_FAILED` where there is no value for its id or its secret. */
export function clientOf(
  account: CloudAccount,
  { references, clock }: { references: References; clock: Clock },
): OAuthClient {
  const { id: accountId, endpoints } = account;
  const base = { accountId, clientId: clientIdOf(account, references), endpoints, clock };
  if (account.provider === 'gmail') {
    const { clientSecret } = account.oauth;
    return googleClient({ ...base, clientSecret: expect(accountId, 'clientSecret', clientSecret, references.secret) });
  }
  const { clientSecret, tenant } = account.oauth;
  return microsoftClient({
    ...base,
    tenant,
    ...(clientSecret !== undefined && {
      clientSecret: expect(accountId, 'clientSecret', clientSecret, references.secret),
    }),
  });
}

function expect(accountId: string, key: string, reference: string, resolve: References['open']): string {
  const value = resolve(reference);
  if (value !== undefined && value !== '') return value;
  throw new EngineError(
    'ACCOUNT_FAILED',
    `account ${accountId}: there is no value for \`oauth.${key}\`, ${reference}`,
    {
      hint: reference.startsWith('${env:')
        ? 'Set that environment variable, for example in .env, and start anew.'
        : 'Keep one with `callsheet secrets set`.',
    },
  );
}
