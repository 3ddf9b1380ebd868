/** Something that was counted or timed once it was on disk. Never content, and no label that may be an address. */
export type Measurement =
  | {
      readonly kind: 'request';
      readonly provider: string;
      /** As the api names it, so that there are as many as the config has. */
      readonly model: string;
      readonly latencyMs: number;
      /** Absent where an answer came. */
      readonly errorCode?: string;
      readonly usage?: {
        readonly inputTokens: number;
        readonly outputTokens: number;
        readonly cachedInputTokens?: number;
      };
      /** US dollars; null where the price is not known. */
      readonly cost: number | null;
    }
  | { readonly kind: 'effect'; readonly tool: string; readonly outcome: EffectOutcome }
  | { readonly kind: 'run'; readonly status: FinishedStatus }
  | { readonly kind: 'mail' };

/** What became of an effect; `ambiguous`: a person was asked whether it happened, and how that ends is counted as well. */
export const EFFECT_OUTCOMES = ['done', 'failed', 'ambiguous', 'denied', 'cancelled'] as const;
export type EffectOutcome = (typeof EFFECT_OUTCOMES)[number];

export const FINISHED_STATUSES = ['completed', 'failed', 'cancelled'] as const;
export type FinishedStatus = (typeof FINISHED_STATUSES)[number];

/** A figure as it is when somebody asks: a gauge. */
export interface GaugeReading {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** What metrics tell besides what is counted. */
export interface MetricsOptions {
  /** Of Callsheet. */
  readonly version: string;
  /** Whether memory, processor, event loop and the like of this process are told as well. */
  readonly hasProcess: boolean;
}
