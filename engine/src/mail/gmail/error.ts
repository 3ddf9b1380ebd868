import { EngineError } from '../../base/error.ts';
import {
  type GoogleProblem,
  isTransient,
  isDisabled,
  isThrottled,
  NO_JSON,
  signInError,
} from '../../account/google/google-error.ts';

/** What an error is about. */
export interface GmailTarget {
  readonly accountId: string;
  readonly host: string;
  readonly scopes: readonly string[];
  /** What a 404 means, where it is no trouble with the account: `mail 18b0…`. */
  readonly resource?: string | undefined;
}

const DAILY = /^(dailyLimitExceeded|quotaExceeded)$/;

/** Codes of Node and OpenSSL for a certificate that cannot be trusted. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_)/;

/** Whether Gmail has no such mail, thread or place in its history. */
export function isNotFound(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'NOT_FOUND';
}

/**
 * What went wrong and what to do, with the problem as `cause`. `ACCOUNT_GRANT_LOST` (a fresh token was refused too),
 * `ACCOUNT_SCOPE_MISSING` (names the scopes), `NOT_FOUND` (where `thing` is given), else `ACCOUNT_FAILED`.
 */
export function gmailError(problem: GoogleProblem, peer: GmailTarget): EngineError {
  const { status, reason } = problem;
  const { accountId, resource } = peer;
  const cause = problem;
  const about = (what: string) => `account ${accountId}: ${what}`;
  const lost = signInError(problem, peer);
  if (lost !== undefined) return lost;
  // A proxy's own "not found" says nothing about a mail.
  if (status === 404 && resource !== undefined && /^not_?found$/i.test(reason))
    return new EngineError('NOT_FOUND', about(`there is no ${resource} any more`), { cause });
  const [what, hint] = explain(problem, peer);
  const retryable = isThrottled(problem) || isTransient(problem) || DAILY.test(reason) || isConnection(problem);
  return new EngineError('ACCOUNT_FAILED', about(what), { hint, retryable, cause });
}

function isConnection({ status, reason }: GoogleProblem): boolean {
  return status === 0 && !CERTIFICATE.test(reason);
}

function explain(problem: GoogleProblem, { host }: GmailTarget): readonly [what: string, hint: string] {
  const { status, reason, message, retryAfterMs, activationUrl } = problem;
  const said = [reason, message].filter((text) => text !== '').join(': ') || `HTTP ${status}`;
  if (isThrottled(problem)) {
    const when = retryAfterMs === undefined ? '' : `, for ${Math.ceil(retryAfterMs / 1000)} s`;
    return [`Gmail asks to wait${when} (${said})`, 'It is tried again by itself.'];
  }
  if (DAILY.test(reason))
    return [
      `the day's quota of the Google Cloud project is used up (${said})`,
      'It is tried again by itself; see IAM & Admin, Quotas in the Google Cloud console.',
    ];
  if (isDisabled(problem))
    return [
      'the Gmail API is not enabled in the Google Cloud project of the client',
      `Enable it at ${activationUrl ?? 'https://console.cloud.google.com/apis/library/gmail.googleapis.com'}, and wait some minutes.`,
    ];
  if (reason === 'domainPolicy')
    return [
      'the administrator of the domain does not let programs use Gmail',
      'Have the client allowed: Google Admin console, Security, API controls.',
    ];
  if (/mail service not enabled/i.test(message))
    return ['whoever has signed in has no Gmail', 'Sign in as an address with a mailbox at Google.'];
  if (status === 403) return [`Gmail refuses access (${said})`, 'See what the owner of the account allows.'];
  if (status === 404)
    return [`${host} does not know what it was asked for (${said})`, 'Correct `endpoints.api`, or leave it out.'];
  if (status >= 500) return [`${host} cannot answer now (${said})`, 'It is tried again by itself.'];
  if (status > 0) return [`${host} did not take a request (${said})`, 'If it stays so, report it with this line.'];
  if (problem === NO_JSON)
    return [
      `${host} answered with something that is no JSON`,
      'Something between here and Google may answer in its place: a proxy, or a wrong `endpoints.api`.',
    ];
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN')
    return [`the host ${host} is not known`, 'Correct `endpoints.api`, or see whether this machine can look up names.'];
  if (reason === 'ECONNREFUSED')
    return [`nothing listens at ${host}`, 'Correct `endpoints.api`, or see whether a proxy is in the way.'];
  if (CERTIFICATE.test(reason))
    return [
      `the certificate of ${host} cannot be trusted (${reason})`,
      'Have Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ];
  return [`no answer from ${host} (${reason || message})`, 'It is tried again by itself.'];
}
