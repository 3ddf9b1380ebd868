import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { requestWithRetry, type RetryOptions, type AttemptResult } from '../request-retry.ts';
import { type GoogleProblem, NO_JSON, problemOf } from './google-error.ts';
import type { AccountTokens } from '../account.ts';

/** What each method of Google's libraries takes beside its parameters. */
export interface GoogleCallDeps {
  readonly headers: { readonly Authorization: string };
  readonly signal: AbortSignal;
  /** The library would wait by a clock of its own, and send a mail twice. */
  readonly retry: false;
}

/** One call of a Google library. */
export type GoogleCall<T> = (options: GoogleCallDeps) => Promise<{ readonly data: T; readonly status: number }>;

/** How a call is made. */
export interface GoogleCallOptions extends RetryOptions<GoogleProblem> {
  /** Longest time for one attempt. */
  readonly timeoutMs: number;
}

/**
 * Makes one call of a Google library and gives its data; see `requestWithRetry`. Throws what `AccountTokens` and `errorOf` tell of;
 * rejects on abort.
 */
export function callGoogle<T>(
  deps: { readonly tokens: AccountTokens; readonly clock: Clock },
  options: GoogleCallOptions,
  call: GoogleCall<T>,
): Promise<T> {
  return requestWithRetry(deps, options, (token) => attempt(call, token, { ...options, clock: deps.clock }));
}

async function attempt<T>(
  call: GoogleCall<T>,
  token: string,
  { signal, timeoutMs, clock }: Abortable & { readonly timeoutMs: number; readonly clock: Clock },
): Promise<AttemptResult<T, GoogleProblem>> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const { data, status } = await call({
      headers: { Authorization: `Bearer ${token}` },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      retry: false,
    });
    // The library takes a page of HTML for an answer that has none of what was asked for: a list of no mails.
    return isRecord(data) || status === 204 ? { value: data } : { problem: NO_JSON };
  } catch (error) {
    signal?.throwIfAborted();
    // What was thrown holds the request with its token: it goes no further than here.
    return { problem: problemOf(error, clock.now()) };
  }
}
