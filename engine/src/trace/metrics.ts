import type { GaugeReading, Measurement, MetricsOptions } from './measurement.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** What this process has counted since it began, and the figures of the moment, in the text format of Prometheus. */
export interface Metrics {
  /** Counts; never throws, and does next to nothing. */
  took(measured: readonly Measurement[]): void;
  /** Loads what makes the text: the counters of the process begin then. */
  load(): Promise<void>;
  /** Prometheus' text format, 0.0.4. */
  text(figures: readonly GaugeReading[]): Promise<string>;
}

/** Metrics that load what makes their text once there is something to count, so that a start does not wait for it. */
export function createMetrics(options: MetricsOptions): Metrics {
  const kept: Measurement[] = [];
  let board: MetricRegistry | undefined;
  let loading: Promise<MetricRegistry> | undefined;
  const load = () => (loading ??= begin());
  const begin = async () => {
    const { MetricRegistry } = await import('./metric-registry.ts');
    board = new MetricRegistry(options);
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
