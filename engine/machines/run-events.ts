/** A limit or error that ended a run. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
}

export interface RunLimits {
  /** Most model answers. */
  readonly maxTurns: number;
  /** Longest working time, in milliseconds. */
  readonly timeMs: number;
  /** Most model attempts in a turn, for transient failures. */
  readonly maxAttempts: number;
  /** First pause before another attempt, in milliseconds; doubles each time, up to a minute. */
  readonly backoffMs: number;
}

/** The api that takes over from one that failed, with its retries. */
export interface NextApi extends Pick<RunLimits, 'maxAttempts' | 'backoffMs'> {
  readonly apiId: string;
}

/** An open call runs, waits for an approval, for the answer to a question, or for a limit. */
export type CallState = 'running' | 'asking' | 'answer' | 'limited';

/** What a parked call waits for. */
export type ParkReason = Exclude<CallState, 'running'>;

export interface RunContext {
  readonly limits: RunLimits | null;
  readonly turn: number;
  /** Failed attempts of this turn. */
  readonly attempt: number;
  /** The attempt of this turn with which the present api began. */
  readonly firstAttempt: number;
  /** Answers in a row that were cut or refused. */
  readonly nudges: number;
  readonly waitMs: number;
  /** Open calls by `<turn>/<call id>`. */
  readonly calls: Readonly<Record<string, CallState>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Working time left, as of `since`. */
  readonly leftMs: number;
  /** Start of the running time count, or 0 while time does not count. */
  readonly since: number;
  readonly failure: RunFailure | null;
}

export type RunEvent =
  | { readonly type: 'START'; readonly at: number; readonly limits: RunLimits }
  | { readonly type: 'START_FAILED'; readonly at: number; readonly failure: RunFailure }
  | {
      readonly type: 'MODEL_ANSWERED';
      readonly at: number;
      /** final: no calls; calls: some, the open ones are in `calls`; nudge: cut or refused, and the model was informed. */
      readonly outcome: 'final' | 'calls' | 'nudge';
      readonly calls: Readonly<Record<string, CallState>>;
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** With `nudge`: the error of the run where it happens too often. */
      readonly failure?: RunFailure;
    }
  | {
      readonly type: 'MODEL_FAILED';
      readonly at: number;
      readonly kind: 'transient' | 'rateLimit' | 'fatal';
      readonly retryAfterMs?: number;
      readonly failure: RunFailure;
      /** The api to ask where this one is not asked again. */
      readonly next?: NextApi;
    }
  | { readonly type: 'CALL_SETTLED' | 'CALL_RESUMED'; readonly at: number; readonly call: string }
  | { readonly type: 'CALL_PARKED'; readonly at: number; readonly call: string; readonly why: ParkReason }
  | { readonly type: 'CANCEL'; readonly at: number }
  | { readonly type: 'FAIL'; readonly at: number; readonly failure: RunFailure }
  | { readonly type: 'DEFER'; readonly at: number; readonly waitMs: number }
  /** `byMs` of the time on the clock did not pass: the clock was set (back: below 0), or no process worked. */
  | { readonly type: 'TIME_SHIFTED'; readonly at: number; readonly byMs: number }
  | { readonly type: 'DEADLINE' }
  | { readonly type: 'xstate.init'; readonly input: unknown };
