import { EngineError } from '../../base/error.ts';

/**
 * Codes of PostgreSQL (appendix A of its manual) and of the network after which the same may work later, each with what a
 * person can do about it.
 */
const RETRYABLE: readonly (readonly [RegExp, string])[] = [
  [/^(40001|40P01|55P03|57014)$/, 'too many processes want the same rows; it is tried again'],
  [/^53100$/, 'the disk of the database server is full: make room there'],
  [
    /^(53300|57P03)$/,
    'the database server takes no more connections or is just starting: see max_connections, or wait',
  ],
  [/^53/, 'the database server lacks memory or other means: see its log'],
  [/^25006$/, 'the database is read-only: DATABASE_URL may name a standby, or the server was switched over'],
  [/^(57P0|25P0|08)/, 'the connection to the database was ended: see the log of the server'],
  [/^58/, 'the database server has trouble with its files: see its log'],
  [/^E(?!RR_)[A-Z_]+$/, 'check that the database server runs, and host and port in DATABASE_URL'],
];

/** What stays as it is until somebody changes something. */
const PERMANENT: readonly (readonly [RegExp, string])[] = [
  [
    /^28/,
    'the database server lets this user in neither so nor with this password: check DATABASE_URL and pg_hba.conf',
  ],
  [/^3D000$/, 'make the database (createdb), or name another one in DATABASE_URL'],
  [/^(42501|3F000)$/, 'GRANT CREATE, USAGE ON SCHEMA public TO the user of DATABASE_URL, or make that user the owner'],
  [
    /CERT|^ERR_(?:TLS|SSL)/,
    'name the authority of the certificate: ?sslmode=verify-full&sslrootcert=… in DATABASE_URL',
  ],
  [/^XX/, 'the database is damaged: see the log of the server, and put back a backup'],
];

/** What `pg` says, without a code, when a connection is gone or none is to be had. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout|Client was closed)/;

/** PostgreSQL's errors in our words: a taken key is a conflict, and what passes can be tried again. */
export function asPgError(cause: unknown, what: string): EngineError {
  if (cause instanceof EngineError) return cause;
  const code = codeOf(cause);
  const message = messageOf(cause);
  if (code === '23505') return new EngineError('STORE_CONFLICT', `exists already: ${message}`, { cause });
  const passing = isLost(cause) ? 'check that the database server runs and can be reached' : undefined;
  const hint = RETRYABLE.find(([pattern]) => pattern.test(code))?.[1] ?? passing;
  const lasting = PERMANENT.find(([pattern]) => pattern.test(code))?.[1] ?? 'run callsheet doctor';
  return new EngineError('STORE_FAILED', `${what}: ${message}`, {
    hint: hint ?? lasting,
    retryable: hint !== undefined,
    cause,
  });
}

/** True where the connection is gone, or none was to be had. */
export function isLost(cause: unknown): boolean {
  const code = codeOf(cause);
  return /^(57P0|08|E(?!RR_)[A-Z_]+$|25P03$)/.test(code) || (code === '' && LOST.test(messageOf(cause)));
}

/** True where two transactions were in each other's way, so that the same will work when it is tried again. */
export function isCollision(cause: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(cause));
}

function codeOf(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function messageOf(cause: unknown): string {
  // Where a name has several addresses, none of which answers, the reasons lie inside and the message is empty.
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
}
