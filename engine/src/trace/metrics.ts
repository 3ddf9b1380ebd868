import type { GaugeReading, Measurement, MetricsOptions } from './measurement.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** Counters of this process since its start, and current gauges, in the text format of Prometheus. */
export interface Metrics {
  /** Adds measurements to the counters. Never throws, and is cheap. */
  record(measurements: readonly Measurement[]): void;
  /** Loads prom-client; the metrics of the process itself begin then. */
  load(): Promise<void>;
  /** Text of the counters and of the given gauges, in Prometheus' text format 0.0.4. */
  text(readings: readonly GaugeReading[]): Promise<string>;
}

/**
 * Creates metrics that load prom-client with the first measurement, so that the start of the engine does not wait for
 * it.
 */
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
      // If loading fails, `text` rejects with the error.
      if (measurements.length > 0) load().catch(() => {});
    },
    load: async () => void (await load()),
    text: async (readings) => (await load()).text(readings),
  };
}
