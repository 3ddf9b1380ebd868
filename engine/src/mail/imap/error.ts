import { EngineError } from '../../base/error.ts';

/** What an error is about. */
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

/** True where the server has refused the user name or password, and not where it only cannot tell just now. */
export function isLoginRefused(error: unknown): boolean {
  return field(error, 'authenticationFailed') === true && isAnswer(error) && !isForNow(error);
}

/** Codes of answers that will be others soon (RFC 5530). */
const FOR_NOW = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'OVERQUOTA'];

/** True where a server has refused a question about one mail, and not because of how it stands with itself just now. */
export function isAboutMail(error: unknown): boolean {
  return isAnswer(error) && field(error, 'code') !== 'ETHROTTLE' && !isForNow(error);
}

function isAnswer(error: unknown): boolean {
  return ['NO', 'BAD'].includes(String(field(error, 'responseStatus')));
}

function isForNow(error: unknown): boolean {
  const [first] = [field(field(error, 'response'), 'attributes')].flat();
  const [section] = [field(first, 'section')].flat();
  const code = field(error, 'serverResponseCode') ?? field(section, 'value');
  return FOR_NOW.includes(String(code).toUpperCase());
}

/** What a server has said to it. */
export function serverText(error: unknown): string {
  return String(field(error, 'responseText') ?? field(error, 'reason') ?? '').slice(0, 200);
}

/** What went wrong with a server and what to do, as an `ACCOUNT_FAILED`. Errors of our own pass as they are. */
export function imapError(error: unknown, peer: ImapTarget): EngineError {
  if (error instanceof EngineError) return error;
  const [what, hint] = explain(error, peer);
  return new EngineError('ACCOUNT_FAILED', `account ${peer.accountId}: ${what}`, {
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
  const place = `${host}:${port}`;
  const said = serverText(error);
  if (isLoginRefused(error))
    return [
      `${place} does not accept the user name or the password of ${user}${said && ` ("${said}")`}`,
      'Check `auth`. Many providers want a password made for programs (an app password), and IMAP switched on.',
    ];
  if (field(error, 'mailboxMissing') === true)
    return [`there is no mailbox ${mailbox} on ${place}`, 'Correct `mailbox`; its name is as the server spells it.'];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return [`the host ${host} is not known`, 'Correct `imap.host`, or see whether this machine can look up names.'];
  if (code === 'ECONNREFUSED')
    return [`nothing listens at ${place}`, 'Correct `imap.port` (993 as a rule), or see whether the server runs.'];
  if (CERTIFICATE.test(code))
    return [
      `the certificate of ${place} cannot be trusted (${code})`,
      'Correct `imap.host`, or have Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ];
  if (secure && (code.startsWith('ERR_SSL_') || code === 'EPROTO'))
    return [
      `${place} does not begin with TLS (${code})`,
      'Set `imap.port` to 993; for a port such as 143 write `secure: false`, which goes over to TLS (STARTTLS).',
    ];
  if (field(error, 'tlsFailed') === true)
    return [
      `${place} offers no TLS, or none that could be set up`,
      'Use port 993 with `secure: true`. Only a server on this machine is asked without TLS.',
    ];
  if (/TIMEOUT|TIMEDOUT/.test(code)) return [`${place} does not answer (${code})`, 'It is tried again by itself.'];
  const why = said || code || (error instanceof Error ? error.message : String(error));
  return [`the connection to ${place} failed (${why})`, 'It is tried again by itself.'];
}

function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined;
}
