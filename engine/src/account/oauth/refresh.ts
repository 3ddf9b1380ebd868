import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import type { OAuthClient } from './oauth-client.ts';
import { type StoredTokenRow, type StoredToken, readToken, writeToken } from './token-store.ts';
import { connectHint } from './oauth-error.ts';

export interface RefreshDeps {
  readonly accountId: string;
  readonly client: () => OAuthClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** True where several processes share the store, and may renew at the same moment. */
  readonly isShared: boolean;
  /** Told of new tokens before they are kept. */
  readonly onToken: (token: StoredToken) => void;
}

/** A process that was refused looks so often, and so far apart, for what another one has got with the same refresh token. */
const CHECKS = 6;
const CHECK_MS = 250;

/**
 * Exchanges what is kept for new tokens, and keeps those. Undefined where another process has stored something else meanwhile:
 * then that counts. A refresh token may be good once (RFC 9700, 4.14.2): of two processes that use it the second is refused, and
 * must not take that for the end. `ACCOUNT_GRANT_LOST`, which is kept too, and else as `OAuthClient.refresh`.
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
    log.warn('an account has to be signed in to again', { account: accountId, reason: granted.message });
    throw new EngineError('ACCOUNT_GRANT_LOST', granted.message, { hint: connectHint(accountId) });
  }
  const renewed = { ...token, ...granted, refreshToken: granted.refreshToken ?? refreshToken };
  deps.onToken(renewed);
  if (!(await write(store, accountId, stored, renewed))) {
    // One that was refused, and too impatient, has put down that it is lost; what we hold says that it is not.
    const now = await readToken(store, accountId);
    const isWrongEnd = now?.token.lost !== undefined && now.token.refreshToken === refreshToken;
    if (!isWrongEnd || !(await write(store, accountId, now, renewed))) return undefined;
  }
  log.debug('token renewed', { account: accountId });
  return renewed;
}

async function isChangedSoon(stored: StoredTokenRow, { store, accountId, clock }: RefreshDeps): Promise<boolean> {
  for (let check = 0; check < CHECKS; check++) {
    await sleep(CHECK_MS, { clock });
    if ((await readToken(store, accountId))?.rev !== stored.rev) return true;
  }
  return false;
}

/** False where it was changed meanwhile. */
async function write(store: Store, accountId: string, known: StoredTokenRow, token: StoredToken): Promise<boolean> {
  try {
    await store.apply([writeToken(accountId, known, token)]);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_CONFLICT') return false;
    throw error;
  }
}
