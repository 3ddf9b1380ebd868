import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { EngineError } from '../base/error.ts';
import type { AccountTokens } from './account.ts';

/** Result of one attempt: a value or a problem. */
export type AttemptResult<T, P> = { readonly value: T } | { readonly problem: P };

/** The part of a problem that decides about a retry. */
interface Problem {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly retryAfterMs?: number;
}

/** Options of a request with retries. */
export interface RetryOptions<P> extends Abortable {
  readonly scopes: readonly string[];
  /** Called before each attempt. */
  readonly before?: () => Promise<void> | void;
  /** Largest number of attempts after this problem. */
  readonly maxTries: (problem: P) => number;
  /** Makes the error to throw; `waitMs` is set where the required wait is too long. */
  readonly errorOf: (problem: P, waitMs?: number) => EngineError;
}

/** Limit of the total wait of one request between its attempts. */
export const MAX_WAIT_MS = 60_000;

/**
 * Sends a request to a provider with the token of an account. A refused token is refreshed once. Transient failures are
 * retried after the time that the provider names, else after 1, 2, 4 seconds, within a minute in total. Throws the
 * errors of `AccountTokens`, `attempt` and `errorOf`; rejects on abort.
 */
export async function requestWithRetry<T, P extends Problem>(
  { tokens, clock }: { readonly tokens: AccountTokens; readonly clock: Clock },
  { scopes, signal, before, maxTries, errorOf }: RetryOptions<P>,
  attempt: (token: string) => Promise<AttemptResult<T, P>>,
): Promise<T> {
  let refused: string | undefined;
  let waitedMs = 0;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    await before?.();
    const token = await tokens.accessToken({ scopes, signal, ...(refused !== undefined && { refused }) });
    const outcome = await attempt(token);
    if ('value' in outcome) return outcome.value;
    const { problem } = outcome;
    if (problem.status === 401 && refused === undefined) {
      refused = token;
      continue;
    }
    if (tries >= maxTries(problem)) throw errorOf(problem);
    const waitMs = waitMsFor(problem, tries);
    if (waitedMs + waitMs > MAX_WAIT_MS) throw errorOf(problem, waitMs);
    waitedMs += waitMs;
    await sleep(waitMs, { signal, clock });
  }
}

/** Milliseconds until the next attempt: as the provider says, else 1, 2, 4 seconds. */
export function waitMsFor({ retryAfterMs }: Pick<Problem, 'retryAfterMs'>, tries: number): number {
  return retryAfterMs ?? 1000 * 2 ** (tries - 1);
}
