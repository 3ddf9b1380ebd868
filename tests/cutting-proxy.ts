import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What becomes of a connection when its client says COMMIT. */
export type Cut =
  /** The server gets it, the client never hears the answer. */
  | 'answer'
  /** The same, and nobody gets in any more. */
  | 'answer, and no more'
  /** The server never gets it, and sees the connection end. */
  | 'request'
  /** The same, and nobody gets in any more. */
  | 'request, and no more'
  /** The server never gets it, and believes that the client is still there. */
  | 'request, unnoticed'
  /** The server never gets it; nobody answers, and nothing is closed, as when a machine has lost power. */
  | 'silence';

/** A proxy on loopback before a PostgreSQL server, which cuts connections at the worst moment. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the next connection that commits. */
  cutNext(cut: Cut): void;
  /** Lets connections in again. */
  admit(): void;
  /** How many were cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  let next: Cut | undefined;
  let cuts = 0;
  let isShut = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isShut) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    }
    upstream.on('data', (bytes) => client.write(bytes)).on('close', () => client.destroy());
    let isUnnoticed = false;
    client.on('close', () => isUnnoticed || upstream.destroy());
    client.on('data', (bytes) => {
      const cut = bytes.includes('COMMIT\0') ? next : undefined;
      if (cut === undefined) return void upstream.write(bytes);
      next = undefined;
      cuts++;
      if (cut === 'silence') return void client.removeAllListeners('data').on('data', () => {});
      isUnnoticed = cut === 'request, unnoticed';
      isShut = cut.endsWith('no more');
      if (cut.startsWith('request')) return void client.destroy();
      upstream.removeAllListeners('data');
      // Its first answer means that it has committed.
      upstream.once('data', () => client.destroy());
      upstream.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutNext: (cut) => void (next = cut),
    admit: () => void (isShut = false),
    get cuts() {
      return cuts;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
