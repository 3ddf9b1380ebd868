import { EngineError } from '../../base/error.ts';

/** Names of parameters that `pg` takes a password from. */
const SECRET = ['password', 'sslpassword'];

/** The URL without its password, to be shown; undefined where it is no URL of a PostgreSQL database. */
export function withoutPassword(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const shown = new URL(url);
  if (!/^postgres(?:ql)?:$/.test(shown.protocol)) return undefined;
  if (shown.password !== '') shown.password = '***';
  for (const name of SECRET) if (shown.searchParams.has(name)) shown.searchParams.set(name, '***');
  return shown.href;
}

/** Passwords in a text that should be the URL of a database, as they are written there and as they are: never to be shown. */
export function passwordsIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const written = [password, ...SECRET.flatMap((name) => searchParams.getAll(name))].filter((text) => text !== '');
  return [...new Set(written.flatMap((text) => [text, decoded(text) ?? text]))];
}

/** `USAGE` where it is no URL of a PostgreSQL database, or one with a `%` that stands for nothing. */
export function checkUrl(url: string): void {
  const { username, password, pathname } = URL.canParse(url) ? new URL(url) : {};
  const isReadable = [username, password, pathname].every((text) => text !== undefined && decoded(text) !== undefined);
  // The text itself is not shown: it may hold a password wherever it is wrong.
  if (withoutPassword(url) === undefined || !isReadable)
    throw new EngineError('USAGE', 'the address of the database is not a postgres:// URL', {
      hint: 'DATABASE_URL=postgres://user:password@host:5432/name; write %25 for a % in the password, %40 for an @, %2F for a /',
    });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
