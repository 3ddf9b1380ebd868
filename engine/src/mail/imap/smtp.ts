import { Readable } from 'node:stream';
import { type Abortable, orAbort } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { isLoopback } from '../../base/network-host.ts';
import type { Outgoing } from '../mailbox.ts';

/** An SMTP server for submission (RFC 6409). */
export interface SmtpServer {
  readonly accountId: string;
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS, which is optional only on this machine. */
  readonly secure: boolean;
  readonly user: string;
  /** Called for each connection. `ACCOUNT_FAILED` where there is no password. */
  readonly password: () => string;
}

/** Codes of Node and OpenSSL for a certificate that cannot be trusted. */
const CERTIFICATE =
  /CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET)_|HOSTNAME_MISMATCH|self-signed|certificate/;

/**
 * Sends a mail. Returns a note about refused recipients once the server accepted the mail for the others.
 * `MAIL_REFUSED` (retryable for a 4xx reply, as in greylisting), `MAIL_NOT_SENT` where the mail was not handed over,
 * `ACCOUNT_FAILED` where the server refused the login. After any other error the server may have the mail. Abort closes
 * the connection.
 */
export async function sendSmtp(
  server: SmtpServer,
  mail: Outgoing,
  { signal }: Abortable = {},
): Promise<{ readonly note?: string }> {
  signal?.throwIfAborted();
  const transport = await open(server);
  signal?.throwIfAborted();
  let hasBegun = false;
  // nodemailer reads the stream after the login: until then no byte of the mail was handed over.
  const raw = new Readable({
    read() {
      hasBegun = true;
      this.push(mail.mime);
      this.push(null);
    },
  });
  try {
    const sent = await transport.sendMail({
      envelope: { from: mail.from, to: [...mail.to] },
      raw,
      ...(signal !== undefined && { signal }),
    });
    const refused = (sent.rejectedErrors ?? []).map((error) => textOf(error));
    return refused.length === 0 ? {} : { note: `not delivered to ${sent.rejected.join(', ')}: ${refused.join('; ')}` };
  } catch (error) {
    signal?.throwIfAborted();
    throw smtpError(error, server, hasBegun);
  } finally {
    transport.close();
  }
}

/** Signs in and sends nothing. Errors as of `sendSmtp`. */
export async function verifySmtp(server: SmtpServer, { signal }: Abortable = {}): Promise<void> {
  signal?.throwIfAborted();
  const transport = await open(server);
  try {
    await orAbort(transport.verify(), signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw smtpError(error, server, false);
  } finally {
    transport.close();
  }
}

async function open({ host, port, secure, user, password }: SmtpServer) {
  const pass = password();
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ host, port, secure, requireTLS: !secure && !isLoopback(host), auth: { user, pass } },
    ...{ connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000, logger: false },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
}

/** Converts an error of nodemailer. `hasBegun`: the server may have the mail. */
function smtpError(error: unknown, server: SmtpServer, hasBegun: boolean): EngineError {
  if (error instanceof EngineError) return error;
  const { accountId, host, port, secure, user } = server;
  const address = `${host}:${port}`;
  const code = String(field(error, 'code') ?? '');
  // A reply to STARTTLS says nothing about the mail.
  const reply = code === 'ETLS' ? 0 : Number(field(error, 'responseCode') ?? 0);
  const fail = (
    what: string,
    hint: string,
    how: { code: 'ACCOUNT_FAILED' | 'MAIL_REFUSED' | 'MAIL_NOT_SENT'; retryable: boolean },
  ) => new EngineError(how.code, `account ${accountId}: ${what}`, { hint, retryable: how.retryable, cause: error });
  if (code === 'EAUTH' && (reply === 0 || reply >= 500))
    return fail(
      `${address} does not accept the user name or the password of ${user}`,
      'Check `auth`, or set `smtp.auth` where it differs. Many providers want an app password.',
      { code: 'ACCOUNT_FAILED', retryable: false },
    );
  if (reply >= 400 && reply < 500)
    return fail(
      `${address} does not accept the mail now (${textOf(error)})`,
      'Nothing was sent. Try again in some minutes.',
      {
        code: 'MAIL_REFUSED',
        retryable: true,
      },
    );
  if (reply >= 500)
    return fail(
      `${address} does not accept the mail (${textOf(error)})`,
      'Nothing was sent. Correct the cause that the server names.',
      {
        code: 'MAIL_REFUSED',
        retryable: false,
      },
    );
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    return fail(`${address}: ${textOf(error)}`, 'Nothing was sent.', { code: 'MAIL_REFUSED', retryable: false });
  const why = textOf(error);
  if (hasBegun)
    return new EngineError(
      'TOOL_OUTCOME_UNKNOWN',
      `account ${accountId}: the connection to ${address} was lost (${why})`,
      {
        hint: 'The server may have the mail.',
        cause: error,
      },
    );
  const hint = CERTIFICATE.test(`${code} ${why}`)
    ? 'Correct `smtp.host`, or make Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.'
    : code === 'ETLS'
      ? 'Use port 465 with `secure: true`, or a server that offers STARTTLS.'
      : `Check \`smtp.host\` and \`smtp.port\`: 465 ${secure ? '' : 'with `secure: true`, '}or 587 with \`secure: false\`.`;
  return fail(`${address} cannot be reached (${why})`, `Nothing was sent. ${hint}`, {
    code: 'MAIL_NOT_SENT',
    retryable: true,
  });
}

function textOf(error: unknown): string {
  const text = field(error, 'response') ?? (error instanceof Error ? error.message : error);
  return String(text).replace(/\s+/g, ' ').slice(0, 300);
}

function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined;
}
