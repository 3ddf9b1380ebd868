import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { EngineError, errorBody } from '../base/error.ts';
import { agentSessionRoutes } from './agent-sessions.ts';
import type { Services } from './api.ts';
import { approvalRoutes } from './approvals.ts';
import { jsonBodies } from './body.ts';
import { conversationRoutes } from './conversations.ts';
import { diagnosticRoutes } from './diagnostics.ts';
import { documentRoutes } from './documents.ts';
import { emailBodyRoutes } from './email-body.ts';
import { emailRoutes } from './emails.ts';
import { faults } from './fault.ts';
import { fetcherRoutes } from './fetcher.ts';
import { healthRoutes } from './health.ts';
import { itemRoutes } from './items.ts';
import { loginRoutes, requireSession, tokenLink } from './login.ts';
import { ownOrigin } from './origin.ts';
import { pages } from './pages.ts';
import { previewRoutes } from './preview.ts';
import { runRoutes } from './runs.ts';
import { secretRoutes } from './secrets.ts';
import { spendRoutes } from './spend.ts';
import { streamRoutes } from './stream.ts';
import { tryRoutes } from './try.ts';
import { unifiedRoutes } from './unified.ts';

const ROUTES = [
  ...[secretRoutes, healthRoutes, loginRoutes, documentRoutes, tryRoutes, previewRoutes, emailRoutes, emailBodyRoutes],
  ...[
    conversationRoutes,
    itemRoutes,
    runRoutes,
    agentSessionRoutes,
    approvalRoutes,
    fetcherRoutes,
    spendRoutes,
    unifiedRoutes,
    diagnosticRoutes,
  ],
];

/** Time that open requests get to end before their connections are cut. */
const DRAIN_MS = 2000;

/** The whole HTTP edge as a Koa application. `closing` ends the live streams. */
export function createServer(services: Services, closing: AbortSignal): Koa {
  // Case counts, as it does for the checks before it: /API is no other way in.
  const router = new Router({ prefix: '/api', sensitive: true });
  router.use(requireSession(services));
  for (const routes of [...ROUTES, streamRoutes(closing)]) routes(router, services);
  const app = new Koa();
  app.silent = true;
  app.on('error', (error: unknown) => {
    // Nobody to tell: the answer is on its way or its reader is gone.
    services.parts.log.debug('an answer broke off', { ...errorBody(error) });
  });
  app.use(faults(services.parts.log));
  app.use(ownOrigin());
  app.use(aliases());
  app.use(tokenLink(services));
  app.use(onApi(privacy()));
  app.use(onApi(requireSession(services)));
  app.use(onApi(jsonBodies()));
  app.use(router.routes());
  app.use(onApi(otherMethods(router)));
  app.use(pages({ uiDir: services.uiDir }));
  return app;
}

export interface Listening {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Ends the live streams, lets open requests end, and frees the port. */
  close(): Promise<void>;
}

/** Serves on this machine only. Port 0 takes a free one. `CONFLICT` where the port is taken, `FORBIDDEN` where it is not ours to take. */
export async function listen(services: Services, { port }: { readonly port: number }): Promise<Listening> {
  const closing = new AbortController();
  const server = createHttpServer(createServer(services, closing.signal).callback());
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
  } catch (cause) {
    closing.abort();
    throw portError(port, cause);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new EngineError('INTERNAL', 'the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      closing.abort();
      await drain(server);
    },
  };
}

function portError(port: number, cause: unknown): EngineError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const hint = 'name another one with --port, or --port 0 for any that is free';
  if (code === 'EADDRINUSE')
    return new EngineError('CONFLICT', `port ${port} is taken by another program`, { hint, cause });
  if (code === 'EACCES')
    return new EngineError('FORBIDDEN', `port ${port} may not be used by this user`, { hint, cause });
  return new EngineError('INTERNAL', `port ${port} cannot be opened: ${errorBody(cause).message}`, { hint, cause });
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer has ended stays open for the next request: it is closed as soon as it is idle.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
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
