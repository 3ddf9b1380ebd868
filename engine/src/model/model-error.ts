import type { ErrorCode } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';

interface Options {
  hint?: string | undefined;
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** An error of a model: an `EngineError` with a `MODEL_*` code and, if known, the time of the next attempt. */
export class ModelError extends EngineError {
  /** Milliseconds to wait before the next attempt, as the provider asked; undefined if it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode & `MODEL_${string}`, message: string, options: Options = {}) {
    super(code, message, options);
    this.name = 'ModelError';
    this.retryAfterMs = options.retryAfterMs;
  }
}
