import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

const signedIn = new WeakSet<Socket>();

/** Marks the connection of a signed-in request: it is not closed to make room for others. */
export function markSignedIn(connection: Socket): void {
  signedIn.add(connection);
}

/** Most open connections. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of these, connections that never signed in. */
  readonly maxStrangers: number;
}

/**
 * Limits the open connections of a server. A further one closes the oldest that never signed in, so that a program without
 * the token, which can open any number of connections, does not keep the owner out.
 */
export function limitConnections(server: Server, { maxConnections, maxStrangers }: ConnectionLimits): void {
  // A set keeps the order of arrival.
  const open = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    const strangers = [...open].filter((one) => !signedIn.has(one));
    if (open.size <= maxConnections && strangers.length <= maxStrangers) return;
    const [oldest = connection] = strangers;
    open.delete(oldest);
    oldest.destroy();
  });
}

/**
 * Wraps a listener to close a connection with more than `max` requests in work. One packet can carry a thousand requests, and
 * Node begins them all at once.
 */
export function limitPipelines(listener: RequestListener, max: number): RequestListener {
  const inWork = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // Node still announces the requests that it has parsed.
    if (socket.destroyed) return;
    const count = (inWork.get(socket) ?? 0) + 1;
    if (count > max) return void socket.destroy();
    inWork.set(socket, count);
    response.once('close', () => inWork.set(socket, (inWork.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
