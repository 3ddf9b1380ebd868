import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 1000;

/** Codes of requests that never reached the provider. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|ERR_TLS_CERT.*|DEPTH_ZERO_.*)$/;

interface CreateOnceOptions<T> {
  /** Adds the thing, or returns it if an earlier attempt has added it. */
  readonly create: (options: Abortable) => Promise<T>;
  /**
   * Finds the result of an earlier attempt, for a provider whose `create` cannot. Called before the first attempt and
   * after each failure.
   */
  readonly find?: (options: Abortable) => Promise<T | undefined>;
  /** The response or network error (`status` 0) of a request; undefined if none was sent. */
  readonly problemOf: (error: unknown) => { readonly status: number; readonly code: string } | undefined;
}

/**
 * Adds something to a provider once, even if responses are lost. One risk remains with `find` alone: a lost request
 * that is executed after the search. Throws the errors of `create` and `find`, and `TOOL_OUTCOME_UNKNOWN` if it may
 * have been added and the provider no longer answers; on abort it rejects with the signal's reason.
 */
export async function createOnce<T>(
  { create, find, problemOf }: CreateOnceOptions<T>,
  { clock, signal }: Abortable & { readonly clock: Clock },
): Promise<T> {
  let isUnsure = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await find?.({ signal });
      if (found !== undefined) return found;
      if (find !== undefined) isUnsure = false;
    } catch (error) {
      signal?.throwIfAborted();
      throw isUnsure ? unknownOutcome(error) : error;
    }
    try {
      return await create({ signal });
    } catch (error) {
      signal?.throwIfAborted();
      isUnsure ||= mayHaveHappened(problemOf(error));
      const isLast = attempt >= ATTEMPTS || !(error instanceof EngineError) || !error.retryable;
      if (isLast && !(find !== undefined && isUnsure)) throw isUnsure ? unknownOutcome(error) : error;
      await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1), { signal, clock });
      if (!isLast) continue;
      const found = await find?.({ signal }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw unknownOutcome(cause);
      });
      if (found !== undefined) return found;
      throw error;
    }
  }
}

function mayHaveHappened(problem: { readonly status: number; readonly code: string } | undefined): boolean {
  if (problem === undefined) return false;
  const { status, code } = problem;
  return status === 0 ? !NEVER_SENT.test(code) : status === 408 || status >= 500;
}

function unknownOutcome(cause: unknown): EngineError {
  return new EngineError('TOOL_OUTCOME_UNKNOWN', `it is unknown whether it was added: ${errorBody(cause).message}`, {
    hint: 'check whether it exists before you add it again',
    cause,
  });
}
