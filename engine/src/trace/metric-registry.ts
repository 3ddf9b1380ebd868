import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { roundCost } from '../budget/budget.ts';
import {
  EFFECT_OUTCOMES,
  type GaugeReading,
  FINISHED_STATUSES,
  type Measurement,
  type MetricsOptions,
} from './measurement.ts';

/** Seconds: from a small local model to a large reasoning model. */
const LATENCY_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];
/** Sampling interval of the event loop delay; each sample wakes the process. */
const EVENT_LOOP_SAMPLE_MS = 50;
const BY_MODEL = ['provider', 'model'] as const;

/** The counters of one process in Prometheus' format. */
export class MetricRegistry {
  readonly #registry = new Registry();
  readonly #latency: Histogram<'provider' | 'model' | 'outcome'>;
  readonly #errors: Counter<'provider' | 'model' | 'code'>;
  readonly #inputTokens: Counter<(typeof BY_MODEL)[number]>;
  readonly #cachedTokens: Counter<(typeof BY_MODEL)[number]>;
  readonly #outputTokens: Counter<(typeof BY_MODEL)[number]>;
  /** US dollars by provider and model. A counter of prom-client would add them up with binary fractions. */
  readonly #costs = new Map<string, { readonly about: { provider: string; model: string }; dollars: number }>();
  readonly #unpriced: Counter<(typeof BY_MODEL)[number]>;
  readonly #effects: Counter<'tool' | 'outcome'>;
  readonly #runs: Counter<'status'>;
  readonly #mails: Counter;

  constructor({ version, hasProcess }: MetricsOptions) {
    if (hasProcess) {
      collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
      // These gauges have names like counters and say nothing about Callsheet.
      for (const { name } of this.#registry.getMetricsAsArray())
        if (name.startsWith('nodejs_active_')) this.#registry.removeSingleMetric(name);
    }
    this.#latency = new Histogram({
      name: 'callsheet_model_request_duration_seconds',
      help: 'Duration of requests to models, to the end of the stream.',
      labelNames: ['provider', 'model', 'outcome'],
      buckets: LATENCY_BUCKETS,
      registers: [this.#registry],
    });
    this.#errors = this.#counter('model_errors', 'Requests to models that failed.', [...BY_MODEL, 'code']);
    this.#inputTokens = this.#counter('model_input_tokens', 'Tokens sent to models, cached ones included.', BY_MODEL);
    this.#cachedTokens = this.#counter(
      'model_cached_input_tokens',
      'Input tokens that a model read from its cache.',
      BY_MODEL,
    );
    this.#outputTokens = this.#counter('model_output_tokens', 'Tokens in the answers of models.', BY_MODEL);
    const costs = this.#costs;
    new Counter({
      name: 'callsheet_model_cost_dollars_total',
      help: 'US dollars spent on requests with a known price.',
      labelNames: BY_MODEL,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { about, dollars } of costs.values()) this.inc(about, dollars);
      },
    });
    this.#unpriced = this.#counter('model_unpriced_requests', 'Answers whose cost is not known.', BY_MODEL);
    this.#effects = this.#counter('effects', 'Tool calls of the ledger, by outcome.', ['tool', 'outcome']);
    this.#runs = this.#counter('runs_finished', 'Runs that ended.', ['status']);
    this.#mails = this.#counter('mails_taken', 'Mails fetched from accounts.', []);
    for (const status of FINISHED_STATUSES) this.#runs.inc({ status }, 0);
    const about = new Gauge({
      name: 'callsheet_build_info',
      help: 'Always 1; the label contains the version of Callsheet.',
      labelNames: ['version'],
      registers: [this.#registry],
    });
    about.set({ version }, 1);
  }

  /** Adds one measurement to the counters. */
  record(measurement: Measurement): void {
    switch (measurement.kind) {
      case 'request':
        return this.#recordRequest(measurement);
      case 'effect':
        return this.#recordEffect(measurement);
      case 'run':
        return this.#runs.inc({ status: measurement.status });
      case 'mail':
        return this.#mails.inc();
      default:
        return measurement satisfies never;
    }
  }

  /** Text of all counters, then of the gauges. */
  async text(readings: readonly GaugeReading[]): Promise<string> {
    const gauges = new Registry();
    for (const { name, help, values } of readings) {
      const labelNames = Object.keys(values[0]?.labels ?? {});
      const gauge = new Gauge({ name, help, labelNames, registers: [gauges] });
      for (const { labels = {}, value } of values) gauge.set(labels, value);
    }
    const text = `${await this.#registry.metrics()}\n${await gauges.metrics()}`;
    // prom-client writes `Nan`; the format requires `NaN`.
    return text.replace(/ Nan$/gm, ' NaN');
  }

  #recordRequest({ provider, model, latencyMs, errorCode, usage, cost }: Measurement & { kind: 'request' }): void {
    const about = { provider, model };
    this.#latency.observe({ ...about, outcome: errorCode === undefined ? 'answered' : 'failed' }, latencyMs / 1000);
    if (errorCode !== undefined) this.#errors.inc({ ...about, code: errorCode });
    if (usage !== undefined) {
      this.#inputTokens.inc(about, usage.inputTokens);
      this.#outputTokens.inc(about, usage.outputTokens);
      this.#cachedTokens.inc(about, usage.cachedInputTokens ?? 0);
    }
    if (cost !== null) this.#addCost(about, cost);
    else if (errorCode === undefined) this.#unpriced.inc(about);
  }

  #addCost(about: { readonly provider: string; readonly model: string }, cost: number): void {
    const key = JSON.stringify(about);
    this.#costs.set(key, { about, dollars: roundCost((this.#costs.get(key)?.dollars ?? 0) + cost) });
  }

  /**
   * The first call of a tool creates the counters of all outcomes, so that a failure rate can be computed from the
   * start.
   */
  #recordEffect({ tool, outcome }: Measurement & { kind: 'effect' }): void {
    for (const other of EFFECT_OUTCOMES) this.#effects.inc({ tool, outcome: other }, other === outcome ? 1 : 0);
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name: `callsheet_${name}_total`, help, labelNames, registers: [this.#registry] });
  }
}
