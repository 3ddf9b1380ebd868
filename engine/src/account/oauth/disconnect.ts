import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Store } from '../../store/store.ts';
import { isSameAddress } from '../same-mailbox.ts';
import { revokeAtGoogle } from './google-oauth.ts';
import { type StoredToken, readToken } from './token-store.ts';

/** Result of a disconnect. The stored tokens are deleted in any case. */
export interface Disconnected {
  readonly accountId: string;
  /** The grant at the provider: `revoked`, `kept` on purpose, or `failed` to revoke. */
  readonly grant: 'revoked' | 'kept' | 'failed';
  /** Why the grant was not revoked. */
  readonly reason?: string;
}

interface DisconnectOptions {
  readonly store: Store;
  readonly redactor: Pick<Redactor, 'add' | 'text'>;
  readonly log: Logger;
  /** True to delete the tokens here only. */
  readonly isLocal: boolean;
}

/**
 * Deletes the tokens of an account, also of one that is no longer in the config, then revokes the grant at the
 * provider. Throws `NOT_FOUND` where the account has no stored tokens.
 */
export async function disconnect(accountId: string, options: DisconnectOptions): Promise<Disconnected> {
  const { store, redactor, log } = options;
  const token = await readToken(store, accountId).then((stored) => stored?.token, unreadable);
  if (token === undefined) throw new EngineError('NOT_FOUND', `nobody is signed in to "${accountId}"`);
  const reason = await reasonToKeep(accountId, token, options);
  // Deleted first, so that a failed request to the provider leaves no token here.
  await store.apply([{ op: 'delete', table: 'token', where: { account: accountId } }]);
  log.info('account disconnected', { account: accountId });
  if (reason !== undefined) return { accountId, grant: 'kept', reason };
  if (token === 'unreadable') return { accountId, grant: 'failed', reason: 'the stored sign-in could not be read' };
  const secret = token.refreshToken === '' ? token.accessToken : token.refreshToken;
  redactor.add(secret);
  try {
    await revokeAtGoogle({ accountId, token: secret, endpoints: token.endpoints });
    return { accountId, grant: 'revoked' };
  } catch (error) {
    const { message } = errorBody(error);
    log.warn('the grant of an account was not revoked at its provider', { account: accountId, reason: message });
    return { accountId, grant: 'failed', reason: redactor.text(message) };
  }
}

/** Why the grant at the provider is left unchanged; undefined where it should be revoked. */
async function reasonToKeep(
  accountId: string,
  token: StoredToken | 'unreadable',
  options: DisconnectOptions,
): Promise<string | undefined> {
  if (options.isLocal) return 'the provider was not asked';
  if (token === 'unreadable') return undefined;
  if (token.provider === 'outlook') return 'Microsoft offers no way for programs to revoke it';
  // Google revokes all grants of a person to a project, whichever token is named.
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

/** A row that cannot be decrypted must not prevent its deletion. */
function unreadable(error: unknown): 'unreadable' {
  if (error instanceof EngineError && error.code === 'STORE_TAMPERED') return 'unreadable';
  throw error;
}
