import type { Context, Middleware, Next } from 'koa';
import type { ErrorCode } from '../../base/error-code.ts';
import { EngineError, type ErrorBody, errorBody } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/log.ts';

/** Codes for errors that Koa and its parsers throw with only a status. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/**
 * Answers every error as `{ error: { code, message, hint?, where? } }` with the status of its code. Errors that are not exposed are
 * logged and answered as `INTERNAL`. Never sends a stack.
 */
export function errorResponses(log: Logger): Middleware {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        throw new EngineError('NOT_FOUND', `no route ${ctx.method} ${ctx.path}`);
    } catch (thrown) {
      const error = asEngineError(thrown);
      if (error.status >= 500 && !(error.expose && error.code !== 'INTERNAL'))
        log.error('a request failed', {
          method: ctx.method,
          path: ctx.path,
          ...errorBody(thrown),
          stack: stackOf(thrown),
        });
      ctx.status = error.status;
      ctx.body = { error: shown(error) };
    }
  };
}

function asEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  const status = isRecord(thrown) || thrown instanceof Error ? Reflect.get(thrown, 'status') : undefined;
  const code = typeof status === 'number' ? CODE_OF_STATUS[status] : undefined;
  if (code === undefined) return new EngineError('INTERNAL', 'unknown', { expose: false, cause: thrown });
  return new EngineError(code, code === 'TOO_LARGE' ? 'the body is too large' : errorBody(thrown).message);
}

function shown(error: EngineError): ErrorBody {
  if (error.expose && error.code !== 'INTERNAL') return error.toJSON();
  return {
    code: 'INTERNAL',
    message: 'internal error in Callsheet',
    hint: 'the log of the server has the details; please report it',
  };
}

function stackOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? thrown.stack : undefined;
}
