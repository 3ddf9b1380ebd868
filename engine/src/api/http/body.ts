import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware } from 'koa';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

/** Largest body of a request, in MB. */
export const MAX_BODY_MB = 10;

/**
 * Parses JSON bodies, and rejects all others, since a form of another site can send text and forms but not JSON.
 * `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, `BAD_REQUEST` for invalid JSON. No body is `{}`.
 */
export function jsonBodies(): Middleware {
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: `${MAX_BODY_MB}mb`,
    jsonStrict: true,
    onError(error) {
      if (Reflect.get(error, 'status') === 413)
        throw new EngineError('TOO_LARGE', `the body is larger than ${MAX_BODY_MB} MB`);
      throw new EngineError('BAD_REQUEST', `the body is not JSON: ${error.message}`);
    },
  });
  return async (ctx, next) => {
    if (hasBody(ctx) && ctx.request.type !== 'application/json')
      throw new EngineError('UNSUPPORTED_MEDIA_TYPE', `the body must be JSON, not "${ctx.request.type}"`, {
        hint: 'send Content-Type: application/json',
      });
    return parse(ctx, next);
  };
}

function hasBody(ctx: Context): boolean {
  return ctx.req.headers['transfer-encoding'] !== undefined || (ctx.request.length ?? 0) > 0;
}

/** Reads one member of a body; undefined if it is absent. `key` is for messages. `BAD_REQUEST` for a wrong type. */
export type Field<T> = (value: unknown, key: string) => T;

type Read<S extends Readonly<Record<string, Field<unknown>>>> = { readonly [K in keyof S]: ReturnType<S[K]> };

/**
 * Reads the members of a body. `BAD_REQUEST` for a body that is not an object, for an unknown key (so that typos are noticed), and
 * for a value that a field rejects. `unbuilt`: hints for keys that are not supported yet.
 */
export function readBody<S extends Readonly<Record<string, Field<unknown>>>>(
  ctx: Context,
  fields: S,
  unbuilt: Readonly<Record<string, string>> = {},
): Read<S> {
  const body = bodyObject(ctx);
  for (const key of Object.keys(body)) {
    if (Object.hasOwn(fields, key)) continue;
    const hint = unbuilt[key] ?? `keys: ${Object.keys(fields).join(', ')}`;
    throw new EngineError('BAD_REQUEST', `the body has an unknown key "${key}"`, { hint });
  }
  const entries = Object.entries(fields).map(([key, field]) => [key, field(body[key], key)]);
  return Object.fromEntries(entries) as Read<S>;
}

/** The body as an object with unread members. */
export function bodyObject(ctx: Context): Readonly<Record<string, unknown>> {
  const body: unknown = ctx.request.body ?? {};
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
  return new EngineError('BAD_REQUEST', `"${key}" must be ${expected}, not ${found}`);
}
