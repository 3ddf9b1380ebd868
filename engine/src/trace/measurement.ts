/** A counted or timed event, recorded after its commit. It contains no content, and no label that may be an address. */
export type Measurement =
  | {
      readonly kind: 'request';
      readonly provider: string;
      /** Model name from the config of the api, so that the number of label values is limited. */
      readonly model: string;
      readonly latencyMs: number;
      /** Absent if the model answered. */
      readonly errorCode?: string;
      readonly usage?: {
        readonly inputTokens: number;
        readonly outputTokens: number;
        readonly cachedInputTokens?: number;
      };
      /** US dollars; null if the price is not known. */
      readonly cost: number | null;
    }
  | { readonly kind: 'effect'; readonly tool: string; readonly outcome: EffectOutcome }
  | { readonly kind: 'run'; readonly status: FinishedStatus }
  | { readonly kind: 'mail' };

/**
 * Outcomes of an effect. `ambiguous`: a person was asked whether it happened; the decision is counted as a second
 * outcome.
 */
export const EFFECT_OUTCOMES = ['done', 'failed', 'ambiguous', 'denied', 'cancelled'] as const;
/** Outcome of an effect. */
export type EffectOutcome = (typeof EFFECT_OUTCOMES)[number];

/** States in which a run can end. */
export const FINISHED_STATUSES = ['completed', 'failed', 'cancelled'] as const;
/** State in which a run has ended. */
export type FinishedStatus = (typeof FINISHED_STATUSES)[number];

/** The current values of a gauge. */
export interface GaugeReading {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** Options of the metrics of a process. */
export interface MetricsOptions {
  /** Version of Callsheet. */
  readonly version: string;
  /** Whether to include metrics of the process itself, such as memory, CPU and event loop. */
  readonly hasProcess: boolean;
}
