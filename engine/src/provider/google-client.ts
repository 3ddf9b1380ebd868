import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { type GoogleProblem, NO_JSON, problemOf } from './google-problem.ts';
import type { AccountTokens } from './provider.ts';

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
export interface GoogleManner extends Abortable {
  readonly scopes: readonly string[];
  /** Longest time for one attempt. */
  readonly timeoutMs: number;
  /** Waited for before each attempt. */
  readonly before?: () => Promise<void>;
  /** How often it is made at most where this was the last outcome. */
  readonly mostTries: (problem: GoogleProblem) => number;
  /** What is thrown in the end; `waitMs` where Google asks for a longer wait than anybody makes. */
  readonly errorOf: (problem: GoogleProblem, waitMs?: number) => EngineError;
}

/** So long one call waits between its attempts, in all. */
const MOST_WAIT_MS = 60_000;

/**
 * Makes one call of a Google library and gives its data. A token that is refused is renewed once; what may succeed later is tried
 * again as Google says, else after a second, two, four, within a minute in all. Throws what `AccountTokens` and `errorOf` tell
 * of; rejects on abort.
 */
export async function callGoogle<T>(
  { tokens, clock }: { readonly tokens: AccountTokens; readonly clock: Clock },
  { scopes, signal, timeoutMs, before, mostTries, errorOf }: GoogleManner,
  call: GoogleCall<T>,
): Promise<T> {
  let refused: string | undefined;
  let waitedMs = 0;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    await before?.();
    const token = await tokens.accessToken({ scopes, signal, ...(refused !== undefined && { refused }) });
    const outcome = await attempt(call, token, { signal, timeoutMs, clock });
    if ('data' in outcome) return outcome.data;
    const { problem } = outcome;
    if (problem.status === 401 && refused === undefined) {
      refused = token;
      continue;
    }
    if (tries >= mostTries(problem)) throw errorOf(problem);
    const waitMs = problem.retryAfterMs ?? 1000 * 2 ** (tries - 1);
    if (waitedMs + waitMs > MOST_WAIT_MS) throw errorOf(problem, waitMs);
    waitedMs += waitMs;
    await sleep(waitMs, { signal, clock });
  }
}

async function attempt<T>(
  call: GoogleCall<T>,
  token: string,
  { signal, timeoutMs, clock }: Abortable & { readonly timeoutMs: number; readonly clock: Clock },
): Promise<{ readonly data: T } | { readonly problem: GoogleProblem }> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const { data, status } = await call({
      headers: { Authorization: `Bearer ${token}` },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      retry: false,
    });
    // The library takes a page of HTML for an answer that has none of what was asked for: a list of no mails.
    return isRecord(data) || status === 204 ? { data } : { problem: NO_JSON };
  } catch (error) {
    signal?.throwIfAborted();
    // What was thrown holds the request with its token: it goes no further than here.
    return { problem: problemOf(error, clock.now()) };
  }
}
