import type { HttpListener } from '../api/listen.ts';
import { listenForWorker } from '../api/worker-server.ts';
import { EngineError } from '../base/error.ts';
import { workerClaim } from '../cluster/liveness.ts';
import { metricsOf } from './api-services.ts';
import type { App } from './app.ts';
import { readVersion } from './installation.ts';
import type { ProcessContext } from './process-context.ts';

/** Serves the metrics (for holders of the token) and the health of a worker on 127.0.0.1. `INTERNAL` if the app has no metrics. */
export function serveWorker(
  app: App,
  { log, redactor }: Pick<ProcessContext, 'log' | 'redactor'>,
  { port, token }: { readonly port: number; readonly token: string },
): Promise<HttpListener> {
  const { shared, clock } = app.deps;
  const { metrics } = metricsOf(app, false);
  if (shared === undefined || metrics === undefined) throw new EngineError('INTERNAL', 'a worker counts what it does');
  redactor.add(token);
  const isAlive = () => app.joined?.claims.isHeld(workerClaim(shared.worker)) === true;
  return listenForWorker({ version: readVersion(), isAlive, metrics, token, clock, log }, { port });
}
