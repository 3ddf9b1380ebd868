import { EngineError, type ErrorBody, errorBody } from '../base/error.ts';
import type { Connections } from './connections.ts';
import type { CloudAccount } from './required-scopes.ts';
import type { AuthorizeProblem } from './account.ts';

/** How an account stands, as far as is known without asking anybody. */
export interface ConnectionState {
  readonly state: 'connected' | 'not_connected' | 'grant_lost' | 'scope_missing' | 'client_missing';
  /** What is wrong, and what to do. */
  readonly problem?: ErrorBody;
}

/** How the sign-in of an account stands. One that cannot be read any more is lost; other errors of the store pass. */
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

/** Codes of what only a person can mend, by signing in. */
const WAITING: ReadonlySet<string> = new Set(['ACCOUNT_NOT_CONNECTED', 'ACCOUNT_GRANT_LOST', 'ACCOUNT_SCOPE_MISSING']);

/** Whether somebody has to sign in before what went wrong with this code can go on. */
export function waitsForSignIn(code: string): boolean {
  return WAITING.has(code);
}

/** Codes of a provider, or of a server that sends, which nobody reaches where they are retryable. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ACCOUNT_FAILED', 'MAIL_NOT_SENT']);

/** The category of what went wrong (seed 000, 3.2.2a). */
export function authorizeProblem(error: unknown): AuthorizeProblem {
  if (!(error instanceof EngineError)) return 'other';
  if (error.code === 'ACCOUNT_NOT_CONNECTED') return 'missing_refresh_token';
  if (error.code === 'ACCOUNT_GRANT_LOST') return 'invalid_grant';
  return UNREACHABLE.has(error.code) && error.retryable ? 'network' : 'other';
}
