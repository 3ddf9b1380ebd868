import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isLoopback } from '../../base/network-host.ts';
import { WORLDWIDE } from '../../config/validate/microsoft-cloud.ts';
import { requestWithRetry, MAX_WAIT_MS, type AttemptResult } from '../request-retry.ts';
import type { GraphOptions, GraphRequest } from './graph.ts';
import { graphError, type GraphProblem, isTransient } from './graph-error.ts';
import { exchange } from './graph-exchange.ts';
import { withoutSlash } from '../account.ts';
import type { GraphConcurrency } from './graph-concurrency.ts';

/** The requests beneath `Graph`. */
export interface GraphTransport {
  /** Asks, with renewed tokens and again after a while as need be; `read` makes something of the bytes of a good answer. */
  request<T>(
    request: GraphRequest & { readonly slots?: number },
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<T>;
  /**
   * Asks once at an address that Graph has given out, and that lets in whoever knows it: no token goes there. Throws where it
   * is none to send a mail's content to.
   */
  requestWithoutToken<T>(
    request: TokenlessRequest,
    read: (bytes: Uint8Array, status: number) => T,
  ): Promise<AttemptResult<T, GraphProblem>>;
  /** An answer to one request that stood in a batch, or was made at another host. */
  errorOf(problem: GraphProblem, scopes: readonly string[], host?: string): EngineError;
  /** Nothing of this account is sent before so many milliseconds have passed. */
  pause(ms: number): void;
}

/** So often one request is sent at most. */
const MAX_TRIES = 4;

/** Of an answer to what was asked without a token, which is short. */
const MAX_OPEN_BYTES = 1024 * 1024;

/** Ids that stay when a mail is moved (Graph, "Immutable identifiers for Outlook resources"). */
export const IMMUTABLE_IDS = 'IdType="ImmutableId"';

/** A request to an address that needs no token; it is a secret, so no message names more of it than the host. */
export interface TokenlessRequest extends Abortable {
  readonly scopes: readonly string[];
  readonly address: string;
  readonly method: 'GET' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The transport of one account; `concurrency` is shared by everything that asks Graph for it. */
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
    // A throttled request was not done, whatever it is.
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
    // An answer could repeat the address, which is a secret; its code says enough.
    return { problem: problem.status === 0 ? problem : { ...problem, message: '' } };
  }

  errorOf(problem: GraphProblem, scopes: readonly string[], host = this.#rootUrl.host): EngineError {
    return graphError(problem, { accountId: this.#options.accountId, host, scopes });
  }

  pause(ms: number): void {
    this.#concurrency.pause(ms);
  }

  /** Waits for a free place and for the end of a pause, then sends. */
  async #admit<T>(
    { scopes, slots = 1, signal }: Abortable & { scopes: readonly string[]; slots?: number | undefined },
    send: () => Promise<AttemptResult<T, GraphProblem>>,
  ): Promise<AttemptResult<T, GraphProblem>> {
    const { clock } = this.#options;
    const work = async () => {
      // A request that was under way until there was room may have been told to wait, and for long.
      for (let ms = this.#pauseMs(scopes); ms > 0; ms = this.#pauseMs(scopes)) await sleep(ms, { signal, clock });
      const outcome = await send();
      // Before anybody else is let in.
      if ('problem' in outcome && outcome.problem.retryAfterMs !== undefined && isTransient(outcome.problem))
        this.pause(outcome.problem.retryAfterMs);
      return outcome;
    };
    return this.#concurrency.run(slots, work, { signal });
  }

  /** Milliseconds for which nothing may be sent; throws where that is longer than a request waits. */
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

  /** URL of a path or of a link from an answer; a token never goes to another host than the API's. */
  #urlOf(path: string): string {
    if (path.startsWith('/')) return this.#root + path;
    if (URL.parse(path)?.origin === this.#rootUrl.origin) return path;
    throw this.#strayError('names a further page at another host');
  }

  /** URL for content without a token: over TLS only, except to an emulator of Graph on this machine. */
  #openUrlOf(address: string): URL {
    const { protocol, hostname } = this.#rootUrl;
    const isLocal = protocol === 'http:' && isLoopback(hostname);
    const url = URL.parse(address);
    const isSafe = url?.protocol === 'https:' || (isLocal && url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url !== null && isSafe && url.username === '' && url.password === '') return url;
    const where = url === null ? 'an address that is none' : `${url.protocol}//${url.host}`;
    throw this.#strayError(`wants a file sent to ${where}`);
  }

  #strayError(what: string): EngineError {
    return new EngineError('ACCOUNT_FAILED', `account ${this.#options.accountId}: ${this.#rootUrl.host} ${what}`, {
      hint: 'Something between here and Microsoft may answer in its place; see `endpoints.api`.',
    });
  }
}

/** What Microsoft has said to an earlier request. */
function stillPaused(ms: number): GraphProblem {
  return { status: 429, code: '', message: `for another ${Math.ceil(ms / 1000)} s`, retryAfterMs: ms };
}
