import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Redactor } from '../../base/redact.ts';
import { isLoopback } from '../../base/network-host.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { ResolveReference } from '../../config/reference.ts';
import { hostOf } from '../../config/secret-uses.ts';
import { ModelError } from '../model-error.ts';
import { type Availability, createProbe } from './probe.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

interface Options {
  readonly api: { readonly id: string; readonly apiKey: string; readonly baseUrl: string };
  /** Address to probe where the server is on this machine and no key is set. */
  readonly probeUrl: string;
  readonly resolve: ResolveReference;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly fetch: HttpFetch;
}

interface Key {
  /** The current key; undefined where the server needs none. Throws `MODEL_AUTH` where a key is needed and missing. */
  readonly key: () => string | undefined;
  /** Hint for the error of a refused key. */
  readonly keyHint: string;
  readonly available: (abortable: Abortable) => Promise<Availability>;
}

/**
 * The key of an api, looked up at each use. An api with a key is available, without a request to its server: if the
 * provider is down, the model request fails, and the run does not switch to another model. A server on this machine needs
 * no key; without one it is available if it answers a probe.
 */
export function createApiKey({ api, probeUrl, resolve, redactor, clock, fetch }: Options): Key {
  const { host, hostname } = new URL(api.baseUrl);
  const isLocal = isLoopback(hostname);
  const keyHint = `Set ${api.apiKey} to a valid key of ${host}.`;
  const hosts = [hostOf(api.baseUrl) ?? host];
  const probe = createProbe({ url: probeUrl, clock, fetch, check: () => ({ ok: true }) });
  const lookUp = () => {
    const value = resolve(api.apiKey, hosts) || undefined;
    if (value !== undefined) redactor.add(value);
    return value;
  };
  return {
    keyHint,
    key() {
      const value = orAuthError(api.id, lookUp);
      if (value !== undefined || isLocal) return value;
      throw new ModelError('MODEL_AUTH', `api "${api.id}": ${api.apiKey} is not set`, { hint: keyHint });
    },
    async available(options) {
      try {
        if (lookUp() !== undefined) return { ok: true };
      } catch (error) {
        return { ok: false, why: errorBody(error).message };
      }
      return isLocal ? await probe(options) : { ok: false, why: `${api.apiKey} is not set` };
    },
  };
}

/** A key that may not go to this host is a missing key. */
export function orAuthError<T>(apiId: string, lookUp: () => T): T {
  try {
    return lookUp();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new ModelError('MODEL_AUTH', `api "${apiId}": ${error.message}`, { hint: error.hint });
  }
}
