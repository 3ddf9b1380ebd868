import type { Services } from '../api/api.ts';
import { readLoginClient } from '../api/auth/login-client.ts';
import { LOCAL_ACCESS, readAccess } from '../api/http/read-access.ts';
import type { HttpListener } from '../api/listen.ts';
import { listen } from '../api/server.ts';
import { EngineError } from '../base/error.ts';
import { servicesOf } from './api-services.ts';
import type { App } from './app.ts';
import type { ProcessContext } from './process-context.ts';
import type { EncryptionSwitch } from './services/encryption.ts';

/** Ports tried above the one of the settings. */
const MORE_PORTS = 20;

export interface ServeOptions {
  /** 0 for any free port; undefined for the port of the settings, or the next free one above it. */
  readonly port: number | undefined;
  /** Undefined creates one. */
  readonly token?: string | undefined;
  /** True for a temporary server: its sessions end with it. */
  readonly isBrief?: boolean;
  /** Lets an admin encrypt the data folder from the viewer. */
  readonly encryption?: EncryptionSwitch | undefined;
}

/** The API and the viewer of an app. */
export interface AppServer extends HttpListener {
  /** Where browsers reach the server: the public address, or `url`. */
  readonly viewerUrl: string;
  /** Whether people sign in with Google, so that no link with the token has to be printed. */
  readonly hasLogin: boolean;
  readonly token: string;
  readonly version: string;
}

/**
 * Serves an app at the address of the settings; a temporary server on 127.0.0.1. `CONFLICT` if the port is in use, `FORBIDDEN` if
 * the user may not open it; `USAGE` as in `readAccess` and `readLoginClient`.
 */
export async function serveApp(
  app: App,
  context: Pick<ProcessContext, 'redactor' | 'env'>,
  { port, token, isBrief = false, encryption }: ServeOptions,
): Promise<AppServer> {
  const login = isBrief ? undefined : readLoginClient(context);
  const ways = { hasLogin: login !== undefined, hasToken: token !== undefined };
  const access = isBrief ? LOCAL_ACCESS : readAccess(app.config.current().settings.server, ways);
  const services = await servicesOf(app, context, token, { isBrief, login, access, env: context.env, encryption });
  const listener = await listenOnFreePort(services, port);
  if (!isBrief) app.answerLinks.listensOn(listener.port);
  const { version, sessions } = services;
  const viewerUrl = access.publicOrigin ?? listener.url;
  const close = async () => {
    await services.changes.end();
    await listener.close();
  };
  return { ...listener, close, viewerUrl, hasLogin: ways.hasLogin, token: sessions.token, version };
}

async function listenOnFreePort(services: Services, port: number | undefined): Promise<HttpListener> {
  if (port !== undefined) return listen(services, { port });
  const first = services.config.current().settings.server.port;
  // A proxy looks for the server at one port only.
  if (services.access.publicOrigin !== undefined) return listen(services, { port: first });
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
