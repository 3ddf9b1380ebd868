import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { requestWithRetry, type RetryOptions, type AttemptResult } from '../request-retry.ts';
import { type GoogleProblem, NO_JSON, problemOf } from './google-error.ts';
import type { AccountTokens } from '../account.ts';

/** Request options that each method of Google's libraries accepts beside its parameters. */
export interface GoogleCallDeps {
  readonly headers: { readonly Authorization: string };
  readonly signal: AbortSignal;
  /** False: the library would wait by its own clock, and might send a mail twice. */
  readonly retry: false;
  /** Another host must not get what was meant for the API. */
  readonly redirect: 'error';
}

/** One call of a Google library. */
export type GoogleCall<T> = (options: GoogleCallDeps) => Promise<{ readonly data: T; readonly status: number }>;

/** Options of one call, with its retries. */
export interface GoogleCallOptions extends RetryOptions<GoogleProblem> {
  /** Limit for one attempt. */
  readonly timeoutMs: number;
}

/**
 * Makes one call of a Google library and returns its data; see `requestWithRetry`. Throws the errors of `AccountTokens` and
 * `errorOf`; rejects on abort.
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
      redirect: 'error',
    });
    // The library accepts an HTML page as a response without the requested fields, which would read as an empty list of mails.
    return isRecord(data) || status === 204 ? { value: data } : { problem: NO_JSON };
  } catch (error) {
    signal?.throwIfAborted();
    // The thrown error contains the request with its token, so it must not be passed on.
    return { problem: problemOf(error, clock.now()) };
  }
}
