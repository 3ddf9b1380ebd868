import { EngineError } from '../../base/error.ts';
import { invalidRow } from '../invalid-row.ts';

/**
 * Retryable errors: codes of PostgreSQL (appendix A of its manual) and of the network, each with a hint for the
 * operator.
 */
const RETRYABLE: readonly (readonly [RegExp, string])[] = [
  [/^(40001|40P01|55P03|57014)$/, 'too many processes change the same rows; Callsheet tries again'],
  [/^53100$/, 'the disk of the database server is full: free some space there'],
  [/^(53300|57P03)$/, 'the database server accepts no more connections or is starting: check max_connections, or wait'],
  [/^53/, 'the database server lacks memory or another resource: see its log'],
  [/^25006$/, 'the database is read-only: DATABASE_URL may name a standby, or the server has become one'],
  [/^(57P0|25P0|08)/, 'the connection to the database was closed: see the log of the server'],
  [/^58/, 'the database server cannot read or write its files: see its log'],
  [/^E(?!RR_)[A-Z_]+$/, 'check that the database server runs, and check host and port in DATABASE_URL'],
];

/** Errors that persist until somebody changes the configuration or the server. */
const PERMANENT: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'the database server refuses this user or password: check DATABASE_URL and pg_hba.conf'],
  [/^3D000$/, 'create the database (createdb), or name another one in DATABASE_URL'],
  [/^(42501|3F000)$/, 'GRANT CREATE, USAGE ON SCHEMA public TO the user of DATABASE_URL, or make that user the owner'],
  [
    /CERT|^ERR_(?:TLS|SSL)/,
    'name the authority of the certificate: ?sslmode=verify-full&sslrootcert=… in DATABASE_URL',
  ],
  [/^XX/, 'the database is damaged: see the log of the server, and restore a backup'],
];

/** Codes for a value that a column cannot hold, for one that is missing, and for a row or a key that is too large. */
const INVALID = /^(22|54|23502$)/;

/** Messages of `pg` without a code, for a lost connection or a failed attempt to connect. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout|Client was closed)/;

/**
 * Converts an error of PostgreSQL or the network: `STORE_CONFLICT` for a key that exists already, `STORE_INVALID` for a value that
 * a column cannot hold, otherwise `STORE_FAILED`, marked retryable for errors that may pass. `what` says what failed.
 */
export function asPgError(cause: unknown, what: string): EngineError {
  if (cause instanceof EngineError) return cause;
  const code = codeOf(cause);
  const message = messageOf(cause);
  if (code === '23505') return new EngineError('STORE_CONFLICT', `exists already: ${message}`, { cause });
  if (INVALID.test(code)) return invalidRow(what, cause);
  if (/^XX00[12]$/.test(code))
    return new EngineError('STORE_DAMAGED', `${what}: ${message}`, {
      hint: 'the database is damaged: see the log of the server, and restore a backup',
      cause,
    });
  const passing = isLost(cause) ? 'check that the database server runs and can be reached' : undefined;
  const hint = RETRYABLE.find(([pattern]) => pattern.test(code))?.[1] ?? passing;
  const lasting = PERMANENT.find(([pattern]) => pattern.test(code))?.[1] ?? 'run callsheet doctor';
  return new EngineError('STORE_FAILED', `${what}: ${message}`, {
    hint: hint ?? lasting,
    retryable: hint !== undefined,
    cause,
  });
}

/** True if the connection was lost or could not be opened. */
export function isLost(cause: unknown): boolean {
  const code = codeOf(cause);
  return /^(57P0|08|E(?!RR_)[A-Z_]+$|25P03$)/.test(code) || (code === '' && LOST.test(messageOf(cause)));
}

/** True for a lost connection, and for a server that refuses for now, such as one that has no connection free. */
export function isPassing(cause: unknown): boolean {
  return asPgError(cause, '').retryable;
}

/**
 * True for a serialization failure or a deadlock between two transactions: the same transaction may succeed if tried
 * again.
 */
export function isCollision(cause: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(cause));
}

/** True if the server has not yet given a transaction the id that it was asked about. */
export function isFutureId(cause: unknown): boolean {
  return codeOf(cause) === '22023';
}

function codeOf(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function messageOf(cause: unknown): string {
  // If a host name has several addresses and none answers, the reasons are in `errors` and the message is empty.
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
}
