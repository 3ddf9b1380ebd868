import type { Figure, Measured, MetricsOptions } from './measured.ts';
import type { MetricBoard } from './metric-board.ts';

/** What this process has counted since it began, and the figures of the moment, in the text format of Prometheus. */
export interface Metrics {
  /** Counts; never throws, and does next to nothing. */
  took(measured: readonly Measured[]): void;
  /** Loads what makes the text; until then what is counted is only kept. */
  load(): Promise<void>;
  /** Prometheus' text format, 0.0.4. */
  text(figures: readonly Figure[]): Promise<string>;
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
