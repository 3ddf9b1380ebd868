import type { OutlookAccount } from '../documents.gen.ts';
import type { Finding } from '../problem.ts';

/** A cloud of Microsoft's: a token of one is worth nothing in another. */
export interface MicrosoftCloud {
  /** Where people sign in. */
  readonly auth: string;
  /** Where Graph is, by default the first. */
  readonly graphs: readonly [string, ...string[]];
}

/** The cloud of everybody who names no other. */
export const WORLDWIDE: MicrosoftCloud = {
  auth: 'https://login.microsoftonline.com',
  graphs: ['https://graph.microsoft.com'],
};

/** https://learn.microsoft.com/graph/deployments */
export const NATIONAL_CLOUDS: readonly MicrosoftCloud[] = [
  {
    auth: 'https://login.microsoftonline.us',
    graphs: ['https://graph.microsoft.us', 'https://dod-graph.microsoft.us'],
  },
  { auth: 'https://login.partner.microsoftonline.cn', graphs: ['https://microsoftgraph.chinacloudapi.cn'] },
];

/** An account that signs in at one cloud and asks the Graph of another. Addresses of no cloud, as a proxy's, are taken as they are. */
export function checkCloud({ endpoints }: OutlookAccount): Finding[] {
  const { auth = WORLDWIDE.auth, api = WORLDWIDE.graphs[0] } = endpoints ?? {};
  const clouds = [WORLDWIDE, ...NATIONAL_CLOUDS];
  const signsIn = clouds.find((cloud) => isAt(auth, cloud.auth));
  const asks = clouds.find(({ graphs }) => graphs.some((graph) => isAt(api, graph)));
  if (signsIn === undefined || asks === undefined || signsIn === asks) return [];
  const message = `the sign-in is at ${hostOf(auth)} and Graph at ${hostOf(api)}: these are two different Microsoft clouds`;
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
