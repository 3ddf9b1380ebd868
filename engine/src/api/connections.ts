import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const signedIn = new WeakSet<Socket>();

/** Marks the connection of a signed-in request: it is not closed to make room for others. */
export function markSignedIn(connection: Socket): void {
  signedIn.add(connection);
}

/**
 * Limits the open connections of a server. A further one closes the oldest that never signed in, so that a program without
 * the token, which can open any number of connections, does not keep the owner out.
 */
export function limitConnections(server: Server, max: number): void {
  // A set keeps the order of arrival.
  const open = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    if (open.size <= max) return;
    const oldest = [...open].find((one) => !signedIn.has(one)) ?? connection;
    open.delete(oldest);
    oldest.destroy();
  });
}
