import { globTest } from '../../base/glob.ts';
import { isRecord } from '../../base/json.ts';
import { addressPattern, bareAddress } from './bare-address.ts';
import { type ArgumentPattern, THREAD } from './parse-rule.ts';
import { matchesWildcard } from './wildcard.ts';

/**
 * How a list of values matches. `every`, for what a rule permits: each value must match, and what cannot be read for certain
 * matches nothing. `some`, for what a rule asks about or forbids: one value is enough, and what cannot be read matches.
 */
export type MatchMode = 'every' | 'some';

/** What a match depends on beside rule and arguments. */
export interface MatchOptions {
  readonly mode: MatchMode;
  /** Names of the arguments of the tool that hold mail addresses. */
  readonly addresses?: readonly string[] | undefined;
  /** What `@thread` stands for, in small letters. Without it, `@thread` is nobody. */
  readonly participants?: ReadonlySet<string> | undefined;
}

type Found = 'yes' | 'no' | 'unclear';

/** Longest value that is compared as an address, a path or a URL. */
const MAX_VALUE = 10_000;
const PATH_NAME = /(?:^|_)(?:path|folder|dir|directory|file)$|(?:Path|Folder|Dir|Directory)$/;

/** Whether an argument matches its pattern. One that is missing, null or an empty list never does. */
export function matchesArgument(
  { name, pattern }: ArgumentPattern,
  args: Readonly<Record<string, unknown>>,
  options: MatchOptions,
): boolean {
  const value = valueAt(args, name);
  const values = Array.isArray(value) ? value.flat() : [value];
  const isEvery = options.mode === 'every';
  const found = values
    .filter((one) => isEvery || (one !== undefined && one !== null))
    .map((one) => matchValue(pattern, name, one, options));
  return found.length > 0 && (isEvery ? found.every((one) => one === 'yes') : found.some((one) => one !== 'no'));
}

function valueAt(args: Readonly<Record<string, unknown>>, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), args);
}

function matchValue(pattern: string, name: string, value: unknown, options: MatchOptions): Found {
  if (value === undefined || value === null) return 'no';
  if (typeof value === 'object') return 'unclear';
  const text = String(value);
  if (options.addresses?.includes(name) === true || /^[^/]*@/.test(pattern))
    return matchAddress(pattern, text, options);
  if (pattern.includes('://')) return matchUrl(pattern, text);
  if (pattern.includes('/') || PATH_NAME.test(name)) return matchPath(pattern, text, options);
  return options.mode === 'every' ? found(globTest(oneStar(pattern))(text)) : matchLoosely(pattern, text);
}

function matchAddress(pattern: string, text: string, { participants }: MatchOptions): Found {
  const address = text.length > MAX_VALUE ? undefined : bareAddress(text);
  if (address === undefined) return 'unclear';
  if (pattern === THREAD) return found(participants?.has(address) === true);
  return found(pattern === '*' || matchesWildcard(addressPattern(pattern), address, '@'));
}

function matchUrl(pattern: string, text: string): Found {
  if (text.length > MAX_VALUE || !URL.canParse(text)) return 'unclear';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'unclear';
  // Scheme and host have no letter case.
  const [head = '', ...rest] = pattern.split(/(?<=:\/\/[^/]*)(?=\/)/);
  return found(matchesWildcard(head.toLowerCase() + rest.join(''), url.href, '/'));
}

function matchPath(pattern: string, text: string, { mode }: MatchOptions): Found {
  const path = text.length > MAX_VALUE ? undefined : plainPath(text);
  if (path === undefined) return 'unclear';
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const wanted = plainPath(whole) ?? whole;
  if (mode === 'every') return found(matchesWildcard(wanted, path, '/'));
  return found(matchesWildcard(folded(wanted), folded(path), '/'));
}

/** A path without what does not change it: a slash at its begin or end, `.`, empty names. Undefined where it leads up. */
function plainPath(text: string): string | undefined {
  if (/[\\\p{C}]/u.test(text)) return undefined;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  return names.includes('..') ? undefined : names.join('/');
}

function matchLoosely(pattern: string, text: string): Found {
  return found(globTest(folded(oneStar(pattern)))(folded(text)));
}

/** In texts without folders `**` means the same as `*`. */
function oneStar(pattern: string): string {
  return pattern.replace(/\*+/g, '*');
}

/** Text in which letter case and the Unicode forms of a character make no difference. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function found(matches: boolean): Found {
  return matches ? 'yes' : 'no';
}
