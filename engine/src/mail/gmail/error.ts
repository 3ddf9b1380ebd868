import { EngineError } from '../../base/error.ts';
import {
  type GoogleProblem,
  isTransient,
  isDisabled,
  isThrottled,
  NO_JSON,
  signInError,
} from '../../account/google/google-error.ts';

/** The account and request of an error. */
export interface GmailTarget {
  readonly accountId: string;
  readonly host: string;
  readonly scopes: readonly string[];
  /** The subject of a 404, where that is no problem of the account: `mail 18b0…`. */
  readonly resource?: string | undefined;
}

const DAILY = /^(dailyLimitExceeded|quotaExceeded)$/;

/** Codes of Node and OpenSSL for a certificate that cannot be trusted. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_)/;

/** Whether Gmail does not know the mail, thread or history id. */
export function isNotFound(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'NOT_FOUND';
}

/**
 * Converts a problem to an error that says what is wrong and what to do, with the problem as `cause`.
 * `ACCOUNT_GRANT_LOST` (Google refused a fresh token too), `ACCOUNT_SCOPE_MISSING` (names the scopes), `NOT_FOUND`
 * (where `resource` is given), else `ACCOUNT_FAILED`.
 */
export function gmailError(problem: GoogleProblem, target: GmailTarget): EngineError {
  const { status, reason } = problem;
  const { accountId, resource } = target;
  const cause = problem;
  const about = (what: string) => `account ${accountId}: ${what}`;
  const signIn = signInError(problem, target);
  if (signIn !== undefined) return signIn;
  // A 404 of a proxy says nothing about a mail.
  if (status === 404 && resource !== undefined && /^not_?found$/i.test(reason))
    return new EngineError('NOT_FOUND', about(`there is no ${resource} any more`), { cause });
  const [what, hint] = explain(problem, target);
  const retryable = isThrottled(problem) || isTransient(problem) || DAILY.test(reason) || isConnection(problem);
  return new EngineError('ACCOUNT_FAILED', about(what), { hint, retryable, cause });
}

function isConnection({ status, reason }: GoogleProblem): boolean {
  return status === 0 && !CERTIFICATE.test(reason);
}

function explain(problem: GoogleProblem, { host }: GmailTarget): readonly [what: string, hint: string] {
  const { status, reason, message, retryAfterMs, activationUrl } = problem;
  const detail = [reason, message].filter((text) => text !== '').join(': ') || `HTTP ${status}`;
  if (isThrottled(problem)) {
    const when = retryAfterMs === undefined ? '' : `, for ${Math.ceil(retryAfterMs / 1000)} s`;
    return [`Gmail asks to wait${when} (${detail})`, 'Callsheet tries again.'];
  }
  if (DAILY.test(reason))
    return [
      `the daily quota of the Google Cloud project is used up (${detail})`,
      'Callsheet tries again; see IAM & Admin, Quotas in the Google Cloud console.',
    ];
  if (isDisabled(problem))
    return [
      'the Gmail API is not enabled in the Google Cloud project of the client',
      `Enable it at ${activationUrl ?? 'https://console.cloud.google.com/apis/library/gmail.googleapis.com'}, and wait some minutes.`,
    ];
  if (reason === 'domainPolicy')
    return [
      'the administrator of the domain does not allow programs to use Gmail',
      'Ask the administrator to allow the client: Google Admin console, Security, API controls.',
    ];
  if (/mail service not enabled/i.test(message))
    return ['the signed-in Google account has no Gmail', 'Sign in with an address that has a mailbox at Google.'];
  if (status === 403) return [`Gmail refuses access (${detail})`, 'Check what the owner of the account allows.'];
  if (status === 404)
    return [`${host} does not know the request (${detail})`, 'Correct `endpoints.api`, or leave it out.'];
  if (status >= 500) return [`${host} cannot answer now (${detail})`, 'Callsheet tries again.'];
  if (status > 0) return [`${host} did not accept a request (${detail})`, 'If it continues, report it with this line.'];
  if (problem === NO_JSON)
    return [
      `${host} answered with something other than JSON`,
      'A proxy may answer in place of Google, or `endpoints.api` is wrong.',
    ];
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN')
    return [
      `the host ${host} is not known`,
      'Correct `endpoints.api`, or check whether this machine can resolve names.',
    ];
  if (reason === 'ECONNREFUSED')
    return [`nothing listens at ${host}`, 'Correct `endpoints.api`, or check whether a proxy blocks the connection.'];
  if (CERTIFICATE.test(reason))
    return [
      `the certificate of ${host} cannot be trusted (${reason})`,
      'Make Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ];
  return [`no answer from ${host} (${reason || message})`, 'Callsheet tries again.'];
}
