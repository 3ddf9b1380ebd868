import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import { EngineError, errorBody } from '../base/error.ts';
import { limitConnections, limitPipelines } from './connections.ts';

/** Time that open requests get to finish before their connections are closed. */
const DRAIN_MS = 2000;

/** Limits of connections and requests. Every program of this machine can connect, also without the token. */
export const LIMITS = {
  /** Connections at a time; a further one closes the oldest that never signed in. */
  maxConnections: 512,
  /** Of these, connections that never signed in. A browser opens six. */
  maxStrangers: 64,
  /** Open requests of one connection. Browsers send the next one after the answer. */
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
  /** `http://127.0.0.1:<port>`, for programs of this machine. */
  readonly url: string;
  readonly port: number;
  /** Ends the live streams, waits for open requests, and frees the port. */
  close(): Promise<void>;
}

/** Where to listen. Port 0 is any free port. Default: on 127.0.0.1. */
export interface ListenAddress {
  readonly port: number;
  readonly addresses?: readonly string[];
}

/**
 * Serves an application on each address, all with the same port; `closing` is aborted when the server closes. `CONFLICT` if the
 * port is in use, `FORBIDDEN` if the user may not open it, `USAGE` if an address is not one of this machine.
 */
export async function listenOn(
  { port, addresses = ['127.0.0.1'] }: ListenAddress,
  app: Koa,
  closing: AbortController,
  { maxConnections, maxStrangers, maxPipelined, headersMs, requestMs, checkMs }: Readonly<typeof LIMITS> = LIMITS,
): Promise<HttpListener> {
  const times = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs };
  const servers: Server[] = [];
  let bound = port;
  for (const host of addresses) {
    const server = createServer(times, limitPipelines(app.callback(), maxPipelined));
    limitConnections(server, { maxConnections, maxStrangers });
    try {
      server.listen({ port: bound, host, exclusive: true });
      await once(server, 'listening');
    } catch (cause) {
      closing.abort();
      for (const open of servers) open.close();
      throw portError(bound, host, cause);
    }
    servers.push(server);
    bound = portOf(server);
  }
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    async close() {
      closing.abort();
      await Promise.all(servers.map(drain));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new EngineError('INTERNAL', 'the server has no port');
  return address.port;
}

function portError(port: number, host: string, cause: unknown): EngineError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const hint = 'choose another port; --port 0 takes any free one';
  if (code === 'EADDRINUSE')
    return new EngineError('CONFLICT', `port ${port} is in use by another program`, { hint, cause });
  if (code === 'EACCES') return new EngineError('FORBIDDEN', `this user may not open port ${port}`, { hint, cause });
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
    return new EngineError('USAGE', `${host} is no address of this machine`, {
      hint: 'change "server.host" in the settings; 0.0.0.0 means all addresses',
      cause,
    });
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
