import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

/** An error response of Graph, or a network error. */
export interface GraphProblem {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** `error.code` of the response, else Node's error code; `''` without one. */
  readonly code: string;
  /** First 300 characters of the message. */
  readonly message: string;
  readonly retryAfterMs?: number;
  /** `request-id` of the response, which Microsoft's support asks for. */
  readonly requestId?: string;
}

/** The account and the request of an error. */
export interface GraphTarget {
  readonly accountId: string;
  readonly host: string;
  readonly scopes: readonly string[];
}

/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504, 509]);

/** Codes of temporary problems of Graph and of Exchange, with any status. */
const PASSING_CODES = new Set([
  'ErrorMailboxMoveInProgress',
  'ErrorMailboxStoreUnavailable',
  'ErrorServerBusy',
  'ErrorInternalServerTransientError',
  'ErrorTimeoutExpired',
]);

/** Codes of a closed connection, as happens with a keep-alive connection. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The delta token is too old, or Graph has lost its state (Graph spells the code in several ways). */
const RESYNC = /^(resyncRequired|syncStateNotFound|syncStateInvalid|ErrorInvalidSyncStateData)$/i;

/** Codes of an id that is invalid or no longer exists, with any status. */
const NOT_THERE = new Set(['ErrorItemNotFound', 'ErrorInvalidId', 'ErrorInvalidIdMalformed', 'ErrorFolderNotFound']);

/** Codes of an item that Exchange can never return, although the status looks like a temporary problem. */
const BROKEN = /ConversionFailed$|^ErrorItemCorrupt$|^ErrorCorruptData$/;

/** Codes of accounts whose mailbox is not at Microsoft, or where Graph cannot reach it. */
const NO_MAILBOX =
  /^(MailboxNotEnabledForRESTAPI|MailboxNotSupportedForRESTAPI|MailboxNotHostedInExchangeOnline|ErrorNonExistentMailbox)$/;

/** Codes of a mail or attachment above the limits of the mailbox. */
const TOO_LARGE = /^Error(MessageSize|AttachmentSizeLimit)Exceeded$/;

