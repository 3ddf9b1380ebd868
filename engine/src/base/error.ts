import { type ErrorCode, statusOf } from './error-code.ts';

/** Position of a problem: a place in a config file, a run, a tool call. Every field is optional and survives JSON. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
  readonly runId?: string;
  readonly tool?: string;
  /** Of a refused document: all its errors, for the fields of a form. */
  readonly problems?: readonly FieldProblem[];
}

/** An error of one key of a document. */
export interface FieldProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON Pointer into the document. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** An `EngineError` as it is stored or sent, without stack and cause. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly where?: Where;
  /** Of a session that takes no message: `expired`, `completed`, `not_found` or `busy` (seed 000, 3.2.8). */
  readonly reason?: string;
}

interface Options {
  hint?: string | undefined;
  where?: Where | undefined;
  /** True when the same request may succeed later (429, 5xx, lost connection). */
  retryable?: boolean | undefined;
  /** True where clients may read the message. Otherwise the HTTP API answers with a plain "internal error". */
  expose?: boolean | undefined;
  cause?: unknown;
}

/**
 * The only error class of the engine. The message names what was expected, what was found and where; the hint names the
 * remedy. Callers match on `code` (see `error-code.ts`), never on the text.
 */
export class EngineError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly where: Where | undefined;
  readonly retryable: boolean;
  readonly expose: boolean;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.hint = options.hint;
    this.where = options.where;
    this.retryable = options.retryable ?? false;
    this.expose = options.expose ?? true;
  }

  /** HTTP status for this error. */
  get status(): number {
    return statusOf(this.code);
  }

  toJSON(): ErrorBody {
    return withReason({
      code: this.code,
      message: this.message,
      ...(this.hint !== undefined && { hint: this.hint }),
      ...(this.where !== undefined && { where: this.where }),
    });
  }
}

/** Adds the `reason` to an error of a session, as seed 000, 3.2.8 spells it. */
export function withReason(error: ErrorBody): ErrorBody {
  if (!error.code.startsWith('SESSION_')) return error;
  return { ...error, reason: error.code.slice('SESSION_'.length).toLowerCase() };
}

/** Any thrown value as an error body. An error of another class keeps its message and gets the code `INTERNAL`. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof EngineError) return error.toJSON();
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}

/** An error on its way out of a worker thread. */
export interface ThreadError {
  readonly body: ErrorBody;
  readonly isRetryable: boolean;
  /** Whether it was an `EngineError`. */
  readonly isKnown: boolean;
}

/** Any thrown value in the form in which a worker thread sends it. */
export function toThreadError(error: unknown): ThreadError {
  const isKnown = error instanceof EngineError && statusOf(error.code) !== undefined;
  return { body: errorBody(error), isRetryable: isKnown && error.retryable, isKnown };
}

/** The error that a worker thread sent. An error of another class is `INTERNAL`, and not for clients. */
export function fromThreadError({ body: { code, message, hint }, isRetryable, isKnown }: ThreadError): EngineError {
  return isKnown
    ? new EngineError(code as ErrorCode, message, { hint, retryable: isRetryable })
    : new EngineError('INTERNAL', message, { expose: false });
}
