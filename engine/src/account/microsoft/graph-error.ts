import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

/** What Graph said, or what kept it from saying anything. */
export interface GraphProblem {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** `error.code` of the answer, else the code of Node; `''` where there is none. */
  readonly code: string;
  /** First 300 characters. */
  readonly message: string;
  readonly retryAfterMs?: number;
  /** What support at Microsoft asks for. */
  readonly requestId?: string;
}

/** What an error is about. */
export interface GraphTarget {
  readonly accountId: string;
  readonly host: string;
  readonly scopes: readonly string[];
}

/** Answers after which the same request may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504, 509]);

/** Codes of Graph and of Exchange behind it that pass by themselves, whatever status they come with. */
const PASSING_CODES = new Set([
  'ErrorMailboxMoveInProgress',
  'ErrorMailboxStoreUnavailable',
  'ErrorServerBusy',
  'ErrorInternalServerTransientError',
  'ErrorTimeoutExpired',
]);

/** A connection that ended, as happens to one that was kept open. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The place of a delta query is too old, or was lost there (Graph spells it in several ways). */
const RESYNC = /^(resyncRequired|syncStateNotFound|syncStateInvalid|ErrorInvalidSyncStateData)$/i;

/** Names that are no id, or no id any more, whatever status they come with. */
const NOT_THERE = new Set(['ErrorItemNotFound', 'ErrorInvalidId', 'ErrorInvalidIdMalformed', 'ErrorFolderNotFound']);

/** What Exchange cannot give out, however often it is asked, though it answers as if it were its own trouble. */
const BROKEN = /ConversionFailed$|^ErrorItemCorrupt$|^ErrorCorruptData$/;

/** Accounts whose mail is not at Microsoft, or not where Graph reaches it. */
const NO_MAILBOX =
  /^(MailboxNotEnabledForRESTAPI|MailboxNotSupportedForRESTAPI|MailboxNotHostedInExchangeOnline|ErrorNonExistentMailbox)$/;

/** More than the mailbox lets anybody attach or send. */
const TOO_LARGE = /^Error(MessageSize|AttachmentSizeLimit)Exceeded$/;

/** Certificates that cannot be trusted. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_)/;

/** The problem that an answer tells of; `body` is parsed JSON, or anything. */
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

/** The problem behind a fetch that threw. */
export function problemOfThrown(thrown: unknown): GraphProblem {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return { status: 0, code, message: (cause instanceof Error ? cause.message : String(cause)).slice(0, 300) };
}

/** Whether the same request may succeed later. */
export function isPassing({ status, code }: GraphProblem): boolean {
  return PASSING.has(status) || PASSING_CODES.has(code) || (status === 0 && !CERTIFICATE.test(code));
}

/** Whether it may succeed at once or in a moment, so that it is worth waiting for. */
export function isTransient({ status, code }: GraphProblem): boolean {
  if (BROKEN.test(code)) return false;
  return PASSING.has(status) || PASSING_CODES.has(code) || CUT.has(code);
}

/** What an `EngineError` of Graph is about, or undefined for another error. */
export function problemOf(error: unknown): GraphProblem | undefined {
  const cause = error instanceof EngineError ? error.cause : undefined;
  return isRecord(cause) && typeof cause['status'] === 'number' && typeof cause['code'] === 'string'
    ? (cause as unknown as GraphProblem)
    : undefined;
}

/** Whether an error says that a delta query has to begin anew. */
export function isResync(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== undefined && (problem.status === 410 || RESYNC.test(problem.code));
}

/** Whether an error is about the one thing that was asked for, and not about the account: Exchange fails at it again and again. */
export function isBroken(error: unknown): boolean {
  const problem = problemOf(error);
  return (
    problem !== undefined && (problem.status === 500 || BROKEN.test(problem.code)) && !PASSING_CODES.has(problem.code)
  );
}

/**
 * What went wrong and what to do, with the problem as `cause`. `ACCOUNT_GRANT_LOST` (a fresh token was refused too),
 * `ACCOUNT_SCOPE_MISSING` (names the scopes), `NOT_FOUND`, `CONFLICT`, `TOO_LARGE`, else `ACCOUNT_FAILED`.
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
        hint: `Sign in again: callsheet accounts connect ${accountId}. In a national cloud all of \`endpoints\` have to be its own.`,
        cause,
      },
    );
  if (NO_MAILBOX.test(code))
    return new EngineError(
      'ACCOUNT_FAILED',
      about(target, `${host} has no mailbox for whoever has signed in (${code})`),
      {
        hint: 'The mailbox lies on a server of the organisation, has no licence, or is not made yet: sign in to Outlook on the web once, or take `provider: imap`.',
        cause,
      },
    );
  if (code === 'ErrorSendAsDenied')
    return new EngineError(
      'ACCOUNT_FAILED',
      about(target, 'Outlook does not let this mailbox send as the address in From'),
      {
        hint: 'Correct `email` of the account, or have its administrator give the right to send as that address.',
        cause,
      },
    );
  if (status !== 403 || PASSING_CODES.has(code) || /quota|exceeded/i.test(code)) return undefined;
  const message = about(target, `Microsoft refuses access (${details}); ${scopes.join(' and ')} is needed`);
  return new EngineError('ACCOUNT_SCOPE_MISSING', message, {
    hint: `Sign in again and agree to it: callsheet accounts connect ${accountId}. In an organisation an administrator may have to agree first.`,
    cause,
  });
}

/** The error of a request about one thing that is gone, changed or too large; undefined for another problem. */
function itemError(problem: GraphProblem, target: GraphTarget, details: string): EngineError | undefined {
  const { status, code } = problem;
  const { host } = target;
  const cause = problem;
  if (status === 404 || NOT_THERE.has(code))
    return new EngineError('NOT_FOUND', about(target, `${host} does not have it any more (${details})`), { cause });
  if (status === 409 || status === 412)
    return new EngineError('CONFLICT', about(target, `somebody has changed it at the same time (${details})`), {
      retryable: true,
      cause,
    });
  if (status === 413 || TOO_LARGE.test(code))
    return new EngineError('TOO_LARGE', about(target, `${host} does not take anything so large (${details})`), {
      hint: 'Microsoft takes about 4 MB of text, and mails as large as the administrator of the mailbox allows (35 MB by default).',
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
  if (status === 429) return [`${host} asks to wait (${details})`, 'It is tried again by itself.'];
  if (status === 410)
    return [`what was kept of ${host} is too old (${details})`, 'Everything is listed anew by itself.'];
  if (status === 0 && (code === 'ENOTFOUND' || code === 'EAI_AGAIN'))
    return [`the host ${host} is not known`, 'Correct `endpoints.api`, or see whether this machine can look up names.'];
  if (status === 0 && code === 'ECONNREFUSED')
    return [`nothing listens at ${host}`, 'Correct `endpoints.api`, or see whether a proxy is in the way.'];
  if (CERTIFICATE.test(code))
    return [
      `the certificate of ${host} cannot be trusted (${code})`,
      'Have Node trust your own authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    ];
  if (status === 0) return [`no answer from ${host} (${code || message})`, 'It is tried again by itself.'];
  if (/quota|exceeded/i.test(code)) return [`the mailbox is full (${details})`, 'Make room in it.'];
  if (status >= 500) return [`${host} cannot answer now (${details})`, 'It is tried again by itself.'];
  return [`${host} did not take a request (${details})`, 'If it stays so, report it with this line.'];
}

/** Seconds, or an HTTP date (RFC 9110 10.2.3). */
function retryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
