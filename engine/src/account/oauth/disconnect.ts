import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Store } from '../../store/store.ts';
import { isSameAddress } from '../same-mailbox.ts';
import { revokeAtGoogle } from './google-oauth.ts';
import { type StoredToken, readToken } from './token-store.ts';

/** What became of an account's sign-in: its tokens are gone from here in any case. */
export interface Disconnected {
  readonly accountId: string;
  /** What was allowed, at the provider: taken back (`revoked`), left as it is (`kept`), or left though it was to go (`failed`). */
  readonly grant: 'revoked' | 'kept' | 'failed';
  /** Why it was left. */
  readonly reason?: string;
}

interface DisconnectOptions {
  readonly store: Store;
  readonly redactor: Pick<Redactor, 'add' | 'text'>;
  readonly log: Logger;
  /** True: the provider is not asked. */
  readonly isLocal: boolean;
}

/**
 * Forgets the tokens of an account, also of one that is no longer in the config, then has the provider take back what was
 * allowed. `NOT_FOUND` where there are none.
 */
export async function disconnect(accountId: string, options: DisconnectOptions): Promise<Disconnected> {
  const { store, redactor, log } = options;
  const token = await readToken(store, accountId).then((stored) => stored?.token, unreadable);
  if (token === undefined) throw new EngineError('NOT_FOUND', `nobody is signed in to "${accountId}"`);
  const reason = await reasonToKeep(accountId, token, options);
  // First of all: whatever the provider says, or does not say, keeps no token here.
  await store.apply([{ op: 'delete', table: 'token', where: { account: accountId } }]);
  log.info('account disconnected', { account: accountId });
  if (reason !== undefined) return { accountId, grant: 'kept', reason };
  if (token === 'unreadable') return { accountId, grant: 'failed', reason: 'what was kept could not be read' };
  const secret = token.refreshToken === '' ? token.accessToken : token.refreshToken;
  redactor.add(secret);
  try {
    await revokeAtGoogle({ accountId, token: secret, endpoints: token.endpoints });
    return { accountId, grant: 'revoked' };
  } catch (error) {
    const { message } = errorBody(error);
    log.warn('what an account was allowed still stands at its provider', { account: accountId, reason: message });
    return { accountId, grant: 'failed', reason: redactor.text(message) };
  }
}

async function reasonToKeep(
  accountId: string,
  token: StoredToken | 'unreadable',
  options: DisconnectOptions,
): Promise<string | undefined> {
  if (options.isLocal) return 'the provider was not asked';
  if (token === 'unreadable') return undefined;
  if (token.provider === 'outlook') return 'Microsoft has no way for programs to take it back';
  // Google ends all that one person has allowed to one project, whichever token is named.
  for (const { account } of await options.store.list('token', { bodies: false })) {
    if (account === accountId) continue;
    const other = await readToken(options.store, account).then((stored) => stored?.token, unreadable);
    if (other === undefined || other === 'unreadable' || other.provider !== 'gmail' || other.lost !== undefined)
      continue;
    if (isSameAddress(other.email, token.email))
      return `account ${account} is signed in as ${other.email}, too, and Google would end both`;
  }
  return undefined;
}

/** A row that cannot be opened must not stand in the way of whoever wants it gone. */
function unreadable(error: unknown): 'unreadable' {
  if (error instanceof EngineError && error.code === 'STORE_TAMPERED') return 'unreadable';
  throw error;
}
