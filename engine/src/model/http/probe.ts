import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { startDeadline } from './deadline.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

export type Availability = { ok: true } | { ok: false; why: string };

/** How long a local server may take to say that it is there. */
const PROBE_TIMEOUT_MS = 1000;
/** Many runs start at once; they share an answer of this age. */
const REMEMBER_MS = 3000;

interface Options {
  url: string;
  fetch: HttpFetch;
  clock: Clock;
  /** Judges the server's answer. */
  check: (status: number, text: string) => Availability;
}

/**
 * A look whether a server is there: one GET, at most a second. Never rejects: no answer and an abort are a `why`. The
 * result is kept for three seconds and a look under way is shared.
 */
export function createProbe(options: Options): (abortable: Abortable) => Promise<Availability> {
  const { clock } = options;
  let shared: Promise<Availability> | undefined;
  let untilMs = 0;
  return async ({ signal }) => {
    if (shared === undefined || clock.now() >= untilMs) {
      untilMs = clock.now() + REMEMBER_MS;
      shared = look(options);
    }
    try {
      return await orAbort(shared, signal);
    } catch {
      return { ok: false, why: 'the question was withdrawn' };
    }
  };
}

async function look({ url, fetch, clock, check }: Options): Promise<Availability> {
  const deadline = startDeadline({ clock, timeoutMs: PROBE_TIMEOUT_MS });
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' }, signal: deadline.signal });
    return check(answer.status, await answer.text());
  } catch (error) {
    if (deadline.isOver) return { ok: false, why: `${url} gave no answer within ${PROBE_TIMEOUT_MS / 1000} s` };
    return { ok: false, why: `${url} does not answer (${reason(error)})` };
  } finally {
    deadline.end();
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? reason(error.cause) : error.message;
}
