/** Google's own addresses for a sign-in. */
export const GOOGLE = { auth: 'https://accounts.google.com', token: 'https://oauth2.googleapis.com' } as const;

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
