import type { OutlookAccount } from '../documents.gen.ts';
import type { Finding } from '../problem.ts';

/** The addresses of one Microsoft cloud. A token of one cloud is not valid in another. */
export interface MicrosoftCloud {
  /** Base URL of the sign-in. */
  readonly auth: string;
  /** Base URLs of Microsoft Graph; the first is the default. */
  readonly graphs: readonly [string, ...string[]];
}

/** The default cloud. */
export const WORLDWIDE: MicrosoftCloud = {
  auth: 'https://login.microsoftonline.com',
  graphs: ['https://graph.microsoft.com'],
};

/** The national clouds: https://learn.microsoft.com/graph/deployments */
export const NATIONAL_CLOUDS: readonly MicrosoftCloud[] = [
  {
    auth: 'https://login.microsoftonline.us',
    graphs: ['https://graph.microsoft.us', 'https://dod-graph.microsoft.us'],
  },
  { auth: 'https://login.partner.microsoftonline.cn', graphs: ['https://microsoftgraph.chinacloudapi.cn'] },
];

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
