import type { Figure, Measured, MetricsOptions } from './measurement.ts';
import type { MetricBoard } from './metric-registry.ts';

/** What this process has counted since it began, and the figures of the moment, in the text format of Prometheus. */
export interface Metrics {
  /** Counts; never throws, and does next to nothing. */
  took(measured: readonly Measured[]): void;
  /** Loads what makes the text: the counters of the process begin then. */
  load(): Promise<void>;
  /** Prometheus' text format, 0.0.4. */
  text(figures: readonly Figure[]): Promise<string>;
}

/** Metrics that load what makes their text once there is something to count, so that a start does not wait for it. */
export function createMetrics(options: MetricsOptions): Metrics {
  const kept: Measured[] = [];
  let board: MetricBoard | undefined;
  let loading: Promise<MetricBoard> | undefined;
  const load = () => (loading ??= begin());
  const begin = async () => {
    const { MetricBoard } = await import('./metric-registry.ts');
    board = new MetricBoard(options);
    for (const one of kept.splice(0)) board.take(one);
    return board;
  };
  return {
    took(measured) {
      if (board !== undefined) return measured.forEach((one) => board?.take(one));
      kept.push(...measured);
      // Where it cannot be loaded, whoever asks for the text is told.
      if (measured.length > 0) load().catch(() => {});
    },
    load: async () => void (await load()),
    text: async (figures) => (await load()).text(figures),
  };
}
