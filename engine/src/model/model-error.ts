import type { ErrorCode } from '../base/error-code.ts';
import { EngineError } from '../base/error.ts';

interface Options {
  hint?: string | undefined;
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** An error of a model: an `EngineError` with a `MODEL_*` code that may say when to come back. */
export class ModelError extends EngineError {
  /** Milliseconds that the provider asks for before the next attempt; undefined where it said nothing. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode & `MODEL_${string}`, message: string, options: Options = {}) {
    super(code, message, options);
    this.name = 'ModelError';
    this.retryAfterMs = options.retryAfterMs;
  }
}
