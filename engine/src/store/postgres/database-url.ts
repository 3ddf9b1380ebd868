import { EngineError } from '../../base/error.ts';

/** URL parameters from which `pg` reads a password. */
const SECRET = ['password', 'sslpassword'];

/** Replaces the passwords of a URL by `***`, for display; undefined if it is not the URL of a PostgreSQL database. */
export function withoutPassword(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const shown = new URL(url);
  if (!/^postgres(?:ql)?:$/.test(shown.protocol)) return undefined;
  if (shown.password !== '') shown.password = '***';
  for (const name of SECRET) if (shown.searchParams.has(name)) shown.searchParams.set(name, '***');
  return shown.href;
}

/** The passwords in a database URL, percent-encoded and decoded, so that a redactor can hide them. */
export function passwordsIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const written = [password, ...SECRET.flatMap((name) => searchParams.getAll(name))].filter((text) => text !== '');
  return [...new Set(written.flatMap((text) => [text, decoded(text) ?? text]))];
}

/**
 * Throws `USAGE` if the text is not the URL of a PostgreSQL database, or if a `%` in it is not a valid
 * percent-encoding.
 */
export function checkUrl(url: string): void {
  const { username, password, pathname } = URL.canParse(url) ? new URL(url) : {};
  const isReadable = [username, password, pathname].every((text) => text !== undefined && decoded(text) !== undefined);
  // The message does not quote the text: a malformed URL may contain a password anywhere.
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
