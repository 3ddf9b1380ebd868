import type { MetricBoard } from './metric-board.ts';

/** Something that was counted or timed once it was on disk. Never content, and no label that may be an address. */
export type Measured =
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
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** What this process has counted since it began, and the figures of the moment, in the text format of Prometheus. */
export interface Metrics {
  /** Counts; never throws, and does next to nothing. */
  took(measured: readonly Measured[]): void;
  /** Loads what makes the text; until then what is counted is only kept. */
  load(): Promise<void>;
  /** Prometheus' text format, 0.0.4. */
  text(figures: readonly Figure[]): Promise<string>;
}

export interface MetricsOptions {
  /** Of Callsheet. */
  readonly version: string;
  /** Whether memory, processor, event loop and the like of this process are told as well. */
  readonly hasProcess: boolean;
}

/** Metrics that load what makes their text only when it is asked for, so that a start does not wait for it. */
export function createMetrics(options: MetricsOptions): Metrics {
  const kept: Measured[] = [];
  let board: MetricBoard | undefined;
  const load = async (): Promise<MetricBoard> => {
    const { MetricBoard } = await import('./metric-board.ts');
    board ??= new MetricBoard(options);
    for (const one of kept.splice(0)) board.take(one);
    return board;
  };
  return {
    took(measured) {
      if (board === undefined) kept.push(...measured);
      else for (const one of measured) board.take(one);
    },
    load: async () => void (await load()),
    text: async (figures) => (await load()).text(figures),
  };
}
