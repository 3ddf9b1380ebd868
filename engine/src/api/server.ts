import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { EngineError, errorBody } from '../base/error.ts';
import type { Services } from './api.ts';
import { requestBodies } from './http/body.ts';
import { compressed } from './http/compressed.ts';
import { errorResponses } from './http/error-response.ts';
import { type HttpListener, listenOn } from './listen.ts';
import { isPublic, requireSession, tokenLink } from './auth/login.ts';
import { requireRole } from './auth/person.ts';
import { metricsPage } from './metrics-page.ts';
import { ownOrigin } from './http/same-origin.ts';
import { type Resource, roleOf, ROUTES } from './routes/routes.ts';
import { viewerFiles } from './viewer/viewer-files.ts';

/** Creates the HTTP server of API and viewer as a Koa application. Aborting `closing` ends the live streams. */
export function createServer(services: Services, closing: AbortSignal): Koa {
  // Case-sensitive, as the checks before the router: /API must not bypass them.
  const router = new ApiRouter({ sensitive: true });
  router.use(requireSession(services));
  for (const resource of ROUTES) addWithRoles(router, resource, services, closing);
  const app = new Koa();
  app.silent = true;
  app.on('error', (error: unknown) => {
    // The response has begun or the client is gone: no error can be sent.
    services.deps.log.debug('a response broke off', { ...errorBody(error) });
  });
  app.use(errorResponses(services.deps.log));
  app.use(ownOrigin(services.access));
  app.use(unframed());
  app.use(aliases());
  app.use(tokenLink(services));
  app.use(metricsPage(services));
  app.use(onApi(privacy()));
  app.use(onApi(compressed()));
  app.use(onApi(requireSession(services)));
  const readBodies = requestBodies();
  app.use(onApi((ctx, next) => (isPublic(ctx) ? next() : readBodies(ctx, next))));
  // A path outside would be compared with each route.
  app.use(onApi(router.routes() as Middleware));
  app.use(onApi(otherMethods(router)));
  app.use(viewerFiles(services));
  return app;
}

/** Puts its routes below `/api`. The router's own prefix makes the pattern of each route twice, which every start would pay for. */
class ApiRouter extends Router {
  override register(...[path, methods, ...rest]: Parameters<Router['register']>): ReturnType<Router['register']> {
    const isRoute = typeof path === 'string' && methods.length > 0;
    return super.register(isRoute ? `/api${path}` : path, methods, ...rest);
  }
}

/** Adds the routes of a resource, each behind the check of its role. */
function addWithRoles(router: Router, resource: Resource, services: Services, closing: AbortSignal): void {
  const before = router.stack.length;
  resource.add(router, services, closing);
  for (const layer of router.stack.slice(before)) {
    const role = roleOf(resource, layer);
    if (role !== 'anyone') layer.stack.unshift(requireRole(role));
  }
}

/** Serves API and viewer; errors as `listenOn`. */
export function listen(services: Services, { port }: { readonly port: number }): Promise<HttpListener> {
  const closing = new AbortController();
  const { addresses } = services.access;
  return listenOn({ port, addresses }, createServer(services, closing.signal), closing);
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

/** No other site may show any answer in a frame. Routes that serve documents set their own policy. */
function unframed(): Middleware {
  return (ctx, next) => {
    ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return next();
  };
}

/** Headers against caching and content sniffing of API responses. */
function privacy(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    return next();
  };
}

/** `METHOD_NOT_ALLOWED` for a known path with another method. */
function otherMethods(router: Router): Middleware {
  return (ctx, next) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0 || methods.has(ctx.method)) return next();
    ctx.set('Allow', [...methods].join(', '));
    throw new EngineError('METHOD_NOT_ALLOWED', `${ctx.path} does not allow ${ctx.method}`, {
      hint: `allowed: ${[...methods].join(', ')}`,
    });
  };
}
