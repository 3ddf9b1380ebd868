import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isLoopback } from '../../base/network-host.ts';
import { WORLDWIDE } from '../../config/validate/microsoft-cloud.ts';
import { requestWithRetry, MOST_WAIT_MS, type AttemptResult } from '../request-retry.ts';
import type { GraphOptions, GraphRequest } from './graph.ts';
import {
  graphError,
  type GraphTarget,
  type GraphProblem,
  isBrief,
  problemOfAnswer,
  problemOfThrown,
} from './graph-error.ts';
import { rootOf } from '../account.ts';
import type { GraphConcurrency } from './graph-concurrency.ts';

/** The requests beneath `Graph`. */
export interface GraphTransport {
  /** Asks, with renewed tokens and again after a while as need be; `read` makes something of the bytes of a good answer. */
  ask<T>(
    request: GraphRequest & { readonly places?: number },
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<T>;
  /**
   * Asks once at an address that Graph has given out, and that lets in whoever knows it: no token goes there. Throws where it
   * is none to send a mail's content to.
   */
  askOpen<T>(
    request: TokenlessRequest,
    read: (bytes: Uint8Array, status: number) => T,
  ): Promise<AttemptResult<T, GraphProblem>>;
  /** An answer to one request that stood in a batch, or was made at another host. */
  errorOf(problem: GraphProblem, scopes: readonly string[], host?: string): EngineError;
  /** Nothing of this account is sent before so many milliseconds have passed. */
  pause(ms: number): void;
}

/** So often one request is sent at most. */
const MOST_TRIES = 4;

const MAX_ERROR_BYTES = 64 * 1024;
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

export function createTransport(options: GraphOptions, gate: GraphConcurrency): GraphTransport {
  const { accountId, tokens, clock, timeoutMs = 60_000 } = options;
  const root = `${rootOf(options.endpoints?.api ?? WORLDWIDE.graphs[0])}/v1.0`;
  const { origin, host, protocol, hostname } = new URL(root);
  const isLocal = protocol === 'http:' && isLoopback(hostname);

  /** Where a request goes; a token never goes to another host than the API's. */
  function urlOf(path: string): string {
    if (path.startsWith('/')) return root + path;
    if (URL.parse(path)?.origin === origin) return path;
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${host} names a further page at another host`, {
      hint: 'Something between here and Microsoft may answer in its place; see `endpoints.api`.',
    });
  }

  /** Content goes to other hosts in TLS only, beside what stands in for Graph on this machine. */
  function openUrlOf(address: string): URL {
    const url = URL.parse(address);
    const isSafe = url?.protocol === 'https:' || (isLocal && url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url !== null && isSafe && url.username === '' && url.password === '') return url;
    const where = url === null ? 'an address that is none' : `${url.protocol}//${url.host}`;
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${host} wants a file sent to ${where}`, {
      hint: 'Something between here and Microsoft may answer in its place; see `endpoints.api`.',
    });
  }

  async function exchange<T>(
    url: string | URL,
    { method, headers, body, signal }: Abortable & Pick<RequestInit, 'method' | 'headers' | 'body'>,
    maxBytes: number,
    read: (bytes: Uint8Array, status: number) => T,
  ): Promise<AttemptResult<T, GraphProblem>> {
    const limit = startLimit({ signal, clock, timeoutMs });
    try {
      const response = await fetch(url, {
        ...{ method, headers },
        ...(body !== undefined && { body }),
        // A redirect could lead the token away.
        redirect: 'manual',
        signal: limit.signal,
      });
      const bytes = await readAll(response, response.ok ? maxBytes : MAX_ERROR_BYTES, limit.extend);
      if (response.ok) return { value: read(bytes, response.status) };
      const header = (name: string) => response.headers.get(name) ?? undefined;
      return { problem: problemOfAnswer(response.status, header, parsed(bytes), clock.now()) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EngineError) throw error;
      return { problem: problemOfThrown(limit.signal.aborted ? limit.signal.reason : error) };
    } finally {
      limit.end();
    }
  }

  async function once<T>(
    { method = 'GET', path, body, text, ifMatch, prefer = [], signal }: GraphRequest,
    token: string,
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<AttemptResult<T, GraphProblem>> {
    const type = text !== undefined ? 'text/plain' : body !== undefined ? 'application/json' : undefined;
    const headers = {
      authorization: `Bearer ${token}`,
      prefer: [IMMUTABLE_IDS, ...prefer].join(', '),
      ...(type !== undefined && { 'content-type': type }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    };
    const sent = type === undefined ? {} : { body: text ?? JSON.stringify(body) };
    return exchange(urlOf(path), { method, headers, ...sent, signal }, maxBytes, read);
  }

  const peerOf = (scopes: readonly string[], at = host): GraphTarget => ({ accountId, host: at, scopes });

  /** Milliseconds for which nothing is to be asked; throws where nobody waits so long. */
  function pauseOf(scopes: readonly string[]): number {
    const ms = gate.leftMs();
    if (ms > MOST_WAIT_MS) throw graphError(stillPaused(ms), peerOf(scopes));
    return ms;
  }

  /** Asks when there is room for it and nobody has asked to wait. */
  async function admit<T>(
    { scopes, places = 1, signal }: Abortable & { scopes: readonly string[]; places?: number | undefined },
    exchange: () => Promise<AttemptResult<T, GraphProblem>>,
  ): Promise<AttemptResult<T, GraphProblem>> {
    const work = async () => {
      // What was under way until there was room may have been told to wait, and for long.
      for (let ms = pauseOf(scopes); ms > 0; ms = pauseOf(scopes)) await sleep(ms, { signal, clock });
      const outcome = await exchange();
      // Before anybody else is let in.
      if ('problem' in outcome && outcome.problem.retryAfterMs !== undefined && isBrief(outcome.problem))
        gate.pause(outcome.problem.retryAfterMs);
      return outcome;
    };
    return gate.pass(places, work, { signal });
  }

  return {
    async ask(request, maxBytes, read) {
      const { scopes, signal, isRepeatable = (request.method ?? 'GET') !== 'POST' } = request;
      // A throttled request was not done, whatever it is.
      const mayRepeat = (problem: GraphProblem) => problem.status === 429 || (isRepeatable && isBrief(problem));
      return requestWithRetry(
        { tokens, clock },
        {
          ...{ scopes, signal },
          before: () => void pauseOf(scopes),
          mostTries: (problem: GraphProblem) => (mayRepeat(problem) ? MOST_TRIES : 1),
          errorOf: (problem: GraphProblem) => graphError(problem, peerOf(scopes)),
        },
        (token) => admit(request, () => once(request, token, maxBytes, read)),
      );
    },
    async askOpen({ address, method, headers, bytes, scopes, signal }, read) {
      const url = openUrlOf(address);
      const sent = bytes === undefined ? {} : { body: bytes };
      const work = () => exchange(url, { method, headers, ...sent, signal }, MAX_OPEN_BYTES, read);
      const outcome = await admit({ scopes, signal }, work);
      if ('value' in outcome) return outcome;
      const { problem } = outcome;
      // An answer could repeat the address, which is a secret; its code says enough.
      return { problem: problem.status === 0 ? problem : { ...problem, message: '' } };
    },
    errorOf: (problem, scopes, at) => graphError(problem, peerOf(scopes, at)),
    pause: (ms) => gate.pause(ms),
  };
}

/** What Microsoft has said to an earlier request. */
function stillPaused(ms: number): GraphProblem {
  return { status: 429, code: '', message: `for another ${Math.ceil(ms / 1000)} s`, retryAfterMs: ms };
}

/** What goes beyond `maxBytes` of an error is left. */
async function readAll(response: Response, maxBytes: number, onPiece: () => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    onPiece();
    size += piece.length;
    if (size > maxBytes) {
      if (!response.ok) break;
      throw new EngineError('TOO_LARGE', `Microsoft Graph gives more than ${maxBytes} bytes`);
    }
    pieces.push(piece);
  }
  // In a buffer of its own, so that it can be handed to a worker.
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Ends with the caller's abort, or when nothing has come for `timeoutMs`: a large mail takes as long as it takes. */
function startLimit({ signal, clock, timeoutMs }: Abortable & { clock: Clock; timeoutMs: number }) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  const start = () => clock.delay(() => controller.abort(new Error(`nothing within ${timeoutMs / 1000} s`)), timeoutMs);
  let stop = start();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    extend() {
      stop();
      stop = start();
    },
    end() {
      stop();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
