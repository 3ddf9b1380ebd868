/** Providers with a sign-in, spelled as in `provider` of an account. */
export const CLOUD_PROVIDERS = ['gmail', 'outlook'] as const;

/** A provider with a sign-in. */
export type CloudProvider = (typeof CLOUD_PROVIDERS)[number];

/** Other names of a provider: `company` in messages, `route` in `/api/oauth2/<route>/initiate`. */
export const PROVIDER_NAMES: Readonly<Record<CloudProvider, { readonly company: string; readonly route: string }>> = {
  gmail: { company: 'Google', route: 'google' },
  outlook: { company: 'Microsoft', route: 'outlook' },
};

/** Whether accounts of this provider need a sign-in. */
export function isCloudProvider(provider: string): provider is CloudProvider {
  return Object.hasOwn(PROVIDER_NAMES, provider);
}

/** Operations on an account. A person allows each of them at sign-in. */
export type AccountUse =
  | 'read'
  | 'draft'
  | 'send'
  | 'label'
  | 'archive'
  | 'calendar list'
  | 'calendar read'
  | 'calendar add'
  | 'todo read'
  | 'todo add';

const GOOGLE = 'https://www.googleapis.com/auth/';

/**
 * The narrowest scopes for each use, separated by blanks
 * (https://developers.google.com/identity/protocols/oauth2/scopes,
 * https://learn.microsoft.com/graph/permissions-reference).
 */
const SCOPES: Readonly<Record<CloudProvider, Readonly<Record<AccountUse, string>>>> = {
  gmail: {
    'read': `${GOOGLE}gmail.readonly`,
    'draft': `${GOOGLE}gmail.compose`,
    // A mail is sent from a draft: Gmail never sends a draft twice.
    'send': `${GOOGLE}gmail.compose`,
    'label': `${GOOGLE}gmail.modify`,
    'archive': `${GOOGLE}gmail.modify`,
    'calendar list': `${GOOGLE}calendar.calendarlist.readonly`,
    'calendar read': `${GOOGLE}calendar.events.readonly`,
    'calendar add': `${GOOGLE}calendar.events`,
    'todo read': `${GOOGLE}tasks.readonly`,
    'todo add': `${GOOGLE}tasks`,
  },
  outlook: {
    'read': 'Mail.Read',
    'draft': 'Mail.ReadWrite',
    // A mail is sent from a draft: so it keeps its Message-ID, and can be found after a lost response.
    'send': 'Mail.ReadWrite Mail.Send',
    'label': 'Mail.ReadWrite',
    'archive': 'Mail.ReadWrite',
    'calendar list': 'Calendars.Read',
    'calendar read': 'Calendars.Read',
    'calendar add': 'Calendars.ReadWrite',
    'todo read': 'Tasks.Read',
    'todo add': 'Tasks.ReadWrite',
  },
};

/** Scopes that a scope includes, both as `shortName` spells them. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  'mail.google.com': ['gmail.modify', 'gmail.compose', 'gmail.send', 'gmail.readonly'],
  'gmail.modify': ['gmail.compose', 'gmail.send', 'gmail.readonly'],
  'gmail.compose': ['gmail.send'],
  'calendar': ['calendar.events', 'calendar.events.readonly', 'calendar.calendarlist.readonly'],
  'calendar.readonly': ['calendar.events.readonly', 'calendar.calendarlist.readonly'],
  'calendar.calendarlist': ['calendar.calendarlist.readonly'],
  'calendar.events': ['calendar.events.readonly'],
  'tasks': ['tasks.readonly'],
  'mail.readwrite': ['mail.read'],
  'calendars.readwrite': ['calendars.read'],
  'tasks.readwrite': ['tasks.read'],
};

/** The fewest scopes that cover the uses, in alphabetical order. A scope that another one covers is left out. */
export function scopesFor(provider: CloudProvider, uses: Iterable<AccountUse>): readonly string[] {
  const wanted = [...new Set(Array.from(uses, (use) => SCOPES[provider][use].split(' ')).flat())];
  const isCovered = (scope: string) => wanted.some((other) => other !== scope && covers(other, scope));
  return wanted.filter((scope) => !isCovered(scope)).sort();
}

/** The wanted scopes that the granted ones do not cover. */
export function missingScopes(granted: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((scope) => !granted.some((have) => covers(have, scope)));
}

/** Short name of a scope, as in the providers' consoles: `gmail.readonly`, `Mail.Read`. */
export function scopeName(scope: string): string {
  return scope.replace(/\/$/, '').split('/').at(-1) ?? scope;
}

function covers(have: string, wanted: string): boolean {
  const [mine, its] = [shortName(have), shortName(wanted)];
  return mine === its || COVERS[mine]?.includes(its) === true;
}

/** Microsoft changes the case of scopes, and adds or leaves out the address of Graph. */
function shortName(scope: string): string {
  return scopeName(scope).toLowerCase();
}
