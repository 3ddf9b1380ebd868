import { EngineError } from '../base/error.ts';
import { isCloud } from '../account/required-scopes.ts';
import { CLOUD_PROVIDERS, type CloudProvider, PROVIDER_NAMES } from '../account/scopes.ts';
import type { Account, Snapshot } from '../config/config.ts';
import type { AgendaOwner } from './agenda.ts';

/** An account with its own calendar and to-do list. */
export type AgendaAccount = Extract<Account, { readonly provider: CloudProvider }>;

/** Names for each provider: of the company, and of its accounts. */
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
 * Chooses the account whose calendar and list a call uses, or `local`. Accounts outside the director's work are
 * ignored. Without a named account it is `mailAccountId`, the account of the call's mail; without a mail, the only
 * account with its own calendar, else `local`. Throws `TOOL_ARGUMENTS` if the account is unknown, has no calendar of
 * that provider, or several are possible: a guess could read or change another person's calendar.
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
      'set provider to google, microsoft or local, or omit it',
    );
  if (accountId !== undefined) {
    const account = accounts.get(accountId);
    if (account === undefined) throw noAccount(accountId, accounts);
    const own = ownOf(account);
    const kind = own === 'local' ? 'local' : own.provider;
    if (wanted === undefined || wanted === kind) return own;
    const message = `the account "${accountId}" has ${whose(kind)} calendar and list, not those of "${provider}"`;
    throw argumentError(message, kind === 'local' ? 'omit provider' : 'omit provider or accountId');
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
    'omit provider, or set it to "local"',
  );
}

/** Accounts of the director; an agent that works for a person has no director (`''`). */
function accountsOf(
  directorId: string | undefined,
  { accounts, directors }: Pick<Snapshot, 'accounts' | 'directors'>,
  mailAccountId: string | undefined,
): Snapshot['accounts'] {
  if (directorId === undefined || directorId === '') return accounts;
  const director = directors.get(directorId);
  // A director that is no longer in the config continues its mail.
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
  const hint =
    wanted === undefined ? 'set accountId to one of them, or set provider to "local"' : 'set accountId to one of them';
  return argumentError(`several accounts have a calendar and a list of their own: ${names}`, hint);
}

function argumentError(message: string, hint: string): EngineError {
  return new EngineError('TOOL_ARGUMENTS', message, { hint });
}
