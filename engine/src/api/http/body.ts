import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { EngineError, errorBody } from '../../base/error.ts';
import { nestsDeeper } from './json-depth.ts';
import { isRecord } from '../../base/json.ts';

const MB = 1024 * 1024;
/** Largest body of a request, in MB. */
export const MAX_BODY_MB = 10;
/** The route that takes files, the largest file in MB, and the type of its body, which no form of another site can send. */
const UPLOADS = '/api/uploads';
const MAX_FILE_MB = 20;
const FILE = 'application/octet-stream';
/** Largest total of the bodies that are being received, in MB. */
const MAX_RECEIVED_MB = 64;
/** Deepest nesting of a body: objects of the API have a few levels. */
const MAX_DEPTH = 100;

/** Bytes that one server holds of bodies that are not complete. */
interface Received {
  bytes: number;
}

/**
 * Reads JSON bodies, and the files that `/api/uploads` takes, and rejects all others, since a form of another site can send text and forms but not JSON. Must come
 * after the check of the session: whoever has none makes the server hold nothing. `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`,
 * `BUSY` if all bodies together are too large, `BAD_REQUEST` for invalid JSON and for nesting deeper than 100 levels. No body
 * is `{}`.
 */
export function requestBodies(): Middleware {
  const received: Received = { bytes: 0 };
  return async (ctx, next) => {
    if (!hasBody(ctx)) return next();
    const { type } = ctx.request;
    if (type === FILE && ctx.method === 'POST' && ctx.path === UPLOADS) {
      if ((ctx.request.length ?? 0) > MAX_FILE_MB * MB) throw tooLarge(MAX_FILE_MB);
      files.set(ctx.req, await receive(ctx.req, received, MAX_FILE_MB));
      return next();
    }
    if (type !== 'application/json')
      throw new EngineError('UNSUPPORTED_MEDIA_TYPE', `the body must be JSON, not "${type}"`, {
        hint: 'send Content-Type: application/json',
      });
    const encoding = ctx.get('Content-Encoding') || 'identity';
    if (encoding !== 'identity')
      throw new EngineError('UNSUPPORTED_MEDIA_TYPE', `the body must not be compressed (${encoding})`);
    if ((ctx.request.length ?? 0) > MAX_BODY_MB * MB) throw tooLarge(MAX_BODY_MB);
    bodies.set(ctx.req, parse(await receive(ctx.req, received, MAX_BODY_MB)));
    return next();
  };
}

/** The parsed bodies of the requests in work. */
const bodies = new WeakMap<IncomingMessage, unknown>();

/** The received files of the requests in work. */
const files = new WeakMap<IncomingMessage, Buffer>();

/** The file that a request sends, which may be empty. `UNSUPPORTED_MEDIA_TYPE` where it sends none. */
export function bytesOf(ctx: Context): Buffer {
  const file = files.get(ctx.req);
  if (file !== undefined) return file;
  if (ctx.request.type === FILE) return Buffer.alloc(0);
  throw new EngineError('UNSUPPORTED_MEDIA_TYPE', 'the body must be the file itself', {
    hint: `send its bytes with Content-Type: ${FILE}`,
  });
}

async function receive(request: IncomingMessage, received: Received, mostMb: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection must outlive a refusal, which is an answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new EngineError('INTERNAL', 'a body is received as bytes');
      bytes += chunk.length;
      received.bytes += chunk.length;
      if (bytes > mostMb * MB) throw tooLarge(mostMb);
      if (received.bytes > MAX_RECEIVED_MB * MB)
        throw new EngineError('BUSY', `the server is receiving more than ${MAX_RECEIVED_MB} MB at a time`, {
          hint: 'send fewer large requests at a time',
          retryable: true,
        });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    // The rest is read and dropped, so that the connection can carry the next request.
    request.resume();
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('BAD_REQUEST', 'the body broke off', { cause });
  } finally {
    received.bytes -= bytes;
  }
}

function parse(body: Buffer): unknown {
  if (nestsDeeper(body, MAX_DEPTH))
    throw new EngineError('BAD_REQUEST', `the body nests deeper than ${MAX_DEPTH} levels`);
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString());
  } catch (cause) {
    throw new EngineError('BAD_REQUEST', `the body is not JSON: ${errorBody(cause).message}`, { cause });
  }
}

function tooLarge(mostMb: number): EngineError {
  return new EngineError('TOO_LARGE', `the body is larger than ${mostMb} MB`);
}

function hasBody(ctx: Context): boolean {
  return ctx.req.headers['transfer-encoding'] !== undefined || (ctx.request.length ?? 0) > 0;
}

/** Reads one member of a body; undefined if it is absent. `key` is for messages. `BAD_REQUEST` for a wrong type. */
export type Field<T> = (value: unknown, key: string) => T;

type Read<S extends Readonly<Record<string, Field<unknown>>>> = { readonly [K in keyof S]: ReturnType<S[K]> };

/**
 * Reads the members of a body. `BAD_REQUEST` for a body that is not an object, for an unknown key (so that typos are noticed), and
 * for a value that a field rejects.
 */
export function readBody<S extends Readonly<Record<string, Field<unknown>>>>(ctx: Context, fields: S): Read<S> {
  const body = bodyObject(ctx);
  for (const key of Object.keys(body)) {
    if (Object.hasOwn(fields, key)) continue;
    const hint = `keys: ${Object.keys(fields).join(', ')}`;
    throw new EngineError('BAD_REQUEST', `the body has an unknown key "${key}"`, { hint, where: whereOf(key) });
  }
  const entries = Object.entries(fields).map(([key, field]) => [key, field(body[key], key)]);
  return Object.fromEntries(entries) as Read<S>;
}

/** The body as an object with unread members. */
export function bodyObject(ctx: Context): Readonly<Record<string, unknown>> {
  const body = bodies.get(ctx.req) ?? {};
  if (!isRecord(body)) throw new EngineError('BAD_REQUEST', 'the body must be a JSON object');
  return body;
}

/** Makes a field optional. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return (value, key) => (value === undefined ? undefined : field(value, key));
}

export const text: Field<string> = (value, key) => {
  if (typeof value === 'string') return value;
  throw refuse(key, 'a string', value);
};

export const flag: Field<boolean> = (value, key) => {
  if (typeof value === 'boolean') return value;
  throw refuse(key, 'true or false', value);
};

export const count: Field<number> = (value, key) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw refuse(key, 'a non-negative integer', value);
};

export const amount: Field<number> = (value, key) => {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw refuse(key, 'a non-negative number', value);
};

export const texts: Field<readonly string[]> = (value, key) => {
  if (Array.isArray(value) && value.every((member) => typeof member === 'string')) return value;
  throw refuse(key, 'a list of strings', value);
};

export const object: Field<Readonly<Record<string, unknown>>> = (value, key) => {
  if (isRecord(value)) return value;
  throw refuse(key, 'an object', value);
};

/** A field with one of the given words. */
export function oneOf<const W extends string>(...words: readonly W[]): Field<W> {
  return (value, key) => {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    throw refuse(key, words.map((known) => `"${known}"`).join(' or '), value);
  };
}

function refuse(key: string, expected: string, value: unknown): EngineError {
  const found = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value).slice(0, 60);
  return new EngineError('BAD_REQUEST', `"${key}" must be ${expected}, not ${found}`, { where: whereOf(key) });
}

/** Where a member of a body is, for forms: `/participants/0/displayName` for `participants[0].displayName`. */
export function whereOf(key: string): { readonly path: string } {
  return { path: `/${key.replaceAll(/\[(\d+)\]|\./g, '/$1')}` };
}
