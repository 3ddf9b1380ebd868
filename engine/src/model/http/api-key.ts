import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Redactor } from '../../base/redact.ts';
import { isLoopback } from '../../base/network-host.ts';
import { ModelError } from '../model-error.ts';
import { type Availability, createProbe } from './probe.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

interface Options {
  readonly api: { readonly id: string; readonly apiKey: string; readonly baseUrl: string };
  /** Address that a server on this machine answers when it is there. */
  readonly probeUrl: string;
  readonly resolve: (reference: string) => string | undefined;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly fetch: HttpFetch;
}

interface Key {
  /** The key of this moment. Throws `MODEL_AUTH` where there is none, and undefined where none is needed. */
  readonly key: () => string | undefined;
  /** What to do about one that is refused. */
  readonly keyHint: string;
  readonly available: (abortable: Abortable) => Promise<Availability>;
}

/**
 * The key of an api, looked up whenever it is used. With one the api is available; nothing is asked of the network, since
 * a provider that is down is a failed request and not a reason for another model. A server on this machine may do without
 * a key: then it is asked whether it is there.
 */
export function createApiKey({ api, probeUrl, resolve, redactor, clock, fetch }: Options): Key {
  const { host, hostname } = new URL(api.baseUrl);
  const isLocal = isLoopback(hostname);
  const keyHint = `Set ${api.apiKey} to a valid key of ${host}.`;
  const probe = createProbe({ url: probeUrl, clock, fetch, check: () => ({ ok: true }) });
  const look = () => {
    const value = resolve(api.apiKey) || undefined;
    if (value !== undefined) redactor.add(value);
    return value;
  };
  return {
    keyHint,
    key() {
      const value = look();
      if (value !== undefined || isLocal) return value;
      throw new ModelError('MODEL_AUTH', `api "${api.id}": ${api.apiKey} is not set`, { hint: keyHint });
    },
    async available(options) {
      if (look() !== undefined) return { ok: true };
      return isLocal ? await probe(options) : { ok: false, why: `${api.apiKey} is not set` };
    },
  };
}
