import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { askPatiently, type Manner, type Outcome } from '../request-retry.ts';
import { type GoogleProblem, NO_JSON, problemOf } from './google-error.ts';
import type { AccountTokens } from '../account.ts';

/** What each method of Google's libraries takes beside its parameters. */
export interface CallOptions {
  readonly headers: { readonly Authorization: string };
  readonly signal: AbortSignal;
  /** The library would wait by a clock of its own, and send a mail twice. */
  readonly retry: false;
}

/** One call of a Google library. */
export type GoogleCall<T> = (options: CallOptions) => Promise<{ readonly data: T; readonly status: number }>;

/** How a call is made. */
export interface GoogleManner extends Manner<GoogleProblem> {
  /** Longest time for one attempt. */
  readonly timeoutMs: number;
}

/**
 * Makes one call of a Google library and gives its data; see `askPatiently`. Throws what `AccountTokens` and `errorOf` tell of;
 * rejects on abort.
 */
export function callGoogle<T>(
  ways: { readonly tokens: AccountTokens; readonly clock: Clock },
  manner: GoogleManner,
  call: GoogleCall<T>,
): Promise<T> {
  return askPatiently(ways, manner, (token) => attempt(call, token, { ...manner, clock: ways.clock }));
}

async function attempt<T>(
  call: GoogleCall<T>,
  token: string,
  { signal, timeoutMs, clock }: Abortable & { readonly timeoutMs: number; readonly clock: Clock },
): Promise<Outcome<T, GoogleProblem>> {
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
