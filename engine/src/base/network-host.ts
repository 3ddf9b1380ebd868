import { isIP } from 'node:net';

/** True where the host name of a URL is this machine: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Addresses of private networks (RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291 link-local). */
const PRIVATE_V4 = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
const PRIVATE_V6 = /^\[(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/;
/** An IPv4 address as a URL spells it; a host name may begin like one. */
const V4 = /^\d+\.\d+\.\d+\.\d+$/;
/** Names that exist only inside a network: RFC 6762, RFC 8375, ICANN's `internal`, and names without a dot. */
const INNER = /(^[a-z0-9_-]+|\.(local|home\.arpa|internal|lan))$/i;

/** True where the host name of a URL is this machine or, by its name, lies in a private network. */
export function isNearby(hostname: string): boolean {
  if (V4.test(hostname)) return isLoopback(hostname) || PRIVATE_V4.test(hostname);
  return isLoopback(hostname) || PRIVATE_V6.test(hostname) || INNER.test(hostname);
}

/**
 * The version of an IP address, 4 or 6; 0 for any other text. The first address that is not version 4 makes Node compile a pattern, which takes
 * five milliseconds, and the address of this machine is in the defaults of the settings.
 */
export function ipVersion(text: string): number {
  return text === '::1' ? 6 : isIP(text);
}

/** Whether an IP address, or the name `localhost`, is that by which this machine reaches itself. */
export function isLoopbackAddress(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
