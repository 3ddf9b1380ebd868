import { EngineError } from '../../base/error.ts';

/** The server and account of an error. */
export interface ImapTarget {
  readonly accountId: string;
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string;
  readonly mailbox: string;
}

/** Codes of Node and OpenSSL for a certificate that cannot be trusted. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_|HOSTNAME_MISMATCH)/;

/** True where the server refused the user name or password, and not because of a temporary problem. */
export function isLoginRefused(error: unknown): boolean {
  return field(error, 'authenticationFailed') === true && isResponse(error) && !isTemporary(error);
}

/** Response codes of temporary problems (RFC 5530). */
const TEMPORARY = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'OVERQUOTA'];

/** True where the server refused a request about one mail, and not because of a temporary problem of its own. */
export function isAboutMail(error: unknown): boolean {
  return isResponse(error) && field(error, 'code') !== 'ETHROTTLE' && !isTemporary(error);
}

function isResponse(error: unknown): boolean {
  return ['NO', 'BAD'].includes(String(field(error, 'responseStatus')));
}

function isTemporary(error: unknown): boolean {
  const [first] = [field(field(error, 'response'), 'attributes')].flat();
  const [section] = [field(first, 'section')].flat();
  const code = field(error, 'serverResponseCode') ?? field(section, 'value');
  return TEMPORARY.includes(String(code).toUpperCase());
}

/** The text of the server's response. */
export function serverText(error: unknown): string {
  return String(field(error, 'responseText') ?? field(error, 'reason') ?? '').slice(0, 200);
}

/**
 * Converts an error of a server to an `ACCOUNT_FAILED` that says what is wrong and what to do. An `EngineError` passes
 * unchanged.
 */
export function imapError(error: unknown, target: ImapTarget): EngineError {
  if (error instanceof EngineError) return error;
  const [what, hint] = explain(error, target);
  return new EngineError('ACCOUNT_FAILED', `account ${target.accountId}: ${what}`, {
    hint,
    retryable: !isLoginRefused(error),
    cause: error,
  });
}

function explain(
  error: unknown,
  { host, port, secure, user, mailbox }: ImapTarget,
): readonly [what: string, hint: string] {
  const code = String(field(error, 'code') ?? '');
  const server = `${host}:${port}`;
  const text = serverText(error);
  if (isLoginRefused(error))
    return [
      `${server} does not accept the user name or the password of ${user}${text && ` ("${text}")`}`,
      'Check `auth`. Many providers want an app password, and IMAP switched on.',
    ];
  if (field(error, 'mailboxMissing') === true)
    return [
      `there is no mailbox ${mailbox} on ${server}`,
      'Correct `mailbox`; write its name as the server spells it.',
    ];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return [`the host ${host} is not known`, 'Correct `imap.host`, or check whether this machine can resolve names.'];
  if (code === 'ECONNREFUSED')
    return [`nothing listens at ${server}`, 'Correct `imap.port` (usually 993), or check whether the server runs.'];
  if (CERTIFICATE.test(code))
    return [
      `the certificate of ${server} cannot be trusted (${code})`,
      'Correct `imap.host`, or make Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ];
  if (secure && (code.startsWith('ERR_SSL_') || code === 'EPROTO'))
    return [
      `${server} does not begin with TLS (${code})`,
      'Set `imap.port` to 993; for a port such as 143 write `secure: false`, which switches to TLS with STARTTLS.',
    ];
  if (field(error, 'tlsFailed') === true)
    return [
      `${server} offers no TLS, or TLS cannot be set up`,
      'Use port 993 with `secure: true`. Callsheet connects without TLS only to a server on this machine.',
    ];
  if (/TIMEOUT|TIMEDOUT/.test(code)) return [`${server} does not answer (${code})`, 'Callsheet tries again.'];
  const why = text || code || (error instanceof Error ? error.message : String(error));
  return [`the connection to ${server} failed (${why})`, 'Callsheet tries again.'];
}

function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined;
}
