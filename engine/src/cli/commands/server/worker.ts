import type { HttpListener } from '../../../api/listen.ts';
import type { App } from '../../../app/app.ts';
import { openProcessApp } from '../../../app/process-app.ts';
import { EngineError } from '../../../base/error.ts';
import type { CommandContext } from '../../context.ts';
import { readToken } from './token.ts';
import { exitCodeFor, type NextStop, nextStop, logStore, WRITES_MS } from './start.ts';

interface WorkerOptions {
  /** Undefined serves no metrics. */
  readonly metricsPort?: number;
}

/**
 * `worker`: processes runs of the database of `DATABASE_URL` until a signal, together with any number of other processes. Needs
 * no config folder and no data folder: the database contains everything. Exit 0, 130 after Ctrl-C, 2 if it cannot start.
 */
export async function worker(context: CommandContext, { metricsPort }: WorkerOptions = {}): Promise<number> {
  const { env } = context;
  const token = readToken(context);
  if ((env('DATABASE_URL') ?? '') === '')
    throw new EngineError('USAGE', 'a worker needs a shared database', {
      hint: 'set DATABASE_URL to postgres://user:password@host:5432/name; a single process needs only callsheet start',
    });
  if (metricsPort !== undefined && token === undefined)
    throw new EngineError('USAGE', 'metrics need a token, and CALLSHEET_TOKEN is not set', {
      hint: 'set CALLSHEET_TOKEN, and send it as "Authorization: Bearer <token>"',
    });
  const stopped = nextStop(context);
  try {
    return await workUntil(stopped, context, metricsPort, token);
  } finally {
    stopped.done();
  }
}

async function workUntil(
  stopped: NextStop,
  context: CommandContext,
  metricsPort: number | undefined,
  token: string | undefined,
): Promise<number> {
  const { log } = context;
  const app = await openProcessApp(context, {
    watch: false,
    role: 'worker',
    isCounted: metricsPort !== undefined,
    onOutdated: () => stopped.stop('outdated'),
  });
  try {
    logStore(context, app);
    await app.start();
    app.memory.start();
    const { concurrency } = app.config.current().settings.runs;
    const server =
      metricsPort === undefined || token === undefined
        ? undefined
        : await serveMetrics(context, app, metricsPort, token);
    log.info('working', { concurrency, ...(server && { metrics: `${server.url}/metrics` }) });
    try {
      const reason = await stopped.promise;
      log.info('stopping', { reason });
      return exitCodeFor(reason);
    } finally {
      await server?.close();
    }
  } finally {
    await app.close({ graceMs: WRITES_MS });
  }
}

async function serveMetrics(context: CommandContext, app: App, port: number, token: string): Promise<HttpListener> {
  const { serveWorker } = await import('../../../app/serve-worker.ts');
  return serveWorker(app, context, { port, token });
}
