import { ipVersion, isLoopbackAddress } from '../../base/network-host.ts';
import type { Settings } from '../config.ts';
import type { Finding } from '../problem.ts';

/** Checks the address of the server: an address that other machines reach needs the address that browsers use. */
export function checkServer({ host, publicUrl, proxies }: Settings['server']): Finding[] {
  const found: Finding[] = [];
  const problem = (path: Finding['path'], message: string, hint: string) =>
    found.push({ code: 'CONFIG_VALUE', path: ['server', ...path], message, hint });
  if (host !== 'localhost' && ipVersion(host) === 0)
    problem(['host'], `"${host}" is not an IP address`, 'write an address such as 127.0.0.1 or 0.0.0.0');
  else if (!isLoopbackAddress(host) && publicUrl === undefined)
    problem(
      ['host'],
      `other machines reach ${host}, so "publicUrl" must say by which address`,
      'write publicUrl: https://desk.example.org beside it, or host: 127.0.0.1',
    );
  for (const [at, entry] of proxies.entries())
    if (!isNetwork(entry))
      problem(['proxies', at], `"${entry}" is neither an IP address nor a network`, 'write 172.18.0.0/16, for example');
  return found;
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = ipVersion(address);
  const most = version === 6 ? 128 : 32;
  return version !== 0 && more.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most));
}
