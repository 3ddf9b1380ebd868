import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { AttemptResult } from '../request-retry.ts';
import { type GraphProblem, problemOfAnswer, problemOfThrown } from './graph-error.ts';

/** One HTTP request, and the reader of its response. */
export interface Exchange<T> extends Abortable, Pick<RequestInit, 'method' | 'headers' | 'body'> {
  readonly url: string | URL;
  /** Limit for the body of a successful response; above it `TOO_LARGE`. */
  readonly maxBytes: number;
  /** Parses the body of a successful response. */
  readonly read: (bytes: Uint8Array, status: number) => T;
}

/** Limit for the body of an error response; the rest is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Sends one request, without a retry. Resolves with the value or with the problem; throws `TOO_LARGE`, and every `EngineError`
 * of `read`. When no byte arrives for `timeoutMs`, the result is a problem with status 0; rejects on abort.
 */
export async function exchange<T>(
  { url, method, headers, body, signal, maxBytes, read }: Exchange<T>,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<AttemptResult<T, GraphProblem>> {
  const limit = startLimit({ signal, clock, timeoutMs });
  try {
    const response = await fetch(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
      // A redirect could send the token to another host.
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

/** Reads the body. Of an error response, bytes beyond `maxBytes` are dropped. */
async function readAll(response: Response, maxBytes: number, onPiece: () => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    onPiece();
    size += piece.length;
    if (size > maxBytes) {
      if (!response.ok) break;
      throw new EngineError('TOO_LARGE', `Microsoft Graph returned more than ${maxBytes} bytes`);
    }
    pieces.push(piece);
  }
  // A buffer of its own can be transferred to a worker.
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

/**
 * A signal that aborts with the caller's signal, or after `timeoutMs` without a byte. The total time is not limited, so that a
 * large mail can arrive slowly.
 */
function startLimit({ signal, clock, timeoutMs }: Abortable & { clock: Clock; timeoutMs: number }) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  const start = () => clock.delay(() => controller.abort(new Error(`no data within ${timeoutMs / 1000} s`)), timeoutMs);
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
