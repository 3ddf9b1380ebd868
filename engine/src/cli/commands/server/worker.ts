import type { HttpListener } from '../../../api/listen.ts';
import { EngineError } from '../../../base/error.ts';
import { workerClaim } from '../../../cluster/liveness.ts';
import type { App } from '../../../app/app.ts';
import type { CommandContext } from '../../context.ts';
import { readVersion } from '../../../app/installation.ts';
import { hideToken, metricsOf, openProcessApp } from '../../../app/api-services.ts';
import { exitCodeFor, nextStop, logStore, WRITES_MS } from './start.ts';

interface WorkerOptions {
  /** Nothing is served without it. */
  readonly metricsPort?: number;
}

/**
 * `worker`: works runs of the database that `DATABASE_URL` names until a signal, beside any number of others. It needs no
 * config folder and no data folder: what a run needs is in the database. Exit 0, 130 where Ctrl-C ended it, 2 where it cannot
 * begin.
 */
export async function worker(context: CommandContext, { metricsPort }: WorkerOptions = {}): Promise<number> {
  const { env, log } = context;
  const token = env('CALLSHEET_TOKEN') ?? '';
  if ((env('DATABASE_URL') ?? '') === '')
    throw new EngineError('USAGE', 'a worker needs a database that it shares with others', {
      hint: 'set DATABASE_URL to postgres://user:password@host:5432/name; one process alone needs only callsheet start',
    });
  if (metricsPort !== undefined && token === '')
    throw new EngineError('USAGE', 'metrics are shown to the holders of a token only, and there is none', {
      hint: 'set CALLSHEET_TOKEN, and send it as "Authorization: Bearer <token>"',
    });
  const stopped = nextStop(context);
  const app = await openProcessApp(context, {
    watch: false,
    role: 'worker',
    isCounted: metricsPort !== undefined,
    onOutdated: () => stopped.stop('outdated'),
  });
  try {
    logStore(context, app);
    await app.start();
    const { concurrency } = app.config.current().settings.runs;
    const pages = metricsPort === undefined ? undefined : await servePages(context, app, metricsPort, token);
    log.info('working', { concurrency, ...(pages && { metrics: `${pages.url}/metrics` }) });
    try {
      const reason = await stopped.promise;
      log.info('stopping', { reason });
      return exitCodeFor(reason);
    } finally {
      await pages?.close();
    }
  } finally {
    await app.close({ graceMs: WRITES_MS });
    stopped.done();
  }
}

async function servePages(
  { log, redactor }: CommandContext,
  app: App,
  port: number,
  token: string,
): Promise<HttpListener> {
  const { shared } = app.deps;
  const { metrics } = metricsOf(app, false);
  if (shared === undefined || metrics === undefined) throw new EngineError('INTERNAL', 'a worker counts what it does');
  hideToken(redactor, token);
  const { listenForWorker } = await import('../../../api/worker-server.ts');
  const isAlive = () => app.joined?.claims.isHeld(workerClaim(shared.worker)) === true;
  return listenForWorker({ version: readVersion(), isAlive, metrics, token, log }, { port });
}
