import type { IncomingMessage } from 'node:http';
import type { Access } from '../access.ts';

/**
 * Whether a request to the public address came by https. Only the proxy is believed (`X-Forwarded-Proto`), and of several values
 * the last one, which the nearest proxy wrote.
 */
export function isSecure(request: IncomingMessage, access: Access): boolean {
  if (!access.isProduction || !access.isProxy(peerOf(request))) return false;
  return lastOf(request.headers['x-forwarded-proto'])?.toLowerCase() === 'https';
}

/**
 * The address of the client: that of the connection, or, if that is the proxy, the last one in `X-Forwarded-For` that is no proxy.
 * An IPv6 address counts as its network of 64 bits, since one client has all addresses of it.
 */
export function clientOf(request: IncomingMessage, access: Access): string {
  const peer = peerOf(request);
  if (!access.isProduction || !access.isProxy(peer)) return networkOf(peer);
  const chain = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return networkOf(chain.findLast((address) => !access.isProxy(address)) ?? peer);
}

/** The address at the other end of the connection. */
export function peerOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? '';
}

function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim();
}

function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) {
    const after = tail.split(':').filter((group) => group !== '');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
