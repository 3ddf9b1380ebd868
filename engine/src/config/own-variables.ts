/** Beginnings of the names of Callsheet's own variables, and of those of the telemetry SDK (its headers hold keys). */
const PREFIXES = ['CALLSHEET_', 'VX_MAILAGENT_', 'OTEL_', 'GOOGLE_LOGIN_'] as const;
/** The database, and what its client reads by itself (libpq's names). */
const NAMES: ReadonlySet<string> = new Set([
  ...['DATABASE_URL', 'PGPASSWORD', 'PGPASSFILE', 'PGUSER', 'PGHOST', 'PGHOSTADDR', 'PGPORT', 'PGDATABASE'],
  ...['PGSERVICE', 'PGSERVICEFILE', 'PGSSLKEY', 'PGSSLPASSWORD'],
]);

/**
 * True for an environment variable that the engine reads for itself, such as its keys. Config must not name these as
 * `${env:NAME}`: a document could send them to any host. This is the only list; case does not count, because it does not
 * on Windows.
 */
export function isOwnVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
}
