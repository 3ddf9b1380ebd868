import type { AccountTokens } from '../account/account.ts';
import type { Clock } from '../base/clock.ts';
import type { Account } from '../config/config.ts';
import type { ResolveReference } from '../config/reference.ts';
import type { MailParser } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import type { MailSource } from './source.ts';

/** The value of `provider` in an account document. */
export type ProviderName = Account['provider'];

/** The account document of one provider. */
export type AccountOf<P extends ProviderName> = { [Q in ProviderName]: Extract<Account, { provider: Q }> }[P];

/** Dependencies shared by the sources and mailboxes of all providers. */
export interface ProviderDeps {
  /** Base of relative paths. */
  readonly baseDir: string;
  readonly workers: MailParser;
  readonly clock: Clock;
  /** The value of a reference such as `${env:NAME}`, or undefined. Called at each use, with the hosts that get it. */
  readonly resolve: ResolveReference;
  /** OAuth tokens of an account; always the same object for one account. */
  readonly tokensOf: (accountId: string) => AccountTokens;
}

/** Result of a look at an account that sends no request; `hint` says what to do, unless the status is `ok`. */
export type AccountFinding =
  | { readonly status: 'ok'; readonly message: string }
  | { readonly status: 'warn' | 'fail'; readonly message: string; readonly hint: string };

/** Dependencies of `MailProvider.inspect`. */
export interface InspectDeps extends Pick<ProviderDeps, 'baseDir' | 'resolve'> {
  /** False if references to stored secrets cannot be resolved, since the store cannot be read. */
  readonly hasStore: boolean;
  /** True if the data folder exists, so `callsheet start` has run before. */
  readonly hasStarted: boolean;
}

/** One row of the registry in `providers.ts`: opens the accounts of one provider. */
export interface MailProvider<P extends ProviderName> {
  openSource(account: AccountOf<P>, deps: ProviderDeps): MailSource;
  /** Imports the mailbox code on first use, since most commands need none. */
  openMailbox(account: AccountOf<P>, deps: ProviderDeps): Promise<Mailbox>;
  /** Checks an account for `callsheet doctor`. Absent if people sign in to it: the doctor checks its tokens instead. */
  inspect?(account: AccountOf<P>, deps: InspectDeps): AccountFinding;
}

/** A row for each provider; a provider of the schema without a row is a type error. */
export type MailProviders = { readonly [P in ProviderName]: MailProvider<P> };
