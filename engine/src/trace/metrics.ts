import type { GaugeReading, Measurement, MetricsOptions } from './measurement.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** What this process has counted since it began, and the readings of the moment, in the text format of Prometheus. */
export interface Metrics {
  /** Counts; never throws, and does next to nothing. */
  record(measurements: readonly Measurement[]): void;
  /** Loads what makes the text: the counters of the process createRegistry then. */
  load(): Promise<void>;
  /** Prometheus' text format, 0.0.4. */
  text(readings: readonly GaugeReading[]): Promise<string>;
}

/** Metrics that load what makes their text once there is something to count, so that a start does not wait for it. */
export function createMetrics(options: MetricsOptions): Metrics {
  const pending: Measurement[] = [];
  let registry: MetricRegistry | undefined;
  let loading: Promise<MetricRegistry> | undefined;
  const load = () => (loading ??= createRegistry());
  const createRegistry = async () => {
    const { MetricRegistry } = await import('./metric-registry.ts');
    registry = new MetricRegistry(options);
    for (const one of pending.splice(0)) registry.record(one);
    return registry;
  };
  return {
    record(measurements) {
      if (registry !== undefined) return measurements.forEach((one) => registry?.record(one));
      pending.push(...measurements);
      // Where it cannot be loaded, whoever asks for the text is told.
      if (measurements.length > 0) load().catch(() => {});
    },
    load: async () => void (await load()),
    text: async (readings) => (await load()).text(readings),
  };
}
