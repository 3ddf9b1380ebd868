import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 1000;

/** Errors of a request that never reached anybody. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|ERR_TLS_CERT.*|DEPTH_ZERO_.*)$/;

interface CreateOnceOptions<T> {
  /** Adds it, or gives what an earlier attempt has added. */
  readonly create: (options: Abortable) => Promise<T>;
  /**
   * What an earlier attempt has added, or undefined; for a provider whose `create` cannot tell. It is asked before the first
   * attempt, and after each that failed.
   */
  readonly find?: (options: Abortable) => Promise<T | undefined>;
  /** What the provider said, or what kept it from saying anything: `status` is 0 then. Undefined where it was not asked. */
  readonly problemOf: (error: unknown) => { readonly status: number; readonly code: string } | undefined;
}

/**
 * Adds something to a provider once, also where answers are lost on the way. What stays possible with `find` alone is that a
 * lost request is carried out after it was looked for. Throws what `create` and `find` throw, and `TOOL_OUTCOME_UNKNOWN` where
 * it may have been added and nobody can be asked about that any more; abort rejects with the signal's reason at any moment.
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
  return new EngineError('TOOL_OUTCOME_UNKNOWN', `whether it was added is not known: ${errorBody(cause).message}`, {
    hint: 'look whether it is there before adding it again',
    cause,
  });
}
