import { signal } from '@preact/signals';
import type { ErrorBody, Where } from '../../engine/src/base/error.ts';
import { isRecord } from './json.ts';
import { KEY_HEADER, pageKey } from './page-key.ts';

/** A browser refuses to keep more than 64 KB alive; a character has up to three bytes. */
const MAX_OUTLIVING = 21_000;

/** True after the server answered 401; the app then shows how to sign in. */
export const signedOut = signal(false);

/** Rows that the server could not read and left out of lists, as `mail mail_01…`. */
export const damagedRows = signal<ReadonlySet<string>>(new Set());

/** An error answer of the server, or no answer (`status` 0, code `NETWORK`). */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

interface Options {
  /** A `Blob` is sent as its bytes, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The browser sends the request also when the page is closed meanwhile. */
  readonly outlivesPage?: boolean;
}

/**
 * Sends one request to the API. `T` is the type of the route's answer; the answer of our own server is not validated.
 * Rejects with `ApiError`, or with the signal's reason when aborted.
 */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const text = await (await send(method, path, options)).text();
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  noteDamage(value);
  return value as T;
}

/** Keeps what an answer says about rows that it had to leave out. */
function noteDamage(answer: unknown): void {
  if (!isRecord(answer) || !Array.isArray(answer['damaged'])) return;
  const names = answer['damaged'].filter(isRecord).map((row) => `${String(row['table'])} ${String(row['key'])}`);
  if (names.some((name) => !damagedRows.value.has(name))) damagedRows.value = new Set([...damagedRows.value, ...names]);
}

/** Reads the bytes of a route, such as an attachment. Errors as `request`. */
export async function requestBytes(path: string): Promise<ArrayBuffer> {
  return (await send('GET', path)).arrayBuffer();
}

async function send(method: string, path: string, { body, signal, outlivesPage }: Options = {}): Promise<Response> {
  const content = body === undefined || body instanceof Blob ? (body ?? null) : JSON.stringify(body);
  const answer = await fetch(path, {
    method,
    signal: signal ?? null,
    headers: { [KEY_HEADER]: pageKey(), ...(body !== undefined && { 'Content-Type': typeOf(body) }) },
    body: content,
    keepalive: outlivesPage === true && !(content instanceof Blob) && (content?.length ?? 0) < MAX_OUTLIVING,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError(0, {
      code: 'NETWORK',
      message: 'The Callsheet server does not answer',
      hint: 'Check that "callsheet start" is still running.',
      ...(cause instanceof Error && { where: { path } }),
    });
  });
  if (answer.status === 401) signedOut.value = true;
  if (!answer.ok) throw new ApiError(answer.status, await errorOf(answer));
  return answer;
}

const typeOf = (body: unknown) => (body instanceof Blob ? 'application/octet-stream' : 'application/json');

async function errorOf(answer: Response): Promise<ErrorBody> {
  const body: unknown = await answer.json().catch(() => undefined);
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error)) return { code: 'INTERNAL', message: `the server answered ${answer.status}` };
  const { code, message, hint, where } = error;
  return {
    ...{ code: String(code), message: String(message) },
    ...(typeof hint === 'string' && { hint }),
    ...(isRecord(where) && { where: whereOf(where) }),
  };
}

/** The place in the body, and all errors of a refused document, which forms show beside their fields. */
function whereOf({ path, problems }: Record<string, unknown>): Where {
  const list = Array.isArray(problems) ? problems.filter(isRecord) : [];
  return {
    ...(typeof path === 'string' && { path }),
    ...(list.length > 0 && {
      problems: list.map(({ file, line, column, path: at, message, hint }) => ({
        ...{
          file: String(file),
          line: Number(line),
          column: Number(column),
          path: String(at),
          message: String(message),
        },
        ...(typeof hint === 'string' && { hint }),
      })),
    }),
  };
}

/** Converts any thrown value to an error that can be shown. */
export function errorOfThrown(thrown: unknown): ErrorBody {
  if (thrown instanceof ApiError) return thrown.body;
  return { code: 'INTERNAL', message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** Builds a path and encodes its variable parts: `` path`/api/emails/${id}` ``. */
export function path(strings: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return strings.reduce((text, piece, i) => text + encodeURIComponent(String(parts[i - 1])) + piece);
}