/** Codes of Node and OpenSSL for a certificate that cannot be trusted. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_)/;

/** Reads the problem from an error response. `body` is parsed JSON, or any value. `nowMs` is the base of a Retry-After date. */
export function problemOfAnswer(
  status: number,
  headers: (name: string) => string | undefined,
  body: unknown,
  nowMs: number,
): GraphProblem {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const retryAfterMs = retryAfter(headers('retry-after'), nowMs);
  const requestId = headers('request-id');
  return {
    status,
    code: textOf(error['code']),
    message: textOf(error['message']).slice(0, 300),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Converts the error of a failed fetch to a problem. */
export function problemOfThrown(thrown: unknown): GraphProblem {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return { status: 0, code, message: (cause instanceof Error ? cause.message : String(cause)).slice(0, 300) };
}

/** True where the same request may succeed later. */
export function isPassing({ status, code }: GraphProblem): boolean {
  return PASSING.has(status) || PASSING_CODES.has(code) || (status === 0 && !CERTIFICATE.test(code));
}

/** True where a retry may succeed at once or soon, so that the request waits and retries. */
export function isTransient({ status, code }: GraphProblem): boolean {
  if (BROKEN.test(code)) return false;
  return PASSING.has(status) || PASSING_CODES.has(code) || CUT.has(code);
}

/** The problem that caused an `EngineError` of Graph; undefined for another error. */
export function problemOf(error: unknown): GraphProblem | undefined {
  const cause = error instanceof EngineError ? error.cause : undefined;
  return isRecord(cause) && typeof cause['status'] === 'number' && typeof cause['code'] === 'string'
    ? (cause as unknown as GraphProblem)
    : undefined;
}

/** True where a delta query must start again from the beginning. */
export function isResync(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== undefined && (problem.status === 410 || RESYNC.test(problem.code));
}

/** True where the error concerns only the requested item, and not the account: Exchange fails on it each time. */
export function isBroken(error: unknown): boolean {
  const problem = problemOf(error);
  return (
    problem !== undefined && (problem.status === 500 || BROKEN.test(problem.code)) && !PASSING_CODES.has(problem.code)
  );
}

/**
 * Converts a problem to an error that says what is wrong and what to do, with the problem as `cause`. `ACCOUNT_GRANT_LOST`
 * (Graph refused a fresh token too), `ACCOUNT_SCOPE_MISSING` (names the scopes), `NOT_FOUND`, `CONFLICT`, `TOO_LARGE`, else
 * `ACCOUNT_FAILED`.
 */
export function graphError(problem: GraphProblem, target: GraphTarget): EngineError {
  const { status, code, requestId } = problem;
  const details = [code, problem.message].filter(Boolean).join(': ') || `HTTP ${status}`;
  const error = accessError(problem, target, details) ?? itemError(problem, target, details);
  if (error !== undefined) return error;
  const [what, hint] = explain(problem, target, details);
  const message = requestId === undefined ? what : `${what} [request-id ${requestId}]`;
  return new EngineError('ACCOUNT_FAILED', about(target, message), {
    hint,
    retryable: isPassing(problem) || status === 410,
    cause: problem,
  });
}

/** The error of a sign-in or a mailbox that Graph does not accept; undefined for another problem. */
function accessError(problem: GraphProblem, target: GraphTarget, details: string): EngineError | undefined {
  const { status, code } = problem;
  const { accountId, host, scopes } = target;
  const cause = problem;
  if (status === 401)
    return new EngineError(
      'ACCOUNT_GRANT_LOST',
      about(target, `${host} does not accept the sign-in any more (${details})`),
      {
        hint: `Sign in again: callsheet accounts connect ${accountId}. In a national cloud all \`endpoints\` must belong to that cloud.`,
        cause,
      },
    );
  if (NO_MAILBOX.test(code))
    return new EngineError(
      'ACCOUNT_FAILED',
      about(target, `${host} has no mailbox for the signed-in account (${code})`),
      {
        hint: 'The mailbox is on a server of the organisation, has no licence, or does not exist yet: sign in to Outlook on the web once, or use `provider: imap`.',
        cause,
      },
    );
  if (code === 'ErrorSendAsDenied')
    return new EngineError(
      'ACCOUNT_FAILED',
      about(target, 'Outlook does not allow this mailbox to send as the address in From'),
      {
        hint: 'Correct `email` of the account, or ask its administrator for the right to send as that address.',
        cause,
      },
    );
  if (status !== 403 || PASSING_CODES.has(code) || /quota|exceeded/i.test(code)) return undefined;
  const message = about(target, `Microsoft refuses access (${details}); ${scopes.join(' and ')} is needed`);
  return new EngineError('ACCOUNT_SCOPE_MISSING', message, {
    hint: `Sign in again and agree to these permissions: callsheet accounts connect ${accountId}. In an organisation an administrator may have to agree first.`,
    cause,
  });
}

/** The error of a request for one item that is deleted, changed or too large; undefined for another problem. */
function itemError(problem: GraphProblem, target: GraphTarget, details: string): EngineError | undefined {
  const { status, code } = problem;
  const { host } = target;
  const cause = problem;
  if (status === 404 || NOT_THERE.has(code))
    return new EngineError('NOT_FOUND', about(target, `${host} no longer has the requested item (${details})`), {
      cause,
    });
  if (status === 409 || status === 412)
    return new EngineError('CONFLICT', about(target, `somebody changed the item at the same time (${details})`), {
      retryable: true,
      cause,
    });
  if (status === 413 || TOO_LARGE.test(code))
    return new EngineError('TOO_LARGE', about(target, `${host} does not take anything so large (${details})`), {
      hint: 'Microsoft accepts about 4 MB of text, and mails up to the size that the administrator of the mailbox allows (35 MB by default).',
      cause,
    });
  return undefined;
}

function about({ accountId }: GraphTarget, what: string): string {
  return `account ${accountId}: ${what}`;
}

function explain(
  { status, code, message }: GraphProblem,
  { host }: GraphTarget,
  details: string,
): readonly [string, string] {
  if (status === 429) return [`${host} asks to wait (${details})`, 'Callsheet tries again.'];
  if (status === 410)
    return [`the stored sync state of ${host} is too old (${details})`, 'Callsheet lists everything again.'];
  if (status === 0 && (code === 'ENOTFOUND' || code === 'EAI_AGAIN'))
    return [
      `the host ${host} is not known`,
      'Correct `endpoints.api`, or check whether this machine can resolve names.',
    ];
  if (status === 0 && code === 'ECONNREFUSED')
    return [`nothing listens at ${host}`, 'Correct `endpoints.api`, or check whether a proxy blocks the connection.'];
  if (CERTIFICATE.test(code))
    return [
      `the certificate of ${host} cannot be trusted (${code})`,
      'Make Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ];
  if (status === 0) return [`no answer from ${host} (${code || message})`, 'Callsheet tries again.'];
  if (/quota|exceeded/i.test(code)) return [`the mailbox is full (${details})`, 'Free some space in it.'];
  if (status >= 500) return [`${host} cannot answer now (${details})`, 'Callsheet tries again.'];
  return [`${host} did not accept a request (${details})`, 'If it continues, report it with this line.'];
}

/** Milliseconds to wait, from seconds or an HTTP date (RFC 9110 10.2.3). */
/** No pause is longer, whatever a server asks for. */
const MAX_RETRY_AFTER_MS = 3_600_000;

function retryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
