import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { connectHint } from '../../provider/oauth-error.ts';
import { scopeName } from '../../provider/scopes.ts';

/** What Gmail said, or what kept it from saying anything. Holds no token, so that it may be a `cause`. */
export interface GmailProblem {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Google's `reason`, the older one (`rateLimitExceeded`) before the newer (`SERVICE_DISABLED`), else the code of Node. */
  readonly reason: string;
  /** First 300 characters. */
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Where the owner of the project switches the API on, as Google says. */
  readonly activationUrl?: string;
}

/** What an error is about. */
export interface GmailPeer {
  readonly accountId: string;
  readonly host: string;
  readonly scopes: readonly string[];
  /** What a 404 means, where it is no trouble with the account: `mail 18b0…`. */
  readonly thing?: string | undefined;
}

/** Refused for being too many, and not done; https://developers.google.com/workspace/gmail/api/guides/handle-errors */
const RATE =
  /^(rateLimitExceeded|userRateLimitExceeded|concurrentLimitExceeded|RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/;
const DAILY = /^(dailyLimitExceeded|quotaExceeded)$/;
const SCOPE = /^(insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/;
const DISABLED = /^(accessNotConfigured|SERVICE_DISABLED)$/;

/** Answers after which the same request may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** A connection that ended, as happens to one that was kept open. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_SOCKET']);

/** Codes of Node and OpenSSL for a certificate that cannot be trusted. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_)/;

/** The problem behind an error of Google's library. */
export function problemOf(error: unknown, nowMs: number): GmailProblem {
  const response = fieldOf(error, 'response');
  const status = Number(fieldOf(response, 'status') ?? 0);
  if (status === 0) {
    const cause = fieldOf(error, 'cause');
    const code = fieldOf(error, 'code') ?? fieldOf(cause, 'code') ?? '';
    return { status, reason: String(code), message: errorText(error) };
  }
  const body = fieldOf(response, 'data');
  const said = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const details = list(said['details']);
  const reasons = [...list(said['errors']), ...details].map((each) => each['reason']);
  const reason = reasons.find((each) => typeof each === 'string') ?? said['status'] ?? '';
  const message = typeof said['message'] === 'string' ? said['message'].slice(0, 300) : '';
  const activationUrl = details
    .map(({ metadata }) => (isRecord(metadata) ? metadata['activationUrl'] : undefined))
    .find((url) => typeof url === 'string' && /^https:\/\/console\.[a-z.]*google\.com\//.test(url));
  const retryAfterMs = retryAfter(headerOf(response, 'retry-after') ?? / Retry after (\S+)/i.exec(message)?.[1], nowMs);
  return {
    ...{ status, reason: String(reason), message },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(typeof activationUrl === 'string' && { activationUrl }),
  };
}

/** Whether a request was refused, and not done, for being one too many. */
export function isRefusedForNow({ status, reason }: GmailProblem): boolean {
  return status === 429 || (status === 403 && RATE.test(reason));
}

/** Whether it may succeed in a moment, and may have been done all the same. */
export function isBrief({ status, reason }: GmailProblem): boolean {
  return PASSING.has(status) || CUT.has(reason);
}

/** What an `EngineError` of Gmail is about, or undefined for another error. */
export function gmailProblem(error: unknown): GmailProblem | undefined {
  const cause = error instanceof EngineError ? error.cause : undefined;
  const isOurs = isRecord(cause) && typeof cause['status'] === 'number' && typeof cause['reason'] === 'string';
  return isOurs ? (cause as unknown as GmailProblem) : undefined;
}

/** Whether Gmail has no such mail, thread or place in its history. */
export function isNotFound(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'NOT_FOUND';
}

/**
 * What went wrong and what to do, with the problem as `cause`. `ACCOUNT_GRANT_LOST` (a fresh token was refused too),
 * `ACCOUNT_SCOPE_MISSING` (names the scopes), `NOT_FOUND` (where `thing` is given), else `ACCOUNT_FAILED`.
 */
export function gmailError(problem: GmailProblem, peer: GmailPeer): EngineError {
  const { status, reason } = problem;
  const { accountId, thing } = peer;
  const cause = problem;
  const about = (what: string) => `account ${accountId}: ${what}`;
  if (status === 401)
    return new EngineError('ACCOUNT_GRANT_LOST', about('Google does not take its sign-in any more'), {
      hint: connectHint(accountId),
      cause,
    });
  if (status === 403 && SCOPE.test(reason))
    return new EngineError(
      'ACCOUNT_SCOPE_MISSING',
      about(`at sign-in nobody allowed ${peer.scopes.map(scopeName).join(' and ')}`),
      { hint: `sign in again and allow it: ${connectHint(accountId)}`, cause },
    );
  // A proxy's own "not found" says nothing about a mail.
  if (status === 404 && thing !== undefined && /^not_?found$/i.test(reason))
    return new EngineError('NOT_FOUND', about(`there is no ${thing} any more`), { cause });
  const [what, hint] = explain(problem, peer);
  const retryable = isRefusedForNow(problem) || PASSING.has(status) || DAILY.test(reason) || isConnection(problem);
  return new EngineError('ACCOUNT_FAILED', about(what), { hint, retryable, cause });
}

function isConnection({ status, reason }: GmailProblem): boolean {
  return status === 0 && !CERTIFICATE.test(reason);
}

function explain(problem: GmailProblem, { host }: GmailPeer): readonly [what: string, hint: string] {
  const { status, reason, message, retryAfterMs, activationUrl } = problem;
  const said = [reason, message].filter((text) => text !== '').join(': ') || `HTTP ${status}`;
  if (isRefusedForNow(problem)) {
    const when = retryAfterMs === undefined ? '' : `, for ${Math.ceil(retryAfterMs / 1000)} s`;
    return [`Gmail asks to wait${when} (${said})`, 'It is tried again by itself.'];
  }
  if (DAILY.test(reason))
    return [
      `the day's quota of the Google Cloud project is used up (${said})`,
      'It is tried again by itself; see IAM & Admin, Quotas in the Google Cloud console.',
    ];
  if (DISABLED.test(reason))
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

/** Seconds, or a date (RFC 9110 10.2.3, and the ISO 8601 that Gmail writes into its message). */
function retryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function headerOf(response: unknown, name: string): string | undefined {
  const headers = fieldOf(response, 'headers');
  // The library's own class of headers is not that of Node.
  const get = fieldOf(headers, 'get');
  const value: unknown = typeof get === 'function' ? get.call(headers, name) : fieldOf(headers, name);
  return typeof value === 'string' ? value : undefined;
}

function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

function list(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}
