import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import { EngineError, errorBody } from '../base/error.ts';

/** Time that open requests get to end before their connections are cut. */
const DRAIN_MS = 2000;

/** A server that takes requests. */
export interface HttpListener {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Ends the live streams, lets open requests end, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves an application on this machine only; `closing` is aborted when it ends. Port 0 takes a free one. `CONFLICT` where the
 * port is taken, `FORBIDDEN` where it is not ours to take.
 */
export async function listenOn(port: number, app: Koa, closing: AbortController): Promise<HttpListener> {
  const server = createServer(app.callback());
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
  const hint = 'name another one; port 0 (--port 0) is any that is free';
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
