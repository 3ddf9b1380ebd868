import { type ErrorCode, statusOf } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { Abortable } from '../base/abort.ts';
import { isOk, type LocalRequest, readText, sendLocal } from './local-request.ts';
import type { ServerFile } from './server-file.ts';

/** `body`: sent as JSON. `bytes`: the body as it is, a file. */
type RequestOptions = Abortable & { readonly body?: unknown; readonly bytes?: Uint8Array<ArrayBuffer> };

/** Client of the HTTP API. Errors of the server are thrown as the same `EngineError`. */
export interface ApiClient {
  /** False for a server that ends with the command. */
  readonly isLive: boolean;
  /** `T` is the type of the answer. Client and server have the same version, so the answer is not validated. */
  request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options?: RequestOptions): Promise<T>;
  /** Reads the live stream: calls `onEvent` for each event until the server ends it. Rejects on abort and where there is none. */
  events(onEvent: (event: ServerEvent) => void, options: Abortable): Promise<void>;
}

/** An event of `GET /api/stream`. */
export interface ServerEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Creates a client of one server. */
export function createClient({ url, token }: Pick<ServerFile, 'url' | 'token'>, isLive: boolean): ApiClient {
  return {
    isLive,
    async request<T>(method: string, path: string, { body, bytes, signal }: RequestOptions = {}): Promise<T> {
      const { status, text } = await send(url + path, {
        method,
        signal,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(bytes !== undefined && { 'Content-Type': 'application/octet-stream' }),
        },
        body: bytes ?? (body === undefined ? undefined : JSON.stringify(body)),
      }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new EngineError('INTERNAL', `the server at ${url} no longer answers`, {
          hint: 'check that callsheet start is still running',
          cause,
        });
      });
      const value: unknown = text === '' ? undefined : JSON.parse(text);
      if (status < 200 || status > 299) throw revive(value, status);
      return value as T;
    },
    async events(onEvent, { signal }) {
      const answer = await sendLocal(`${url}/api/stream`, { signal, headers: { Authorization: `Bearer ${token}` } });
      if (!isOk(answer)) {
        answer.destroy();
        throw new EngineError('INTERNAL', `the server answered ${answer.statusCode}`);
      }
      let rest = '';
      answer.setEncoding('utf8');
      for await (const chunk of answer) {
        const blocks = (rest + String(chunk)).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const name = /^event: (.*)$/m.exec(block)?.[1];
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (name !== undefined && data !== undefined) onEvent({ name, data: JSON.parse(data) as unknown });
        }
      }
    },
  };
}

async function send(url: string, options: LocalRequest): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await sendLocal(url, options);
  return { status: answer.statusCode ?? 0, text: await readText(answer) };
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
