import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { connectHint } from '../oauth/oauth-error.ts';
import { scopeName } from '../scopes.ts';

/** An error response of Google, or a network error. Contains no token, so that it may be a `cause`. */
export interface GoogleProblem {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Google's `reason`: the older form (`rateLimitExceeded`) before the newer (`SERVICE_DISABLED`), else Node's error code. */
  readonly reason: string;
  /** First 300 characters of the message. */
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Address of the page where the owner of the project enables the API, from Google's response. */
  readonly activationUrl?: string;
}

/**
 * Reasons of a rate limit: Google did not run the request.
 * https://developers.google.com/workspace/gmail/api/guides/handle-errors
 */
const RATE =
  /^(rateLimitExceeded|userRateLimitExceeded|concurrentLimitExceeded|RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/;

/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** Codes of a closed connection, as happens with a keep-alive connection. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_SOCKET']);

/** A response that is not JSON, so not from Google: it says nothing about the requested data. */
export const NO_JSON: GoogleProblem = { status: 0, reason: 'NO_JSON', message: 'the response is not JSON' };

/** Converts an error of Google's library to a problem. `nowMs` is the base of a Retry-After date. */
export function problemOf(error: unknown, nowMs: number): GoogleProblem {
  const response = fieldOf(error, 'response');
  const status = Number(fieldOf(response, 'status') ?? 0);
  if (status === 0) {
    const cause = fieldOf(error, 'cause');
    const code = fieldOf(error, 'code') ?? fieldOf(cause, 'code') ?? '';
    return { status, reason: String(code), message: errorText(error) };
  }
  const body = fieldOf(response, 'data');
  const apiError = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const details = list(apiError['details']);
  const reasons = [...list(apiError['errors']), ...details].map((each) => each['reason']);
  const reason = reasons.find((each) => typeof each === 'string') ?? apiError['status'] ?? '';
  const message = typeof apiError['message'] === 'string' ? apiError['message'].slice(0, 300) : '';
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

/** True where Google refused the request because of a rate limit, and did not run it. */
export function isThrottled({ status, reason }: GoogleProblem): boolean {
  return status === 429 || (status === 403 && RATE.test(reason));
}

/** True where a retry may succeed soon. Google may have run the request nevertheless. */
export function isTransient({ status, reason }: GoogleProblem): boolean {
  return PASSING.has(status) || CUT.has(reason);
}

/** True where the API is not enabled in the Google Cloud project of the client. */
export function isDisabled({ status, reason }: GoogleProblem): boolean {
  return status === 403 && /^(accessNotConfigured|SERVICE_DISABLED)$/.test(reason);
}

/**
 * The error where only a new sign-in helps: `ACCOUNT_GRANT_LOST` (Google refused a fresh token too) or
 * `ACCOUNT_SCOPE_MISSING` (names the scopes); undefined for other problems.
 */
export function signInError(
  problem: GoogleProblem,
  { accountId, scopes }: { readonly accountId: string; readonly scopes: readonly string[] },
): EngineError | undefined {
  const { status, reason } = problem;
  if (status === 401)
    return new EngineError('ACCOUNT_GRANT_LOST', `account ${accountId}: Google no longer accepts its sign-in`, {
      hint: connectHint(accountId),
      cause: problem,
    });
  if (status !== 403 || !/^(insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/.test(reason)) return undefined;
  const names = scopes.map(scopeName).join(' and ');
  return new EngineError('ACCOUNT_SCOPE_MISSING', `account ${accountId}: at sign-in nobody allowed ${names}`, {
    hint: `sign in again and allow it: ${connectHint(accountId)}`,
    cause: problem,
  });
}

/** The problem that caused an `EngineError` of Google's APIs; undefined for another error. */
export function googleProblem(error: unknown): GoogleProblem | undefined {
  const cause = error instanceof EngineError ? error.cause : undefined;
  const isOurs = isRecord(cause) && typeof cause['status'] === 'number' && typeof cause['reason'] === 'string';
  return isOurs ? (cause as unknown as GoogleProblem) : undefined;
}

/** Milliseconds to wait, from seconds or a date (RFC 9110 10.2.3; Gmail writes ISO 8601 into its message). */
/** No pause is longer, whatever a server asks for. */
const MAX_RETRY_AFTER_MS = 3_600_000;

function retryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) : undefined;
}

function headerOf(response: unknown, name: string): string | undefined {
  const headers = fieldOf(response, 'headers');
  // The library has its own class of headers, which is not Node's.
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
