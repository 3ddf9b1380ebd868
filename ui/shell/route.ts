import { computed, signal } from '@preact/signals';

/** The screens, in the order of their tabs. */
export const SCREENS = ['results', 'runs', 'diagnostics', 'approvals', 'todos', 'config'] as const;
export type Screen = (typeof SCREENS)[number];

/** Where the user is: a screen and the ids below it, kept in the address after `#`, so that Back and links work. */
export interface Route {
  readonly screen: Screen;
  readonly ids: readonly string[];
}

const hash = signal('');

/** Reads `#/results/<mail>/<run>/<item>`; what is not a screen is Results. */
export function parseRoute(text: string): Route {
  const [first, ...ids] = text.replace(/^#?\/?/, '').split('/');
  return { screen: SCREENS.find((s) => s === first) ?? 'results', ids: ids.filter((id) => id !== '').map(decode) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody typed a lone %: it names nothing.
    return text;
  }
}

/** Where the user is. */
export const route = computed(() => parseRoute(hash.value));

/** The address of a place, for links. */
export function hrefOf(screen: Screen, ...ids: readonly string[]): string {
  return `#/${[screen, ...ids.map(encodeURIComponent)].join('/')}`;
}

/** Goes to a place. Moving along a list replaces the address, so that Back leaves the list at once. */
export function go(screen: Screen, ids: readonly string[] = [], { replace = false } = {}): void {
  const href = hrefOf(screen, ...ids);
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  hash.value = location.hash;
}

/** Follows the address from now on. Returns what stops it. */
export function startRoute(): () => void {
  const read = () => {
    hash.value = location.hash;
  };
  read();
  addEventListener('hashchange', read);
  addEventListener('popstate', read);
  return () => {
    removeEventListener('hashchange', read);
    removeEventListener('popstate', read);
  };
}
