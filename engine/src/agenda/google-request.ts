import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { type GmailProblem, gmailProblem, isBrief, isRefusedForNow, problemOf } from '../mail/gmail/error.ts';
import { connectHint } from '../provider/oauth-error.ts';
import type { AccountTokens } from '../provider/provider.ts';
import { scopeName } from '../provider/scopes.ts';

/** What calendar and tasks of one account at Google are reached by. */
export interface GoogleWays {
  readonly accountId: string;
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  /** Root of the API, if not Google's own. */
  readonly api?: string;
}

/** What each method of Google's libraries takes beside its parameters. */
export interface CallOptions {
  readonly headers: { readonly Authorization: string };
  readonly signal: AbortSignal;
  readonly retry: false;
}

interface Asked extends Abortable {
  readonly scopes: readonly string[];
  /** Whether it may be sent again when it is not known what became of it. Default true. */
  readonly isRepeatable?: boolean;
}

const REQUEST_MS = 30_000;
const MOST_TRIES = 4;
const MOST_WAIT_MS = 60_000;

/**
 * Makes one call of a Google library and gives its data. A token that is refused is renewed once; what is throttled, or fails
 * for a moment, is tried again within a minute in all. Throws what `AccountTokens` tells of, `ACCOUNT_SCOPE_MISSING` (names the
 * scope), `NOT_FOUND`, `CONFLICT`, else `ACCOUNT_FAILED`; rejects on abort.
 */
export async function askGoogle<T>(
  { accountId, tokens, clock }: GoogleWays,
  { scopes, signal, isRepeatable = true }: Asked,
  call: (options: CallOptions) => Promise<{ readonly data: T }>,
): Promise<T> {
  let refused: string | undefined;
  let waitedMs = 0;
  for (let tries = 1; ; tries++) {
    const token = await tokens.accessToken({ scopes, signal, ...(refused !== undefined && { refused }) });
    const limit = AbortSignal.timeout(REQUEST_MS);
    try {
      return (
        await call({
          headers: { Authorization: `Bearer ${token}` },
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
          retry: false,
        })
      ).data;
    } catch (thrown) {
      signal?.throwIfAborted();
      // What was thrown holds the request with its token: it goes no further than here.
      const problem = problemOf(thrown, clock.now());
      if (problem.status === 401 && refused === undefined) {
        refused = token;
        continue;
      }
      const waitMs = problem.retryAfterMs ?? 1000 * 2 ** (tries - 1);
      const mayRepeat = isRefusedForNow(problem) || (isRepeatable && isPassing(problem));
      if (!mayRepeat || tries >= MOST_TRIES || waitedMs + waitMs > MOST_WAIT_MS)
        throw errorOf(problem, { accountId, scopes });
      waitedMs += waitMs;
      await sleep(waitMs, { signal, clock });
    }
  }
}

/** Whether the same request may succeed later. It may have been done all the same, unless it was refused. */
function isPassing(problem: GmailProblem): boolean {
  const { status } = problem;
  return isRefusedForNow(problem) || isBrief(problem) || status === 0 || status >= 500;
}

function errorOf(
  problem: GmailProblem,
  { accountId, scopes }: { readonly accountId: string; readonly scopes: readonly string[] },
): EngineError {
  const { status, reason, activationUrl } = problem;
  const said = [reason, problem.message].filter((text) => text !== '').join(': ') || `HTTP ${status}`;
  const about = (what: string) => `account ${accountId}: ${what}`;
  if (status === 401)
    return new EngineError('ACCOUNT_GRANT_LOST', about('Google does not take its sign-in any more'), {
      hint: connectHint(accountId),
    });
  if (status === 403 && /^(accessNotConfigured|SERVICE_DISABLED)$/.test(reason))
    return new EngineError('ACCOUNT_FAILED', about(`an API is not enabled in the Google Cloud project (${said})`), {
      hint: `Enable the Google Calendar API and the Google Tasks API at ${activationUrl ?? 'https://console.cloud.google.com/apis/library'}, and wait some minutes.`,
    });
  if (status === 403 && /^(insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/.test(reason))
    return new EngineError(
      'ACCOUNT_SCOPE_MISSING',
      about(`${scopes.map(scopeName).join(' and ')} was not allowed at sign-in`),
      { hint: `sign in again and allow it: ${connectHint(accountId)}` },
    );
  if (status === 404 || status === 410)
    return new EngineError('NOT_FOUND', about(`Google does not have it (${said})`), {
      hint: 'Where that stays so, correct `endpoints.api` of the account, or leave it out.',
    });
  if (status === 409) return new EngineError('CONFLICT', about(`Google has it already (${said})`));
  if (isRefusedForNow(problem))
    return new EngineError('ACCOUNT_FAILED', about(`Google asks to wait (${said})`), {
      hint: 'Try again in some minutes.',
      retryable: true,
      cause: problem,
    });
  if (isPassing(problem))
    return new EngineError('ACCOUNT_FAILED', about(`Google does not answer (${said})`), {
      hint: 'See whether this machine reaches googleapis.com, or `endpoints.api` of the account, and try again.',
      retryable: true,
      cause: problem,
    });
  return new EngineError('ACCOUNT_FAILED', about(`Google refused (${said})`));
}

/** What an error of `askGoogle` is about, where it may be another time. */
export function googleProblem(error: unknown): { readonly status: number; readonly code: string } | undefined {
  const problem = gmailProblem(error);
  return problem && { status: problem.status, code: problem.reason };
}
