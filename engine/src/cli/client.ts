import { type ErrorCode, statusOf } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { Abortable } from '../base/abort.ts';
import type { ServerFile } from './server-file.ts';

/** The HTTP API as commands use it. Errors of the server come out as the `EngineError` that they were there. */
export interface ApiClient {
  /** True for a server that runs on by itself, false for one that lives as long as the command. */
  readonly isLive: boolean;
  /** `T` is what the route promises; both ends are of one version, so it is not checked again. */
  request<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: Abortable & { body?: unknown },
  ): Promise<T>;
}

/** A client of one server. */
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
        throw new EngineError('INTERNAL', `the server at ${url} does not answer any more`, {
          hint: 'see whether callsheet start still runs',
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

/** A path with its parts encoded: `` path`/api/runs/${id}` ``. */
export function path(strings: TemplateStringsArray, ...parts: readonly string[]): string {
  return strings.reduce((text, piece, i) => text + encodeURIComponent(parts[i - 1] ?? '') + piece);
}
