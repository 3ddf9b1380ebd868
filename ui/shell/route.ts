import { computed, signal } from '@preact/signals';

/** The place in the viewer: a screen and ids. It is in the address after `#`, so that Back and links work. */
export interface Route {
  /** The `route` of a row in `screens.ts`. */
  readonly screen: string;
  readonly ids: readonly string[];
}

const hash = signal('');
const routes = signal<readonly string[]>([]);

/** Names that screens had before, for bookmarks and old links. */
const FORMER: Readonly<Record<string, string>> = { results: 'inbox' };

/** Reads `#/inbox/<mail>/<run>/<item>?view=done`. An unknown screen becomes the first of `known`. */
export function parseRoute(text: string, known: readonly string[]): Route {
  const [path = ''] = text.replace(/^#?\/?/, '').split('?');
  const [named = '', ...ids] = path.split('/');
  const first = FORMER[named] ?? named;
  const screen = known.includes(first) ? first : (known[0] ?? '');
  return { screen, ids: ids.filter((id) => id !== '').map(decode) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not a valid escape, for example a typed %.
    return text;
  }
}

/** The current place. */
export const route = computed(() => parseRoute(hash.value, routes.value));

/** What the address says after `?`, such as the filter of a list. */
export const routeQuery = computed(() => hash.value.split('?')[1] ?? '');

/** The ids in the address if this screen is open, else none. */
export const idsOn = (screen: string): readonly string[] => (route.value.screen === screen ? route.value.ids : []);

/** The address of a screen with ids, for links. */
export function hrefOf(screen: string, ...ids: readonly string[]): string {
  return `#/${[screen, ...ids.map(encodeURIComponent)].join('/')}`;
}

/**
 * Opens a screen. With `replace` it adds no entry to the browser's history, so that Back leaves a list at once. Without `query` the
 * address keeps what it says after `?`, as long as the screen stays the same.
 */
export function go(
  screen: string,
  ids: readonly string[] = [],
  { replace = false, query = screen === route.value.screen ? routeQuery.value : '' } = {},
): void {
  const href = `${hrefOf(screen, ...ids)}${query === '' ? '' : `?${query}`}`;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  hash.value = location.hash;
}

/** What a screen changes of its own address, perhaps late: `go` with `replace`, and nothing once another screen is open. */
export function amend(screen: string, ids: readonly string[], query = routeQuery.value): void {
  if (route.value.screen === screen) go(screen, ids, { replace: true, query });
}

/** Follows the address from now on; `known` are the routes of all screens. Returns a function that stops it. */
export function startRoute(known: readonly string[]): () => void {
  routes.value = known;
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
