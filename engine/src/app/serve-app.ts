import type { Services } from '../api/api.ts';
import type { HttpListener } from '../api/listen.ts';
import { listen } from '../api/server.ts';
import { EngineError } from '../base/error.ts';
import { servicesOf } from './api-services.ts';
import type { App } from './app.ts';
import type { ProcessContext } from './process-context.ts';

/** Ports tried above the one of the settings. */
const MORE_PORTS = 20;

export interface ServeOptions {
  /** 0 for any free port; undefined for the port of the settings, or the next free one above it. */
  readonly port: number | undefined;
  /** Undefined creates one. */
  readonly token?: string | undefined;
  /** True for a temporary server: its sessions end with it. */
  readonly isBrief?: boolean;
}

/** The API and the viewer of an app, on a port of this machine. */
export interface AppServer extends HttpListener {
  readonly token: string;
  readonly version: string;
}

/** Serves an app on 127.0.0.1. `CONFLICT` if the port is in use, `FORBIDDEN` if the user may not open it. */
export async function serveApp(
  app: App,
  context: Pick<ProcessContext, 'redactor'>,
  { port, token, isBrief = false }: ServeOptions,
): Promise<AppServer> {
  const services = await servicesOf(app, context, token, { isBrief });
  const listener = await listenOnFreePort(services, port);
  return { ...listener, token: services.sessions.token, version: services.version };
}

async function listenOnFreePort(services: Services, port: number | undefined): Promise<HttpListener> {
  if (port !== undefined) return listen(services, { port });
  const first = services.config.current().settings.server.port;
  for (let tried = first; ; tried++) {
    try {
      return await listen(services, { port: tried });
    } catch (error) {
      const isTaken = error instanceof EngineError && error.code === 'CONFLICT';
      if (!isTaken || tried >= first + MORE_PORTS || tried >= 65_535) throw error;
      services.deps.log.info(`port ${tried} is in use; trying the next one`);
    }
  }
}
