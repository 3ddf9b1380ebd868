/**
 * The key that this page sends beside its cookie. A browser sends the cookie of 127.0.0.1 to every port of this machine, but a
 * server on another port cannot read this storage.
 */
const NAME = 'callsheet.key';

/** Header that carries the key. */
export const KEY_HEADER = 'X-Callsheet-Key';

/** The stored key; empty before the first sign-in. Read each time, since another tab may have signed in. */
export function pageKey(): string {
  return localStorage.getItem(NAME) ?? '';
}

/** Adds the key to an address that the browser itself requests: an event stream, a frame, a link. */
export function withKey(url: string): string {
  const key = pageKey();
  return key === '' ? url : `${url}${url.includes('?') ? '&' : '?'}key=${encodeURIComponent(key)}`;
}

/** Forgets the key, after a sign-out. */
export function dropKey(): void {
  localStorage.removeItem(NAME);
}

/**
 * Moves the key from the address (`/#key=…`, after the sign-in) to the storage, unless that has another one and the server does not
 * accept the new one. `/#key=…/runs/x` leads on to `#/runs/x`.
 */
export async function adoptKey(): Promise<void> {
  const [, key, place = ''] = /^#key=([\w-]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', place === '' ? '/' : `/#${place}`);
  const known = pageKey();
  if (known === key) return;
  // The first page need not wait: there is nothing to lose, and the next sign-in replaces a wrong key.
  if (known === '') {
    localStorage.setItem(NAME, key);
    return;
  }
  // Any page can link here: a key that is not of this session must not replace the right one.
  const answer = await fetch('/api/auth/whoami', { headers: { [KEY_HEADER]: key } }).catch(() => undefined);
  await answer?.text();
  if (answer?.ok === true) localStorage.setItem(NAME, key);
}
