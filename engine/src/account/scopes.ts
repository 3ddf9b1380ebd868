/** Providers whose accounts need a sign-in, as the `provider` of an account spells them. */
export const CLOUD_PROVIDERS = ['gmail', 'outlook'] as const;

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

/** What is done in an account, each of which a person allows at sign-in. */
export type AccountUse =
  'read' | 'draft' | 'send' | 'label' | 'archive' | 'calendar read' | 'calendar add' | 'todo read' | 'todo add';

const GOOGLE = 'https://www.googleapis.com/auth/';

/**
 * The narrowest scopes that each use can do with, by blanks (https://developers.google.com/identity/protocols/oauth2/scopes,
 * https://learn.microsoft.com/graph/permissions-reference).
 */
const SCOPES: Readonly<Record<CloudProvider, Readonly<Record<AccountUse, string>>>> = {
  gmail: {
    'read': `${GOOGLE}gmail.readonly`,
    'draft': `${GOOGLE}gmail.compose`,
    // A mail goes out as a draft that is then sent, since Gmail sends no draft twice.
    'send': `${GOOGLE}gmail.compose`,
    'label': `${GOOGLE}gmail.modify`,
    'archive': `${GOOGLE}gmail.modify`,
    'calendar read': `${GOOGLE}calendar.events.readonly`,
    'calendar add': `${GOOGLE}calendar.events`,
    'todo read': `${GOOGLE}tasks.readonly`,
    'todo add': `${GOOGLE}tasks`,
  },
  outlook: {
    'read': 'Mail.Read',
    'draft': 'Mail.ReadWrite',
    // A mail goes out as a draft that is then sent: so it keeps its Message-ID, and is found after a broken answer.
    'send': 'Mail.ReadWrite Mail.Send',
    'label': 'Mail.ReadWrite',
    'archive': 'Mail.ReadWrite',
    'calendar read': 'Calendars.Read',
    'calendar add': 'Calendars.ReadWrite',
    'todo read': 'Tasks.Read',
    'todo add': 'Tasks.ReadWrite',
  },
};

/** What a scope allows besides itself, as `shortName` writes both. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  'mail.google.com': ['gmail.modify', 'gmail.compose', 'gmail.send', 'gmail.readonly'],
  'gmail.modify': ['gmail.compose', 'gmail.send', 'gmail.readonly'],
  'gmail.compose': ['gmail.send'],
  'calendar': ['calendar.events', 'calendar.events.readonly'],
  'calendar.readonly': ['calendar.events.readonly'],
  'calendar.events': ['calendar.events.readonly'],
  'tasks': ['tasks.readonly'],
  'mail.readwrite': ['mail.read'],
  'calendars.readwrite': ['calendars.read'],
  'tasks.readwrite': ['tasks.read'],
};

/** The scopes that some uses need, as few as possible: none that another of them covers. In the order of the alphabet. */
export function scopesFor(provider: CloudProvider, uses: Iterable<AccountUse>): readonly string[] {
  const wanted = [...new Set(Array.from(uses, (use) => SCOPES[provider][use].split(' ')).flat())];
  const isCovered = (scope: string) => wanted.some((other) => other !== scope && covers(other, scope));
  return wanted.filter((scope) => !isCovered(scope)).sort();
}

/** The wanted scopes that what was granted does not cover. */
export function missingScopes(granted: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((scope) => !granted.some((have) => covers(have, scope)));
}

/** As people and consoles name it: `gmail.readonly`, `Mail.Read`. */
export function scopeName(scope: string): string {
  return scope.replace(/\/$/, '').split('/').at(-1) ?? scope;
}

function covers(have: string, wanted: string): boolean {
  const [mine, its] = [shortName(have), shortName(wanted)];
  return mine === its || COVERS[mine]?.includes(its) === true;
}

/** Microsoft answers in another case, and with the address of Graph or without it. */
function shortName(scope: string): string {
  return scopeName(scope).toLowerCase();
}
