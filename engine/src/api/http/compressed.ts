import type { Context, Middleware } from 'koa';
import { encode, encodingFor } from './served-file.ts';

/** A shorter answer fits into one packet anyway. */
const MIN_BYTES = 1024;
/** Routes whose answers may hold secrets: their size must not depend on what else is in them. */
const SECRET = /^\/api\/(?:auth|oauth2|secrets|browser-sessions|approvals\/link)(?:\/|$)/;

/**
 * Compresses JSON answers to GETs, above 1 KB; streams, files and documents stay as they are. The routes of sign-in and secrets
 * are left out (docs/decisions/compressed-answers.md).
 */
export function compressed(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.method !== 'GET' || ctx.status !== 200 || SECRET.test(ctx.path) || !isJson(ctx)) return;
    const text = JSON.stringify(ctx.body);
    const encoding = encodingFor(ctx);
    ctx.vary('Accept-Encoding');
    ctx.type = 'application/json; charset=utf-8';
    if (encoding === undefined || Buffer.byteLength(text) < MIN_BYTES) {
      ctx.body = text;
      return;
    }
    ctx.body = await encode(text, encoding);
    ctx.set('Content-Encoding', encoding);
  };
}

/** Whether the body is a value that Koa sends as JSON: no buffer, stream, blob or response. */
function isJson({ body }: Context): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === Object.prototype || prototype === Array.prototype;
}
