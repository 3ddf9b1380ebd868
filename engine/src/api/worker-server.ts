import Koa, { type Middleware } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { errorResponses } from './http/error-response.ts';
import { type HttpListener, listenOn } from './listen.ts';
import { metricsPage } from './metrics-page.ts';
import { ownOrigin } from './http/same-origin.ts';
import { tokenOnly } from './auth/browser-sessions.ts';

/** Options of the server of a worker. */
export interface WorkerServerOptions {
  readonly version: string;
  /** Whether the worker still holds its claim, that is, sends heartbeats. */
  readonly isAlive: () => boolean;
  readonly metrics: () => Promise<string>;
  /** Who may read the metrics. */
  readonly token: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Serves `GET /metrics` for holders of the token, and `GET /api/health` for all: 503 if the process lost its store. On 127.0.0.1;
 * errors as `listenOn`.
 */
export function listenForWorker(
  pages: WorkerServerOptions,
  { port }: { readonly port: number },
): Promise<HttpListener> {
  const app = new Koa();
  app.silent = true;
  app.use(errorResponses(pages.log));
  app.use(ownOrigin());
  app.use(health(pages));
  app.use(metricsPage({ metrics: pages.metrics, ...tokenOnly(pages.token, pages.clock) }));
  return listenOn({ port }, app, new AbortController());
}

function health({ version, isAlive }: WorkerServerOptions): Middleware {
  return (ctx, next) => {
    if (ctx.path !== '/api/health' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const isOk = isAlive();
    ctx.set('Cache-Control', 'no-store');
    ctx.status = isOk ? 200 : 503;
    ctx.body = { status: isOk ? 'ok' : 'away', name: 'callsheet', version };
  };
}
