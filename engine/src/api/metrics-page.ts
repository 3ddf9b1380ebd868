import type { Middleware } from 'koa';
import { EngineError } from '../base/error.ts';
import type { Services } from './api.ts';
import { type LoginDeps, requireSession } from './auth/login.ts';

/** Prometheus' text format. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * `GET /metrics` for Prometheus. Needs the token (`Authorization: Bearer`) or a session, like the API: metrics contain no content
 * and no addresses, but they contain costs.
 */
export function metricsPage({ metrics, ...deps }: Pick<Services, 'metrics'> & LoginDeps): Middleware {
  const guard = requireSession(deps);
  return (ctx, next) => {
    if (ctx.path !== '/metrics' || metrics === undefined) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET');
      throw new EngineError('METHOD_NOT_ALLOWED', `/metrics does not allow ${ctx.method}`, { hint: 'use GET' });
    }
    return guard(ctx, async () => {
      const text = await metrics();
      ctx.set('Cache-Control', 'no-store');
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
      ctx.body = text;
      ctx.set('Content-Type', TYPE);
    });
  };
}
