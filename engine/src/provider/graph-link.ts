import { type Abortable, sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { WORLDWIDE } from '../config/cloud.ts';
import type { GraphOptions, GraphRequest } from './graph.ts';
import {
  graphError,
  type GraphPeer,
  type GraphProblem,
  isBrief,
  problemOfAnswer,
  problemOfThrown,
} from './graph-error.ts';
import { rootOf } from './provider.ts';
import type { GraphGate } from './graph-gate.ts';

/** The requests beneath `Graph`. */
export interface GraphLink {
  /** Asks, with renewed tokens and again after a while as need be; `read` makes something of the bytes of a good answer. */
  ask<T>(
    request: GraphRequest & { readonly places?: number },
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<T>;
  /** An answer to one request that stood in a batch. */
  errorOf(problem: GraphProblem, scopes: readonly string[]): EngineError;
  /** Nothing of this account is sent before so many milliseconds have passed. */
  pause(ms: number): void;
}

/** So often one request is sent at most, and so long it waits for that in all. */
const MOST_TRIES = 4;
const MOST_WAIT_MS = 60_000;

const MAX_ERROR_BYTES = 64 * 1024;

/** Ids that stay when a mail is moved (Graph, "Immutable identifiers for Outlook resources"). */
export const IMMUTABLE_IDS = 'IdType="ImmutableId"';

type Outcome<T> = { readonly value: T } | { readonly problem: GraphProblem };

export function createLink(options: GraphOptions, gate: GraphGate): GraphLink {
  const { accountId, tokens, clock, timeoutMs = 60_000 } = options;
  const root = `${rootOf(options.endpoints?.api ?? WORLDWIDE.graphs[0])}/v1.0`;
  const { origin, host } = new URL(root);

  /** Where a request goes; a token never goes to another host than the API's. */
  function urlOf(path: string): string {
    if (path.startsWith('/')) return root + path;
    if (URL.parse(path)?.origin === origin) return path;
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${host} names a further page at another host`, {
      hint: 'Something between here and Microsoft may answer in its place; see `endpoints.api`.',
    });
  }

  async function once<T>(
    { method = 'GET', path, body, text, ifMatch, prefer = [], signal }: GraphRequest,
    token: string,
    maxBytes: number,
    read: (bytes: Uint8Array) => T,
  ): Promise<Outcome<T>> {
    const type = text !== undefined ? 'text/plain' : body !== undefined ? 'application/json' : undefined;
    const limit = startLimit({ signal, clock, timeoutMs });
    try {
      const response = await fetch(urlOf(path), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          prefer: [IMMUTABLE_IDS, ...prefer].join(', '),
          ...(type !== undefined && { 'content-type': type }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(type !== undefined && { body: text ?? JSON.stringify(body) }),
        // A redirect could lead the token away.
        redirect: 'manual',
        signal: limit.signal,
      });
      const bytes = await readAll(response, response.ok ? maxBytes : MAX_ERROR_BYTES, limit.extend);
      if (response.ok) return { value: read(bytes) };
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

  const peerOf = (scopes: readonly string[]): GraphPeer => ({ accountId, host, scopes });

  /** Milliseconds for which nothing is to be asked; throws where nobody waits so long. */
  function pauseOf(scopes: readonly string[]): number {
    const ms = gate.leftMs();
    if (ms > MOST_WAIT_MS) throw graphError(stillPaused(ms), peerOf(scopes));
    return ms;
  }

  return {
    async ask(request, maxBytes, read) {
      const { scopes, signal, places = 1, isRepeatable = (request.method ?? 'GET') !== 'POST' } = request;
      let refused: string | undefined;
      let waitedMs = 0;
      for (let tries = 1; ; tries++) {
        pauseOf(scopes);
        const token = await tokens.accessToken({ scopes, signal, ...(refused !== undefined && { refused }) });
        const work = async () => {
          // What was under way until there was room may have been told to wait, and for long.
          for (let ms = pauseOf(scopes); ms > 0; ms = pauseOf(scopes)) await sleep(ms, { signal, clock });
          return once(request, token, maxBytes, read);
        };
        const outcome = await gate.pass(places, work, { signal });
        if ('value' in outcome) return outcome.value;
        const { problem } = outcome;
        const waitMs = waitOf(problem, tries);
        if (problem.status === 401 && refused === undefined) {
          refused = token;
          continue;
        }
        if (problem.retryAfterMs !== undefined && isBrief(problem)) gate.pause(waitMs);
        // A throttled request was not done, whatever it is.
        const mayRepeat = problem.status === 429 || (isRepeatable && isBrief(problem));
        if (!mayRepeat || tries >= MOST_TRIES || waitedMs + waitMs > MOST_WAIT_MS)
          throw graphError(problem, peerOf(scopes));
        waitedMs += waitMs;
        await sleep(waitMs, { signal, clock });
      }
    },
    errorOf: (problem, scopes) => graphError(problem, peerOf(scopes)),
    pause: (ms) => gate.pause(ms),
  };
}

/** What Microsoft has said to an earlier request. */
function stillPaused(ms: number): GraphProblem {
  return { status: 429, code: '', message: `for another ${Math.ceil(ms / 1000)} s`, retryAfterMs: ms };
}

/** As Microsoft says, else a second, two, four. */
export function waitOf({ retryAfterMs }: GraphProblem, tries: number): number {
  return retryAfterMs ?? 1000 * 2 ** (tries - 1);
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
