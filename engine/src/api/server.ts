import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { EngineError, errorBody } from '../base/error.ts';
import type { Services } from './api.ts';
import { jsonBodies } from './http/body.ts';
import { errorResponses } from './http/error-response.ts';
import { type HttpListener, listenOn } from './listen.ts';
import { requireSession, tokenLink } from './auth/login.ts';
import { metricsPage } from './metrics-page.ts';
import { ownOrigin } from './http/same-origin.ts';
import { ROUTES } from './routes/routes.ts';
import { viewerFiles } from './viewer-files.ts';

/** The whole HTTP edge as a Koa application. `closing` ends the live streams. */
export function createServer(services: Services, closing: AbortSignal): Koa {
  // Case counts, as it does for the checks before it: /API is no other way in.
  const router = new Router({ prefix: '/api', sensitive: true });
  router.use(requireSession(services));
  for (const { add } of ROUTES) add(router, services, closing);
  const app = new Koa();
  app.silent = true;
  app.on('error', (error: unknown) => {
    // Nobody to tell: the answer is on its way or its reader is gone.
    services.deps.log.debug('an answer broke off', { ...errorBody(error) });
  });
  app.use(errorResponses(services.deps.log));
  app.use(ownOrigin());
  app.use(aliases());
  app.use(tokenLink(services));
  app.use(metricsPage(services));
  app.use(onApi(privacy()));
  app.use(onApi(requireSession(services)));
  app.use(onApi(jsonBodies()));
  app.use(router.routes());
  app.use(onApi(otherMethods(router)));
  app.use(viewerFiles({ uiDir: services.uiDir }));
  return app;
}

/** Serves the whole edge; as `listenOn`. */
export function listen(services: Services, { port }: { readonly port: number }): Promise<HttpListener> {
  const closing = new AbortController();
  return listenOn(port, createServer(services, closing.signal), closing);
}

/** `/api/v1/…` is `/api/…`, and `prompt-templates` is `prompts`. */
function aliases(): Middleware {
  return (ctx, next) => {
    ctx.path = ctx.path
      .replace(/^\/api\/v1(?=\/|$)/, '/api')
      .replace(/^\/api\/prompt-templates(?=\/|$)/, '/api/prompts');
    return next();
  };
}

/** Runs a middleware below `/api` only. */
function onApi(middleware: Middleware): Middleware {
  return (ctx, next) => (ctx.path === '/api' || ctx.path.startsWith('/api/') ? middleware(ctx, next) : next());
}

/** No answer of the API is kept, guessed at or framed by anybody. Routes that serve documents set their own policy. */
function privacy(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return next();
  };
}

/** A path that exists, asked with a method that it does not take. */
function otherMethods(router: Router): Middleware {
  return (ctx, next) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0 || methods.has(ctx.method)) return next();
    ctx.set('Allow', [...methods].join(', '));
    throw new EngineError('METHOD_NOT_ALLOWED', `${ctx.path} does not take ${ctx.method}`, {
      hint: `it takes ${[...methods].join(', ')}`,
    });
  };
}
