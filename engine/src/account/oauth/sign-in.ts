import { createHash, randomBytes } from 'node:crypto';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Store } from '../../store/store.ts';
import { isSameEndpoints } from '../account.ts';
import { isSameAddress } from '../same-mailbox.ts';
import type { TokenGrant } from './oauth-client.ts';
import { type StoredToken, readToken, writeToken } from './token-store.ts';
import type { CloudAccount } from '../required-scopes.ts';
import { clientIdOf, clientOf, type SecretLookup } from './client-from-config.ts';
import { closeAttempt, type OpenAttempt, readAttempt, startAttempt, claimAttempt } from './sign-in-attempt.ts';
import { connectHint } from './oauth-error.ts';
import { missingScopes, PROVIDER_NAMES, scopeName } from '../scopes.ts';

/** Options of `createSignIns`. */
export interface SignInOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly references: SecretLookup;
  /** Finds the account that a person signs in to, and its scopes; see `Connections`. */
  readonly connections: {
    accountOf(accountId: string): CloudAccount;
    wantedScopes(account: CloudAccount): readonly string[];
  };
  /** True where the user allows plain text for all secrets (`CALLSHEET_PLAINTEXT=1`). */
  readonly allowsPlaintext: boolean;
}

/** A sign-in that has begun: the link for the person. */
export interface StartedSignIn {
  readonly authorizeUrl: string;
  /** Id of the attempt; it only serves to read its state. */
  readonly attempt: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Query of the redirect. */
export interface SignInRedirect {
  readonly provider: CloudAccount['provider'];
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

/** A completed sign-in. */
export interface SignedIn {
  readonly accountId: string;
  readonly address: string;
  /** Scopes that the config uses and the person did not allow, by their short names. */
  readonly missing: readonly string[];
}

/**
 * The authorization code flow with PKCE (RFC 7636, RFC 9700). Open attempts are in the store, so that the browser may
 * come back to another process; each state is valid for ten minutes and for one return.
 */
export interface SignIns {
  /**
   * Begins a sign-in. Throws `SECRET_NEEDS_KEY` where tokens would be stored in plain text without permission, before a
   * person is sent anywhere; `ACCOUNT_FAILED` where the client's id or secret is missing; `NOT_FOUND` or `BAD_REQUEST`
   * for the account.
   */
  begin(
    accountId: string,
    how: { readonly redirectUri: string; readonly allowsPlaintext?: boolean },
  ): Promise<StartedSignIn>;
  /**
   * Finishes a sign-in. Throws `BAD_REQUEST` for an unknown, used or expired state; `ACCOUNT_NOT_CONNECTED` where the
   * person refused or signed in with another address; `ACCOUNT_FAILED` as in `OAuthClient`.
   */
  finish(returned: SignInRedirect, options?: Abortable): Promise<SignedIn>;
  /** State of an attempt; `NOT_FOUND` where it is unknown. */
  outcome(attempt: string): Promise<{ state: 'open' | 'done' | 'failed'; accountId: string; message?: string }>;
}

const LIFE_MS = 10 * 60_000;
/** Attempts of a write while a refresh changes the row. */
const ATTEMPTS = 3;

/** Creates the sign-ins over a store. */
export function createSignIns(options: SignInOptions): SignIns {
  return {
    begin: (accountId, request) => begin(options, accountId, request),
    finish: (returned, abortable) => finish(options, returned, abortable),
    outcome: (attempt) => readAttempt(options.store, attempt, options.clock.now()),
  };
}

async function begin(
  options: SignInOptions,
  accountId: string,
  { redirectUri, allowsPlaintext = false }: Parameters<SignIns['begin']>[1],
): Promise<StartedSignIn> {
  const { store, clock, log, references, connections } = options;
  const account = connections.accountOf(accountId);
  if (store.storage === 'plaintext' && !allowsPlaintext && !options.allowsPlaintext) throw needsKey(accountId);
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(48).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const { provider, email, endpoints } = account;
  const scopes = connections.wantedScopes(account);
  const request = { redirectUri, scopes, state, challenge, loginHint: email };
  const authorizeUrl = await clientOf(account, { references, clock }).authorizeUrl(request);
  const expiresAt = clock.now() + LIFE_MS;
  const clientId = clientIdOf(account, references);
  const open = {
    ...{ accountId, provider, email, clientId, verifier, redirectUri, scopes },
    ...(endpoints && { endpoints }),
  };
  const attempt = await startAttempt(store, state, { open, expiresAt, now: clock.now() });
  log.info('sign-in begun', { account: accountId, scopes: scopes.map(scopeName) });
  return { authorizeUrl, attempt, expiresAt };
}

async function finish(options: SignInOptions, returned: SignInRedirect, { signal }: Abortable = {}): Promise<SignedIn> {
  const { store, clock, redactor, log } = options;
  const { id, open } = await claimAttempt(store, returned, clock.now());
  const { accountId } = open;
  const { code: secret = '' } = returned;
  redactor.add(secret);
  try {
    const done = await complete(options, open, returned, { signal });
    await closeAttempt(store, id, { state: 'done', accountId });
    log.info('account connected', { account: accountId, missing: done.missing });
    return done;
  } catch (error) {
    const { code, message } = errorBody(error);
    log.warn('sign-in failed', { account: accountId, code, message });
    await closeAttempt(store, id, { state: 'failed', accountId, message: redactor.text(message) });
    throw error;
  } finally {
    redactor.remove(secret);
  }
}

/** Exchanges the code for tokens, checks who signed in, and stores the tokens. */
async function complete(
  { store, clock, redactor, references, connections }: SignInOptions,
  attempt: OpenAttempt,
  { code, error }: SignInRedirect,
  { signal }: Abortable,
): Promise<SignedIn> {
  const account = connections.accountOf(attempt.accountId);
  if (code === undefined) throw refusedError(account, error);
  const isSame =
    clientIdOf(account, references) === attempt.clientId &&
    account.email === attempt.email &&
    isSameEndpoints(account.endpoints, attempt.endpoints);
  if (!isSame)
    throw new EngineError('ACCOUNT_NOT_CONNECTED', `account ${account.id} was changed during the sign-in`, {
      hint: 'begin again',
    });
  const { verifier, redirectUri, scopes } = attempt;
  const { addresses, ...granted } = await clientOf(account, { references, clock })
    .exchange({ code, verifier, redirectUri, scopes }, { signal })
    .catch((thrown: unknown) => Promise.reject(exchangeError(thrown)));
  for (const secret of [granted.accessToken, granted.refreshToken ?? '']) redactor.add(secret);
  expectOwner(account, addresses);
  await storeGrant(store, account, { ...granted, clientId: attempt.clientId, connectedAt: clock.now() });
  const missing = missingScopes(granted.scopes, connections.wantedScopes(account)).map(scopeName);
  return { accountId: account.id, address: account.email, missing };
}

/** Replaces the stored tokens of an account, also where a refresh writes at the same time. */
async function storeGrant(
  store: Store,
  { id, provider, email, endpoints }: CloudAccount,
  granted: TokenGrant & Pick<StoredToken, 'clientId' | 'connectedAt'>,
): Promise<void> {
  const { clientId, connectedAt, accessToken, expiresAt, scopes, refreshToken = '' } = granted;
  const about = { provider, clientId, email, connectedAt, ...(endpoints && { endpoints }) };
  const token = { ...about, accessToken, expiresAt, scopes, refreshToken };
  for (let attempt = 1; ; attempt++) {
    const kept = await readToken(store, id);
    try {
      await store.apply([writeToken(id, kept, token)]);
      return;
    } catch (error) {
      const isLate = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isLate || attempt === ATTEMPTS) throw error;
    }
  }
}

/** `error` is from the query of the redirect, which anybody can write: only plain error codes are repeated. */
function refusedError({ id }: CloudAccount, error = ''): EngineError {
  const isRefusal = error === 'access_denied';
  const known = /^[a-z_]{1,40}$/.test(error) ? `: ${error}` : '';
  return new EngineError(
    'ACCOUNT_NOT_CONNECTED',
    isRefusal ? `account ${id}: access was not allowed` : `account ${id}: the provider returned no sign-in${known}`,
    { hint: isRefusal ? 'begin again, and allow access' : connectHint(id) },
  );
}

/** A refused code is an expired sign-in, not a lost grant. */
function exchangeError(thrown: unknown): unknown {
  if (!(thrown instanceof EngineError) || thrown.code !== 'ACCOUNT_GRANT_LOST') return thrown;
  return new EngineError('ACCOUNT_NOT_CONNECTED', thrown.message, {
    hint: 'begin again; a code can be used only once',
  });
}

function expectOwner({ id, email, provider }: CloudAccount, addresses: readonly string[]): void {
  if (addresses.some((address) => isSameAddress(address, email))) return;
  const who = addresses[0];
  throw new EngineError(
    'ACCOUNT_NOT_CONNECTED',
    who === undefined
      ? `account ${id}: ${PROVIDER_NAMES[provider].company} did not return the address of the person who signed in`
      : `account ${id} is ${email}, but ${who} signed in; nothing was stored`,
    { hint: `sign in as ${email}, or change \`email\` in its file` },
  );
}

function needsKey(accountId: string): EngineError {
  return new EngineError(
    'SECRET_NEEDS_KEY',
    `account ${accountId} is not connected: its tokens would be stored in plain text in the data folder`,
    {
      hint:
        'callsheet key make prints a key; put it into .env as VX_MAILAGENT_KEY, start again, and everything is encrypted. ' +
        'To store them in plain text anyway: callsheet accounts connect --plaintext, or CALLSHEET_PLAINTEXT=1',
    },
  );
}
