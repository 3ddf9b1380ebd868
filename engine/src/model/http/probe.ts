import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { startDeadline } from './deadline.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

/** Whether a server can be used; `why` is for people. */
export type Availability = { ok: true } | { ok: false; why: string };

/** Time limit of a probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 1000;
/** How long the result of a probe is reused, in milliseconds: many runs start at once. */
const REMEMBER_MS = 3000;

interface Options {
  url: string;
  fetch: HttpFetch;
  clock: Clock;
  /** Reads the server's answer. */
  check: (status: number, text: string) => Availability;
}

/**
 * Checks whether a server answers: one GET, at most one second. Never rejects: a missing answer and an abort give a `why`.
 * The result is reused for three seconds, and calls during a probe share it.
 */
export function createProbe(options: Options): (abortable: Abortable) => Promise<Availability> {
  const { clock } = options;
  let shared: Promise<Availability> | undefined;
  let untilMs = 0;
  return async ({ signal }) => {
    if (shared === undefined || clock.now() >= untilMs) {
      untilMs = clock.now() + REMEMBER_MS;
      shared = probe(options);
    }
    try {
      return await orAbort(shared, signal);
    } catch {
      return { ok: false, why: 'the check was aborted' };
    }
  };
}

async function probe({ url, fetch, clock, check }: Options): Promise<Availability> {
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
