import { orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Store } from '../../store/store.ts';
import type { OAuthClient } from './oauth-client.ts';
import { type StoredTokenRow, type StoredToken, readToken } from './token-store.ts';
import { connectHint } from './oauth-error.ts';
import { type AccountTokens, type Endpoints, isSameEndpoints } from '../account.ts';
import { refreshToken } from './refresh.ts';
import { missingScopes, scopeName } from '../scopes.ts';

/** Options of `createAccountTokens`. */
export interface TokensOptions {
  readonly accountId: string;
  /** Current values of the account's file: a sign-in with another address, client or endpoint does not count. */
  readonly about: () => {
    readonly email: string;
    readonly clientId: string;
    readonly endpoints?: Endpoints | undefined;
  };
  readonly client: () => OAuthClient;
  /** Actors of the config that use a scope, in words for people. */
  readonly usersOf: (scope: string) => readonly string[];
  readonly store: Store;
  readonly clock: Clock;
  /** Gets every token, so that none is logged, stored elsewhere or sent. */
  readonly redactor: Pick<Redactor, 'add' | 'remove'>;
  readonly log: Logger;
  /** True where several processes share the store. */
  readonly isShared: boolean;
}

/** The tokens of one account; `close` resolves when no refresh is under way. */
export interface OpenTokens extends AccountTokens {
  /** Throws the errors that `accessToken` throws without a request to the provider. */
  check(scopes: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A token with less time left is not returned. */
const SPARE_MS = 60_000;
/** Attempts of a refresh while other processes change the row. */
const ATTEMPTS = 3;
/** Number of an account's tokens that are redacted at a time: tokens of the last hours may still be in log data. */
const MAX_REDACTED = 12;

/**
 * Opens the tokens of one account. Concurrent callers share one refresh. Several processes on one store may refresh at
 * the same time: each overwrites only the row that it has read, else it takes the tokens of the other process (see
 * `refreshToken`).
 */
export function createAccountTokens(options: TokensOptions): OpenTokens {
  return new StoredTokens(options);
}

class StoredTokens implements OpenTokens {
  readonly #options: TokensOptions;
  /** Secrets that this object has added to the redactor, oldest first. */
  readonly #redacted: string[] = [];
  #refreshing: Promise<StoredToken> | undefined;

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  async accessToken({ scopes, refused, signal }: Parameters<AccountTokens['accessToken']>[0]): Promise<string> {
    signal?.throwIfAborted();
    // Read each time: another process or a person may have changed the row, and a read costs little compared to a
    // request.
    let { token } = await this.#load();
    this.#expectScopes(token, scopes);
    // A refresh that was already under way may return the refused token.
    for (let turn = 0; turn < 2 && !this.#isFresh(token, refused); turn++)
      token = await orAbort(this.#shareRefresh(refused), signal);
    this.#expectScopes(token, scopes);
    return token.accessToken;
  }

  async check(scopes: readonly string[]): Promise<void> {
    const { token } = await this.#load();
    this.#expectScopes(token, scopes);
    if (!this.#isFresh(token, undefined)) this.#expectRefreshToken(token);
  }

  async close(): Promise<void> {
    const { log } = this.#options;
    await this.#refreshing?.catch((error: unknown) => log.debug('the last refresh failed', { ...errorBody(error) }));
  }

  #shareRefresh(refused: string | undefined): Promise<StoredToken> {
    this.#refreshing ??= this.#refresh(refused).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #refresh(refused: string | undefined): Promise<StoredToken> {
    const { accountId } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stored = await this.#load();
      const { token } = stored;
      if (this.#isFresh(token, refused)) return token;
      this.#expectRefreshToken(token);
      const next = await refreshToken(stored, { ...this.#options, onToken: (renewed) => this.#redact(renewed) });
      if (next !== undefined) return next;
    }
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: other processes keep changing its sign-in`, {
      retryable: true,
    });
  }

  /** Reads the stored tokens; throws `ACCOUNT_NOT_CONNECTED` or `ACCOUNT_GRANT_LOST` where they cannot be used. */
  async #load(): Promise<StoredTokenRow> {
    const { accountId, store, about } = this.#options;
    const stored = await readToken(store, accountId);
    if (stored === undefined) throw notConnected(accountId, 'nobody has signed in yet');
    const { token } = stored;
    this.#redact(token);
    const { email, clientId, endpoints } = about();
    if (token.email !== email) throw notConnected(accountId, `its sign-in is for ${token.email}, not ${email}`);
    if (token.clientId !== clientId)
      throw notConnected(accountId, 'its sign-in used another client than `oauth` names');
    // Whoever may change the file could otherwise have the tokens sent to a server of theirs.
    if (!isSameEndpoints(token.endpoints, endpoints))
      throw notConnected(accountId, 'its `endpoints` changed since the sign-in, so the tokens are sent nowhere');
    if (token.lost !== undefined)
      throw new EngineError('ACCOUNT_GRANT_LOST', token.lost, { hint: connectHint(accountId) });
    return stored;
  }

  #redact(token: StoredToken): void {
    const { redactor } = this.#options;
    for (const secret of [token.accessToken, token.refreshToken]) {
      if (secret === '') continue;
      const at = this.#redacted.indexOf(secret);
      if (at >= 0) this.#redacted.splice(at, 1);
      else redactor.add(secret);
      this.#redacted.push(secret);
    }
    for (const old of this.#redacted.splice(0, this.#redacted.length - MAX_REDACTED)) redactor.remove(old);
  }

  #isFresh(token: StoredToken, refused: string | undefined): boolean {
    return token.accessToken !== refused && token.expiresAt - SPARE_MS > this.#options.clock.now();
  }

  #expectScopes(token: StoredToken, scopes: readonly string[]): void {
    const missing = missingScopes(token.scopes, scopes);
    if (missing.length > 0) throw scopeMissing(this.#options, missing);
  }

  #expectRefreshToken(token: StoredToken): void {
    if (token.refreshToken !== '') return;
    throw notConnected(this.#options.accountId, 'its sign-in has expired, and there is no refresh token');
  }
}

function notConnected(accountId: string, why: string): EngineError {
  return new EngineError('ACCOUNT_NOT_CONNECTED', `account ${accountId}: ${why}`, { hint: connectHint(accountId) });
}

function scopeMissing({ accountId, usersOf }: TokensOptions, scopes: readonly string[]): EngineError {
  const named = scopes.map((scope) => ({ name: scopeName(scope), users: usersOf(scope) }));
  const words = named.map(({ name, users }) => (users.length === 0 ? name : `${name} (for ${users.join(', ')})`));
  // A sign-in asks for the uses of the config. Replies by people count only where the account allows them.
  const isUsed = named.every(({ users }) => users.length > 0);
  return new EngineError(
    'ACCOUNT_SCOPE_MISSING',
    `account ${accountId}: at sign-in nobody allowed ${words.join(' and ')}`,
    {
      hint: isUsed
        ? `sign in again and allow it: ${connectHint(accountId)}`
        : `for replies of people write \`replies: true\` into its file, then sign in again: ${connectHint(accountId)}`,
    },
  );
}
