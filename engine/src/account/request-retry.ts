import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { EngineError } from '../base/error.ts';
import type { AccountTokens } from './account.ts';

/** What came of one attempt, or what kept it from coming. */
export type AttemptResult<T, P> = { readonly value: T } | { readonly problem: P };

/** As much of a problem as says when to ask again. */
interface Problem {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly retryAfterMs?: number;
}

/** How something is asked. */
export interface RetryOptions<P> extends Abortable {
  readonly scopes: readonly string[];
  /** Done before each attempt. */
  readonly before?: () => Promise<void> | void;
  /** How often it is asked at most where this was the last outcome. */
  readonly maxTries: (problem: P) => number;
  /** What is thrown in the end; `waitMs` where it would have to be waited for longer than anybody does. */
  readonly errorOf: (problem: P, waitMs?: number) => EngineError;
}

/** So long one request waits between its attempts, in all. */
export const MAX_WAIT_MS = 60_000;

/**
 * Asks a provider as an account. A token that is refused is renewed once; what may succeed later is asked again after as long as
 * the provider says, else after a second, two, four, within a minute in all. Throws what `AccountTokens`, `attempt` and `errorOf`
 * tell of; rejects on abort.
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

/** Milliseconds until the next attempt after so many: as the provider says, else a second, two, four. */
export function waitMsFor({ retryAfterMs }: Pick<Problem, 'retryAfterMs'>, tries: number): number {
  return retryAfterMs ?? 1000 * 2 ** (tries - 1);
}
