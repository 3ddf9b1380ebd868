import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isLoopback } from '../../base/network-host.ts';
import { WORLDWIDE } from '../../config/provider-addresses.ts';
import { requestWithRetry, MAX_WAIT_MS, type AttemptResult } from '../request-retry.ts';
import type { GraphOptions, GraphRequest } from './graph.ts';
import { graphError, type GraphProblem, isTransient } from './graph-error.ts';
import { exchange } from './graph-exchange.ts';
import { withoutSlash } from '../account.ts';
import type { GraphConcurrency } from './graph-concurrency.ts';

/** Sends the HTTP requests of `Graph`: tokens, retries, concurrency limit. */
export interface GraphTransport {
  /** Sends a request; refreshes the token and retries where needed. `read` parses the body of a successful response. */
  request<T>(
    request: GraphRequest & { readonly slots?: number },
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<T>;
  /**
   * Sends one request, without a retry and without a token, to an upload address from Graph; the address itself gives access.
   * Throws `ACCOUNT_FAILED` where it is not safe to send a mail's content to that address.
   */
  requestWithoutToken<T>(
    request: TokenlessRequest,
    read: (bytes: Uint8Array, status: number) => T,
  ): Promise<AttemptResult<T, GraphProblem>>;
  /** The error of one request of a batch, or of a request to another host. */
  errorOf(problem: GraphProblem, scopes: readonly string[], host?: string): EngineError;
  /** Pauses all requests of this account for so many milliseconds. */
  pause(ms: number): void;
}

/** Largest number of attempts of one request. */
const MAX_TRIES = 4;

/** Limit for the response to a request without a token. */
const MAX_OPEN_BYTES = 1024 * 1024;

/** Preference for ids that stay the same when a mail is moved (Graph, "Immutable identifiers for Outlook resources"). */
export const IMMUTABLE_IDS = 'IdType="ImmutableId"';

/** A request to an address that needs no token. The address is a secret: messages name only its host. */
export interface TokenlessRequest extends Abortable {
  readonly scopes: readonly string[];
  readonly address: string;
  readonly method: 'GET' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** Creates the transport of one account. All Graph clients of the account share `concurrency`. */
export function createTransport(options: GraphOptions, concurrency: GraphConcurrency): GraphTransport {
  return new AccountTransport(options, concurrency);
}

class AccountTransport implements GraphTransport {
  readonly #options: GraphOptions;
  readonly #concurrency: GraphConcurrency;
  /** `https://graph.microsoft.com/v1.0`. */
  readonly #root: string;
  readonly #rootUrl: URL;
  readonly #limits: { readonly clock: Clock; readonly timeoutMs: number };

  constructor(options: GraphOptions, concurrency: GraphConcurrency) {
    this.#options = options;
    this.#concurrency = concurrency;
    this.#root = `${withoutSlash(options.endpoints?.api ?? WORLDWIDE.graphs[0])}/v1.0`;
    this.#rootUrl = new URL(this.#root);
    this.#limits = { clock: options.clock, timeoutMs: options.timeoutMs ?? 60_000 };
  }

