import { EngineError } from '../base/error.ts';
import { isCloud } from '../account/required-scopes.ts';
import { CLOUD_PROVIDERS, type CloudProvider, PROVIDER_NAMES } from '../account/scopes.ts';
import type { Account, Snapshot } from '../config/config.ts';
import type { AgendaOwner } from './agenda.ts';

/** An account that has a calendar and a list of its own. */
export type AgendaAccount = Extract<Account, { readonly provider: CloudProvider }>;

/** Names for one provider: the service's, and that of its accounts. */
const PROVIDERS: ReadonlyMap<string, AgendaAccount['provider'] | 'local'> = new Map([
  ...CLOUD_PROVIDERS.flatMap((provider) => [
    [provider, provider] as const,
    [PROVIDER_NAMES[provider].company.toLowerCase(), provider] as const,
  ]),
  ['local', 'local'],
  ['folder', 'local'],
  ['imap', 'local'],
]);

function whose(provider: CloudProvider | 'local'): string {
  return provider === 'local' ? 'the local' : `${PROVIDER_NAMES[provider].company}'s`;
}

/**
 * The account whose own calendar and list are meant, or `local`; accounts that the director does not work for are none. Where
 * none is named it is `mailAccountId`, the account of the mail that the call is about; without a mail the only one that has its
 * own, and `local` where none has. `TOOL_ARGUMENTS` where there is no such account, it has no calendar of that provider, or
 * several could be meant: a guess would read, or write to, somebody else's calendar.
 */
export function chooseAccount(
  { provider, accountId, directorId }: AgendaOwner,
  config: Pick<Snapshot, 'accounts' | 'directors'>,
  mailAccountId?: string,
): AgendaAccount | 'local' {
  const accounts = accountsOf(directorId, config, mailAccountId);
  const wanted = provider === undefined ? undefined : PROVIDERS.get(provider);
  if (provider !== undefined && wanted === undefined)
    throw argumentError(
      `there is no calendar or list of "${provider}"`,
      'say google, microsoft or local, or leave provider out',
    );
  if (accountId !== undefined) {
    const account = accounts.get(accountId);
    if (account === undefined) throw noAccount(accountId, accounts);
    const own = ownOf(account);
    const kind = own === 'local' ? 'local' : own.provider;
    if (wanted === undefined || wanted === kind) return own;
    const message = `the account "${accountId}" has ${whose(kind)} calendar and list, not those of "${provider}"`;
    throw argumentError(message, kind === 'local' ? 'leave provider out' : 'leave provider out, or accountId');
  }
  if (wanted === 'local') return 'local';
  const ofMail = mailAccountId === undefined ? undefined : accounts.get(mailAccountId);
  if (ofMail !== undefined && (wanted === undefined || wanted === ofMail.provider)) return ownOf(ofMail);
  const candidates = [...accounts.values()]
    .map(ownOf)
    .filter((own) => own !== 'local')
    .filter((own) => wanted === undefined || own.provider === wanted);
  const [only] = candidates;
  if (candidates.length > 1) throw several(candidates, wanted);
  if (only !== undefined) return only;
  if (wanted === undefined) return 'local';
  throw argumentError(
    `there is no account with ${whose(wanted)} calendar and list`,
    'leave provider out, or say "local"',
  );
}

/** Those that the director works for; an agent that works for a person has no director (`''`). */
function accountsOf(
  directorId: string | undefined,
  { accounts, directors }: Pick<Snapshot, 'accounts' | 'directors'>,
  mailAccountId: string | undefined,
): Snapshot['accounts'] {
  if (directorId === undefined || directorId === '') return accounts;
  const director = directors.get(directorId);
  // One that is gone from the config works on for the mail that it has.
  const own = director === undefined ? [mailAccountId] : director.accountIds;
  return own === undefined ? accounts : new Map([...accounts].filter(([id]) => own.includes(id)));
}

function ownOf(account: Account): AgendaAccount | 'local' {
  return isCloud(account) ? account : 'local';
}

function noAccount(accountId: string, accounts: Snapshot['accounts']): EngineError {
  const names = accounts.size === 0 ? 'there are no accounts' : `accounts are: ${[...accounts.keys()].join(', ')}`;
  return argumentError(
    `there is no account "${accountId}"`,
    `${names}; for the local calendar and list say provider "local"`,
  );
}

function several(candidates: readonly AgendaAccount[], wanted: string | undefined): EngineError {
  const names = candidates.map(({ id }) => id).join(', ');
  const hint = wanted === undefined ? 'name one in accountId, or say provider "local"' : 'name one in accountId';
  return argumentError(`several accounts have a calendar and a list of their own: ${names}`, hint);
}

function argumentError(message: string, hint: string): EngineError {
  return new EngineError('TOOL_ARGUMENTS', message, { hint });
}
