import { type ErrorCode, statusOf } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { Abortable } from '../base/abort.ts';
import type { ServerFile } from './server-file.ts';

/** Client of the HTTP API. Errors of the server are thrown as the same `EngineError`. */
export interface ApiClient {
  /** False for a server that ends with the command. */
  readonly isLive: boolean;
  /** `T` is the type of the answer. Client and server have the same version, so the answer is not validated. */
  request<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: Abortable & { body?: unknown },
  ): Promise<T>;
}

/** Creates a client of one server. */
export function createClient({ url, token }: Pick<ServerFile, 'url' | 'token'>, isLive: boolean): ApiClient {
  return {
    isLive,
    async request<T>(method: string, path: string, { body, signal }: Abortable & { body?: unknown } = {}): Promise<T> {
      const answer = await fetch(url + path, {
        method,
        signal: signal ?? null,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new EngineError('INTERNAL', `the server at ${url} no longer answers`, {
          hint: 'check that callsheet start is still running',
          cause,
        });
      });
      const text = await answer.text();
      const value: unknown = text === '' ? undefined : JSON.parse(text);
      if (!answer.ok) throw revive(value, answer.status);
      return value as T;
    },
  };
}

function revive(value: unknown, status: number): EngineError {
  const error = isRecord(value) ? value['error'] : undefined;
  if (!isRecord(error)) return new EngineError('INTERNAL', `the server answered ${status}`);
  const { code, message, hint } = error;
  return new EngineError(isCode(code) ? code : 'INTERNAL', String(message), {
    hint: typeof hint === 'string' ? hint : undefined,
  });
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && statusOf(code as ErrorCode) !== undefined;
}

/** Builds a path with its values percent-encoded: `` path`/api/runs/${id}` ``. */
export function path(strings: TemplateStringsArray, ...parts: readonly string[]): string {
  return strings.reduce((text, piece, i) => text + encodeURIComponent(parts[i - 1] ?? '') + piece);
}
