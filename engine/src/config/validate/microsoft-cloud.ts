import type { OutlookAccount } from '../documents.gen.ts';
import type { Finding } from '../problem.ts';
import { NATIONAL_CLOUDS, WORLDWIDE } from '../provider-addresses.ts';

/**
 * Warns if an account signs in at one Microsoft cloud and uses Graph in another. Addresses outside these clouds (such as a
 * proxy) are not checked.
 */
export function checkCloud({ endpoints }: OutlookAccount): Finding[] {
  const { auth = WORLDWIDE.auth, api = WORLDWIDE.graphs[0] } = endpoints ?? {};
  const clouds = [WORLDWIDE, ...NATIONAL_CLOUDS];
  const signsIn = clouds.find((cloud) => isAt(auth, cloud.auth));
  const asks = clouds.find(({ graphs }) => graphs.some((graph) => isAt(api, graph)));
  if (signsIn === undefined || asks === undefined || signsIn === asks) return [];
  const message = `the sign-in (${hostOf(auth)}) and Graph (${hostOf(api)}) belong to different Microsoft clouds`;
  const [key, hint] =
    asks === WORLDWIDE
      ? ['api', `write \`api: ${signsIn.graphs.join('` or `api: ')}\``]
      : ['auth', `write \`auth: ${asks.auth}\``];
  return [{ code: 'CONFIG_TWO_CLOUDS', path: ['endpoints', key], message, hint }];
}

function isAt(address: string, root: string): boolean {
  return hostOf(address) === hostOf(root);
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
