import type { Account } from '../config/config.ts';
import type { Mailbox } from './mailbox.ts';
import type { MailWorkers } from './parse/mail-workers.ts';
import type { AccountFinding, AccountOf, InspectDeps, ProviderDeps, ProviderName } from './provider.ts';
import { mailProviders } from './providers.ts';
import type { MailService } from './send/mail-service.ts';
import type { OpenSource } from './source.ts';

/** Creates the function that opens the source of an account. */
export function sourceOpener(deps: ProviderDeps): OpenSource {
  return (account) => openSource(account, deps);
}

export interface MailServiceOptions
  extends
    Omit<ProviderDeps, 'workers'>,
    Pick<MailService, 'store' | 'log' | 'config' | 'worker' | 'isShared' | 'onReply'> {
  readonly workers: Pick<MailWorkers, 'parse' | 'html' | 'attachment'>;
}

/** Creates the mail service: searches, drafts, sends. Caches one mailbox per account version. */
export function openMailService(options: MailServiceOptions): MailService {
  const { store, clock, log, config, worker, isShared, workers, onReply } = options;
  const mailboxes = new WeakMap<Account, Promise<Mailbox>>();
  const open = (account: Account) => {
    let mailbox = mailboxes.get(account);
    if (mailbox === undefined) mailboxes.set(account, (mailbox = openMailbox(account, options)));
    return mailbox;
  };
  return { store, clock, log, config, worker, isShared, workers, onReply, open };
}

// Generic, so that TypeScript knows that the row and the account belong to the same provider.
function openSource<P extends ProviderName>(account: AccountOf<P>, deps: ProviderDeps) {
  return mailProviders[account.provider].openSource(account, deps);
}

function openMailbox<P extends ProviderName>(account: AccountOf<P>, deps: ProviderDeps): Promise<Mailbox> {
  return mailProviders[account.provider].openMailbox(account, deps);
}

/** Checks an account without a request; undefined if people sign in to it, so that its tokens tell more. */
export function inspectAccount<P extends ProviderName>(
  account: AccountOf<P>,
  deps: InspectDeps,
): AccountFinding | undefined {
  return mailProviders[account.provider].inspect?.(account, deps);
}
