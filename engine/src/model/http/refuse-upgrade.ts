import type { ClientRequest } from 'node:http';

/**
 * Lets a request fail that the server answers with another protocol (101). Without a listener Node closes such a connection and tells nobody:
 * there is neither a response nor an error, not even on abort.
 */
export function refuseUpgrade(request: ClientRequest, reject: (error: Error) => void): void {
  request.once('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new Error('the server changes to another protocol (101), which the request did not ask for'));
  });
}
