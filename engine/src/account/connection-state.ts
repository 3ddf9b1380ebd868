import { EngineError, type ErrorBody, errorBody } from '../base/error.ts';
import type { Connections } from './connections.ts';
import type { CloudAccount } from './required-scopes.ts';
import type { AuthorizeProblem } from './account.ts';

/** Sign-in state of an account, without a request to its provider. */
export interface ConnectionState {
  readonly state: 'connected' | 'not_connected' | 'grant_lost' | 'scope_missing' | 'client_missing';
  /** The problem, and its remedy. */
  readonly problem?: ErrorBody;
}

/**
 * Reads the sign-in state of an account. Tokens that cannot be decrypted count as lost; other errors of the store are
 * thrown.
 */
export async function connectionStateOf(connections: Connections, account: CloudAccount): Promise<ConnectionState> {
  try {
    await connections.check(account);
    return { state: 'connected' };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const problem = errorBody(error);
    if (error.code === 'ACCOUNT_NOT_CONNECTED') return { state: 'not_connected', problem };
    if (error.code === 'STORE_TAMPERED') {
      const hint = `callsheet accounts disconnect ${account.id}, then connect it again`;
      return { state: 'grant_lost', problem: { ...problem, hint } };
    }
    if (error.code === 'ACCOUNT_GRANT_LOST') return { state: 'grant_lost', problem };
    if (error.code === 'ACCOUNT_SCOPE_MISSING') return { state: 'scope_missing', problem };
    if (error.code === 'ACCOUNT_FAILED') return { state: 'client_missing', problem };
    throw error;
  }
}

/** Codes of problems that only a person can solve, by a new sign-in. */
const WAITING: ReadonlySet<string> = new Set(['ACCOUNT_NOT_CONNECTED', 'ACCOUNT_GRANT_LOST', 'ACCOUNT_SCOPE_MISSING']);

/** True where work that failed with this code can continue only after a sign-in. */
export function waitsForSignIn(code: string): boolean {
  return WAITING.has(code);
}

/** Codes that mean an unreachable provider or mail server where the error is retryable. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ACCOUNT_FAILED', 'MAIL_NOT_SENT']);

/** The category of an error (seed 000, 3.2.2a). */
export function authorizeProblem(error: unknown): AuthorizeProblem {
  if (!(error instanceof EngineError)) return 'other';
  if (error.code === 'ACCOUNT_NOT_CONNECTED') return 'missing_refresh_token';
  if (error.code === 'ACCOUNT_GRANT_LOST') return 'invalid_grant';
  return UNREACHABLE.has(error.code) && error.retryable ? 'network' : 'other';
}
