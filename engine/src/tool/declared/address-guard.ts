import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { EngineError } from '../../base/error.ts';
import type { ResolvedAddress, ResolveHost } from '../declared-tool.ts';

/** The resolver of the operating system. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });

/** Public addresses that serve the machine of a cloud provider: Azure's host. */
const SPECIAL: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address is on the internet: not loopback, private, link-local (such as 169.254.169.254, where clouds keep keys),
 * multicast or reserved, and no other spelling of such an IPv4 address in IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !SPECIAL.has(parsed.toString());
}

/** Whether a document lists the host of an address: by name, or by name and port. */
export function isListed({ host, hostname }: URL, allowHosts: readonly string[]): boolean {
  return allowHosts.some((allowed) => {
    const wanted = allowed.toLowerCase();
    return wanted === host || wanted === hostname || `[${wanted}]` === hostname;
  });
}

/**
 * The addresses that a connection to `url` may use. It must use one of these, since a second look-up may have another answer.
 * `TOOL_FAILED` if the host has none, or one that is not public, unless the host is listed.
 */
export async function permittedAddresses(
  url: URL,
  allowHosts: readonly string[],
  resolve: ResolveHost,
): Promise<readonly ResolvedAddress[]> {
  // A URL spells every IPv4 address in four decimal numbers: 0x7f.1 and 2130706433 are 127.0.0.1.
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(hostname)
    ? [{ address: hostname, family: ipaddr.parse(hostname).kind() === 'ipv6' ? 6 : 4 }]
    : await resolve(hostname).catch((cause: unknown) => {
        throw new EngineError('TOOL_FAILED', `the host ${hostname} was not found`, { retryable: true, cause });
      });
  if (addresses.length === 0) throw new EngineError('TOOL_FAILED', `the host ${hostname} has no address`);
  if (isListed(url, allowHosts)) return addresses;
  const refused = addresses.find(({ address }) => !isPublicAddress(address));
  if (refused === undefined) return addresses;
  throw new EngineError(
    'TOOL_FAILED',
    `${url.host} has the address ${refused.address}, which is not on the internet; it was not contacted`,
    { hint: `a person can add ${url.host} to allowHosts in the tool's file` },
  );
}
