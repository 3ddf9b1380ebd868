import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { callGoogle, type GoogleCall } from '../../account/google/google-call.ts';
import {
  type GoogleProblem,
  googleProblem as problemIn,
  isTransient,
  isDisabled,
  isThrottled,
  signInError,
} from '../../account/google/google-error.ts';
import type { AccountTokens } from '../../account/account.ts';

/** Dependencies of the calendar and tasks of one Google account. */
export interface GoogleDeps {
  readonly accountId: string;
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  /** Root of the API; default Google's own. */
  readonly api?: string;
}

interface GoogleRequest extends Abortable {
  readonly scopes: readonly string[];
  /** Whether the request may be repeated when its outcome is unknown. Default true. */
  readonly isRepeatable?: boolean;
}

const REQUEST_MS = 30_000;
const MAX_TRIES = 4;

/**
 * Calls a method of Google's libraries and returns its data; see `callGoogle`. Throws the errors of `AccountTokens`,
 * `ACCOUNT_SCOPE_MISSING` (names the scope), `NOT_FOUND`, `CONFLICT`, else `ACCOUNT_FAILED`; rejects on abort.
 */
export function requestGoogle<T>(
  deps: GoogleDeps,
  { scopes, signal, isRepeatable = true }: GoogleRequest,
  call: GoogleCall<T>,
): Promise<T> {
  const mayRepeat = (problem: GoogleProblem) => isThrottled(problem) || (isRepeatable && isPassing(problem));
  const { accountId } = deps;
  return callGoogle(
    deps,
    {
      ...{ scopes, signal, timeoutMs: REQUEST_MS },
      maxTries: (problem) => (mayRepeat(problem) ? MAX_TRIES : 1),
      errorOf: (problem) => errorOf(problem, { accountId, scopes }),
    },
    call,
  );
}

/** True if the same request may succeed later. Unless it was throttled, it may have been done. */
function isPassing(problem: GoogleProblem): boolean {
  const { status } = problem;
  return isThrottled(problem) || isTransient(problem) || status === 0 || status >= 500;
}

function errorOf(
  problem: GoogleProblem,
  { accountId, scopes }: { readonly accountId: string; readonly scopes: readonly string[] },
): EngineError {
  const { status, reason, activationUrl } = problem;
  const details = [reason, problem.message].filter((text) => text !== '').join(': ') || `HTTP ${status}`;
  const about = (what: string) => `account ${accountId}: ${what}`;
  const lost = signInError(problem, { accountId, scopes });
  if (lost !== undefined) return lost;
  if (isDisabled(problem))
    return new EngineError('ACCOUNT_FAILED', about(`an API is not enabled in the Google Cloud project (${details})`), {
      hint: `Enable the Google Calendar API and the Google Tasks API at ${activationUrl ?? 'https://console.cloud.google.com/apis/library'}, and wait some minutes.`,
    });
  if (status === 404 || status === 410)
    return new EngineError('NOT_FOUND', about(`Google does not have it (${details})`), {
      hint: 'If this happens again, correct `endpoints.api` of the account, or leave it out.',
    });
  if (status === 409) return new EngineError('CONFLICT', about(`Google has it already (${details})`));
  if (isThrottled(problem))
    return new EngineError('ACCOUNT_FAILED', about(`Google asks to wait (${details})`), {
      hint: 'Try again in some minutes.',
      retryable: true,
      cause: problem,
    });
  if (isPassing(problem))
    return new EngineError('ACCOUNT_FAILED', about(`Google does not answer (${details})`), {
      hint: 'Check that this machine reaches googleapis.com, or `endpoints.api` of the account, and try again.',
      retryable: true,
      cause: problem,
    });
  return new EngineError('ACCOUNT_FAILED', about(`Google refused (${details})`));
}

/** The problem of an error of `requestGoogle` that may pass; undefined for other errors. */
export function googleProblem(error: unknown): { readonly status: number; readonly code: string } | undefined {
  const problem = problemIn(error);
  return problem && { status: problem.status, code: problem.reason };
}
