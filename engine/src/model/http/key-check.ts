import { type Abortable, orAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import type { KeyTrial } from '../model.ts';
import { startDeadline } from './deadline.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

/** Time limit of a check, in milliseconds. */
const CHECK_TIMEOUT_MS = 5000;

interface Options {
  /** The list of the provider's models. */
  readonly url: string;
  /** The current key; undefined where the server needs none. May throw. */
  readonly key: () => string | undefined;
  /** Headers that contain the key, as the provider's model requests do. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly fetch: HttpFetch;
  readonly clock: Clock;
}

/**
 * Tries a key with one GET of the list of models, which costs nothing. Never rejects. The answer is judged by its status; its text
 * is dropped, since some providers repeat parts of the key in it.
 */
export function createKeyCheck({
  url,
  key,
  headers,
  fetch,
  clock,
}: Options): (options: Abortable) => Promise<KeyTrial> {
  const { host } = new URL(url);
  return async ({ signal }) => {
    const deadline = startDeadline({ clock, timeoutMs: CHECK_TIMEOUT_MS, ...(signal && { signal }) });
    try {
      const value = key();
      if (value === undefined) return { state: 'none' };
      const init = { headers: { accept: 'application/json', ...headers(value) }, signal: deadline.signal };
      const answer = await orAbort(fetch(url, init), deadline.signal);
      await orAbort(answer.text(), deadline.signal);
      return stateOf(answer.status, host);
    } catch (error) {
      const why = deadline.isOver
        ? `${host} gave no answer within ${CHECK_TIMEOUT_MS / 1000} s`
        : reasonOf(error, host);
      return { state: 'unknown', why };
    } finally {
      deadline.end();
    }
  };
}

function stateOf(status: number, host: string): KeyTrial {
  if (status >= 200 && status < 300) return { state: 'accepted' };
  if (status === 401 || status === 403) return { state: 'refused', why: `${host} refuses the key (${status})` };
  if (status === 404 || status === 405 || status === 501) return { state: 'untried' };
  return { state: 'unknown', why: `${host} answered ${status}` };
}

function reasonOf(error: unknown, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isOwn = typeof code === 'string' && /^(CONFIG|SECRET|MODEL)_/.test(code);
  return isOwn ? errorBody(error).message : `${host} does not answer${typeof code === 'string' ? ` (${code})` : ''}`;
}
