import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Snapshot } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import { disconnect, type Disconnected } from './oauth/disconnect.ts';
import { type AccountTools, type CloudAccount, isCloud, requiredUsesOf } from './required-scopes.ts';
import { clientIdOf, clientOf, type SecretLookup } from './oauth/client-from-config.ts';
import type { AccountTokens } from './account.ts';
import { missingScopes, scopesFor } from './scopes.ts';
import { createAccountTokens, type OpenTokens } from './oauth/token-refresher.ts';
import { wantedScopes } from './wanted-scopes.ts';

/** Options of `createConnections`. */
export interface ConnectionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly config: () => Snapshot;
  readonly references: SecretLookup;
  /** The tools of the app: their `uses` say which scopes an account needs. */
  readonly tools: AccountTools;
  /** True where several processes share the store. Default false. */
  readonly isShared?: boolean;
}

/** The accounts with a sign-in and their tokens: one `AccountTokens` for each account. */
export interface Connections {
  /** Works for any name; errors of the account are thrown when a token is requested. */
  tokensOf(accountId: string): AccountTokens;
  /** Finds an account. Throws `NOT_FOUND`, or `BAD_REQUEST` for a provider without a sign-in. */
  accountOf(accountId: string): CloudAccount;
  /** All scopes that the config needs for an account: the fewest that cover every use. */
  wantedScopes(account: CloudAccount): readonly string[];
  /**
   * Throws the error that a request for all used scopes would throw, without a request to the provider;
   * `ACCOUNT_FAILED` where the client's id or secret is missing.
   */
  check(account: CloudAccount): Promise<void>;
  /** Signs an account out; see `disconnect` in disconnect.ts. */
  disconnect(accountId: string, how?: { readonly isLocal?: boolean }): Promise<Disconnected>;
  /** Resolves when no refresh is under way. */
  close(): Promise<void>;
}

/** Creates the connections of a store. Nothing is read or loaded until a token is requested. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { store, clock, redactor, log, config, references, tools, isShared = false } = options;
  const scopesOf = (account: CloudAccount) => wantedScopes(account, config(), tools);
  const opened = new Map<string, OpenTokens>();

  const accountOf = (accountId: string): CloudAccount => {
    const account = config().accounts.get(accountId);
    if (account === undefined) throw new EngineError('NOT_FOUND', `there is no account "${accountId}"`);
    if (isCloud(account)) return account;
    throw new EngineError('BAD_REQUEST', `account ${accountId} has no sign-in: its provider is ${account.provider}`);
  };

  const open = (accountId: string): OpenTokens => {
    const tokens = createAccountTokens({
      accountId,
      about: () => {
        const account = accountOf(accountId);
        const { email, endpoints } = account;
        return { email, clientId: clientIdOf(account, references), endpoints };
      },
      client: () => clientOf(accountOf(accountId), { references, clock }),
      usersOf: (scope) => usersOf(accountOf(accountId), scope, config(), tools),
      ...{ store, clock, redactor, log, isShared },
    });
    opened.set(accountId, tokens);
    return tokens;
  };
  const tokensOf = (accountId: string) => opened.get(accountId) ?? open(accountId);

  return {
    tokensOf,
    accountOf,
    wantedScopes: scopesOf,
    async check(account) {
      clientOf(account, { references, clock });
      await tokensOf(account.id).check(scopesOf(account));
    },
    disconnect: (accountId, { isLocal = false } = {}) => disconnect(accountId, { store, redactor, log, isLocal }),
    close: async () => void (await Promise.all([...opened.values()].map((tokens) => tokens.close()))),
  };
}

/** Actors and features of the config that use a scope of an account, in words for people. */
function usersOf(account: CloudAccount, scope: string, snapshot: Snapshot, tools: AccountTools): string[] {
  const users = requiredUsesOf(account, snapshot, tools).filter(
    ({ use }) => missingScopes(scopesFor(account.provider, [use]), [scope]).length === 0,
  );
  return [...new Set(users.map(({ by }) => by))];
}
