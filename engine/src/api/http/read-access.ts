import { BlockList } from 'node:net';
import { EngineError } from '../../base/error.ts';
import { ipVersion, isLoopbackAddress } from '../../base/network-host.ts';
import type { Settings } from '../../config/config.ts';
import type { Access } from '../access.ts';

/** Access to a server of this machine only, such as the temporary one of a command. */
export const LOCAL_ACCESS: Access = {
  addresses: ['127.0.0.1'],
  publicOrigin: undefined,
  isProduction: false,
  isProxy: () => false,
};

/** Who can sign in, for the check of the listening address. */
export interface SignInMethods {
  readonly hasLogin: boolean;
  /** Whether the user set a token. */
  readonly hasToken: boolean;
}

/**
 * Reads the settings of the server. `USAGE` if it would listen on another address than loopback without a public address, or
 * without a sign-in that outlives the process.
 */
export function readAccess(
  { host, publicUrl, proxies }: Settings['server'],
  { hasLogin, hasToken }: SignInMethods,
): Access {
  if (!isLoopbackAddress(host)) {
    if (publicUrl === undefined) throw refused(host, '"server.publicUrl"', 'set it to the address that browsers use');
    if (!hasLogin && !hasToken) {
      const hint = 'set GOOGLE_LOGIN_CLIENT_ID and GOOGLE_LOGIN_CLIENT_SECRET, or CALLSHEET_TOKEN';
      throw refused(host, 'a sign-in with Google or CALLSHEET_TOKEN', hint);
    }
  }
  const origin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return {
    addresses: addressesOf(host),
    publicOrigin: origin,
    isProduction: origin?.startsWith('https://') === true,
    isProxy: proxyCheck(proxies),
  };
}

function addressesOf(host: string): readonly string[] {
  if (host === '127.0.0.1' || host === 'localhost') return ['127.0.0.1'];
  return host === '0.0.0.0' || host === '::' ? [host] : ['127.0.0.1', host];
}

function refused(host: string, what: string, hint: string): EngineError {
  return new EngineError('USAGE', `"server.host" is ${host}, which other machines reach: this requires ${what}`, {
    hint,
  });
}

/** The config has checked that each entry is an address or a network. */
function proxyCheck(proxies: readonly string[]): Access['isProxy'] {
  const list = new BlockList();
  for (const entry of proxies) {
    const [address = '', bits] = entry.split('/');
    const isV6 = ipVersion(address) === 6;
    list.addSubnet(address, Number(bits ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4');
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    const version = ipVersion(plain);
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
}
