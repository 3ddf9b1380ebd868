import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import type { OAuthClient } from './oauth-client.ts';
import { type StoredTokenRow, type StoredToken, readToken, writeToken } from './token-store.ts';
import { connectHint } from './oauth-error.ts';

/** What a refresh needs. */
export interface RefreshDeps {
  readonly accountId: string;
  readonly client: () => OAuthClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** True where several processes share the store and may refresh at the same time. */
  readonly isShared: boolean;
  /** Called with new tokens before they are stored. */
  readonly onToken: (token: StoredToken) => void;
}

/** After a refusal, a process checks this often whether another process has used the same refresh token. */
const CHECKS = 6;
const CHECK_MS = 250;

/**
 * Exchanges the refresh token for new tokens and stores them. Returns undefined where another process has changed the
 * row meanwhile: its tokens apply. A refresh token may be valid only once (RFC 9700, 4.14.2): of two processes the
 * second is refused, which does not end the grant. Throws `ACCOUNT_GRANT_LOST`, which is stored too, and the errors of
 * `OAuthClient.refresh`.
 */
export async function refreshToken(stored: StoredTokenRow, deps: RefreshDeps): Promise<StoredToken | undefined> {
  const { accountId, store, log } = deps;
  const { token } = stored;
  const { refreshToken, scopes } = token;
  const granted = await deps
    .client()
    .refresh({ refreshToken, scopes })
    .catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'ACCOUNT_GRANT_LOST') return error;
      throw error;
    });
  if (granted instanceof EngineError) {
    if (deps.isShared && (await isChangedSoon(stored, deps))) return undefined;
    if (!(await write(store, accountId, stored, { ...token, lost: granted.message }))) return undefined;
    log.warn('an account needs a new sign-in', { account: accountId, reason: granted.message });
    throw new EngineError('ACCOUNT_GRANT_LOST', granted.message, { hint: connectHint(accountId) });
  }
  const renewed = { ...token, ...granted, refreshToken: granted.refreshToken ?? refreshToken };
  deps.onToken(renewed);
  if (!(await write(store, accountId, stored, renewed))) {
    // A refused process may have stored that the grant is lost, too early; our new tokens prove that it is not.
    const now = await readToken(store, accountId);
    const isWrongEnd = now?.token.lost !== undefined && now.token.refreshToken === refreshToken;
    if (!isWrongEnd || !(await write(store, accountId, now, renewed))) return undefined;
  }
  log.debug('token refreshed', { account: accountId });
  return renewed;
}

async function isChangedSoon(stored: StoredTokenRow, { store, accountId, clock }: RefreshDeps): Promise<boolean> {
  for (let check = 0; check < CHECKS; check++) {
    await sleep(CHECK_MS, { clock });
    if ((await readToken(store, accountId))?.rev !== stored.rev) return true;
  }
  return false;
}

/** False where the row was changed meanwhile. */
async function write(store: Store, accountId: string, known: StoredTokenRow, token: StoredToken): Promise<boolean> {
  try {
    await store.apply([writeToken(accountId, known, token)]);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_CONFLICT') return false;
    throw error;
  }
}
