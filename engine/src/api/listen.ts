import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import { EngineError, errorBody } from '../base/error.ts';
import { limitConnections, limitPipelines } from './connections.ts';

/** Time that open requests get to finish before their connections are closed. */
const DRAIN_MS = 2000;

/** What clients may hold open: any program of this machine can connect, also without the token. */
export const LIMITS = {
  /** Connections at a time; a further one closes the oldest that never signed in. */
  maxConnections: 512,
  /** Of these, connections that never signed in: browsers open six. */
  maxStrangers: 64,
  /** Requests of one connection that are in work at a time. Browsers wait for each answer. */
  maxPipelined: 4,
  /** Time for the head of a request, from the opening of the connection. */
  headersMs: 10_000,
  /** Time for a whole request: a body of 10 MB, also through a slow tunnel. */
  requestMs: 60_000,
  /** Interval in which both times are checked. */
  checkMs: 1000,
};

/** A listening server. */
export interface HttpListener {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Ends the live streams, waits for open requests, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves an application on 127.0.0.1; `closing` is aborted when the server closes. Port 0 is any free port. `CONFLICT` if the port
 * is in use, `FORBIDDEN` if the user may not open it.
 */
export async function listenOn(
  port: number,
  app: Koa,
  closing: AbortController,
  { maxConnections, maxStrangers, maxPipelined, headersMs, requestMs, checkMs }: Readonly<typeof LIMITS> = LIMITS,
): Promise<HttpListener> {
  const times = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs };
  const server = createServer(times, limitPipelines(app.callback(), maxPipelined));
  limitConnections(server, { maxConnections, maxStrangers });
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
  const hint = 'choose another port; --port 0 takes any free one';
  if (code === 'EADDRINUSE')
    return new EngineError('CONFLICT', `port ${port} is in use by another program`, { hint, cause });
  if (code === 'EACCES') return new EngineError('FORBIDDEN', `this user may not open port ${port}`, { hint, cause });
  return new EngineError('INTERNAL', `port ${port} cannot be opened: ${errorBody(cause).message}`, { hint, cause });
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Keep-alive connections stay open after their response: close them as soon as they are idle.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