  async request<T>(
    request: GraphRequest & { readonly slots?: number },
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<T> {
    const { tokens, clock } = this.#options;
    const { scopes, signal, isRepeatable = (request.method ?? 'GET') !== 'POST' } = request;
    // Graph does not run a throttled request, so even a POST may be repeated.
    const mayRepeat = (problem: GraphProblem) => problem.status === 429 || (isRepeatable && isTransient(problem));
    return requestWithRetry(
      { tokens, clock },
      {
        ...{ scopes, signal },
        before: () => void this.#pauseMs(scopes),
        maxTries: (problem: GraphProblem) => (mayRepeat(problem) ? MAX_TRIES : 1),
        errorOf: (problem: GraphProblem) => this.errorOf(problem, scopes),
      },
      (token) => {
        const send = async () => exchange({ ...this.#fetchOf(request, token), maxBytes, read }, this.#limits);
        return this.#admit(request, send);
      },
    );
  }

  async requestWithoutToken<T>(
    { address, method, headers, bytes, scopes, signal }: TokenlessRequest,
    read: (bytes: Uint8Array, status: number) => T,
  ): Promise<AttemptResult<T, GraphProblem>> {
    const url = this.#openUrlOf(address);
    const body = bytes === undefined ? {} : { body: bytes };
    const request = { url, method, ...(headers && { headers }), ...body, signal, maxBytes: MAX_OPEN_BYTES, read };
    const outcome = await this.#admit({ scopes, signal }, () => exchange(request, this.#limits));
    if ('value' in outcome) return outcome;
    const { problem } = outcome;
    // The message of the response could repeat the address, which is a secret. The code is enough.
    return { problem: problem.status === 0 ? problem : { ...problem, message: '' } };
  }

  errorOf(problem: GraphProblem, scopes: readonly string[], host = this.#rootUrl.host): EngineError {
    return graphError(problem, { accountId: this.#options.accountId, host, scopes });
  }

  pause(ms: number): void {
    this.#concurrency.pause(ms);
  }

  /** Waits for a free slot and for the end of a pause, then sends. */
  async #admit<T>(
    { scopes, slots = 1, signal }: Abortable & { scopes: readonly string[]; slots?: number | undefined },
    send: () => Promise<AttemptResult<T, GraphProblem>>,
  ): Promise<AttemptResult<T, GraphProblem>> {
    const { clock } = this.#options;
    const work = async () => {
      // While this request waited for a slot, the response to another one may have started a pause, even a long one.
      for (let ms = this.#pauseMs(scopes); ms > 0; ms = this.#pauseMs(scopes)) await sleep(ms, { signal, clock });
      const outcome = await send();
      // The pause must start before the slot is free again.
      if ('problem' in outcome && outcome.problem.retryAfterMs !== undefined && isTransient(outcome.problem))
        this.pause(outcome.problem.retryAfterMs);
      return outcome;
    };
    return this.#concurrency.run(slots, work, { signal });
  }

  /** Rest of the pause in milliseconds; throws where it exceeds `MAX_WAIT_MS`. */
  #pauseMs(scopes: readonly string[]): number {
    const ms = this.#concurrency.pauseMs();
    if (ms > MAX_WAIT_MS) throw this.errorOf(stillPaused(ms), scopes);
    return ms;
  }

  #fetchOf({ method = 'GET', path, body, text, ifMatch, prefer = [], signal }: GraphRequest, token: string) {
    const type = text !== undefined ? 'text/plain' : body !== undefined ? 'application/json' : undefined;
    const headers = {
      authorization: `Bearer ${token}`,
      prefer: [IMMUTABLE_IDS, ...prefer].join(', '),
      ...(type !== undefined && { 'content-type': type }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    };
    const sent = type === undefined ? {} : { body: text ?? JSON.stringify(body) };
    return { url: this.#urlOf(path), method, headers, ...sent, signal };
  }

  /** URL of a path or of a link from a response. A token is never sent to a host other than the API's. */
  #urlOf(path: string): string {
    if (path.startsWith('/')) return this.#root + path;
    if (URL.parse(path)?.origin === this.#rootUrl.origin) return path;
    throw this.#strayError('links to a page at another host');
  }

  /** URL of a request without a token: TLS only, except for an emulator of Graph on this machine. */
  #openUrlOf(address: string): URL {
    const { protocol, hostname } = this.#rootUrl;
    const isLocal = protocol === 'http:' && isLoopback(hostname);
    const url = URL.parse(address);
    const isSafe = url?.protocol === 'https:' || (isLocal && url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url !== null && isSafe && url.username === '' && url.password === '') return url;
    const where = url === null ? 'an invalid address' : `${url.protocol}//${url.host}`;
    throw this.#strayError(`asks for an upload to ${where}`);
  }

  #strayError(what: string): EngineError {
    return new EngineError('ACCOUNT_FAILED', `account ${this.#options.accountId}: ${this.#rootUrl.host} ${what}`, {
      hint: 'A proxy may answer in place of Microsoft; see `endpoints.api`.',
    });
  }
}

/** The problem of a request that is not sent because of Microsoft's answer to an earlier one. */
function stillPaused(ms: number): GraphProblem {
  return { status: 429, code: '', message: `for another ${Math.ceil(ms / 1000)} s`, retryAfterMs: ms };
}
