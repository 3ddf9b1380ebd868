import { EngineError, errorBody } from '../base/error.ts';
import { timeOfId } from '../base/id.ts';
import type { GaugeReading } from '../trace/measurement.ts';
import type { Engine } from '../run/engine/engine.ts';
import type { Fetcher } from '../intake/fetcher.ts';
import { LivingWorkers } from '../cluster/liveness.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { OPEN_STATUSES } from '../run/run.ts';

/** Timeout of reading the store. Prometheus would not wait much longer. */
const PATIENCE_MS = 4_000;

export interface GaugeOptions {
  readonly deps: Pick<Dependencies, 'store' | 'clock' | 'log' | 'shared'>;
  readonly engine: Pick<Engine, 'load'>;
  /** Set if this process also reports on the store as a whole, which is the same for every process. */
  readonly whole?: { readonly fetcher: Pick<Fetcher, 'status'> };
}

/**
 * Gauges, read at each request. All queries use an index over open rows, so that their cost does not grow with the number of
 * finished runs.
 */
export class MetricsGauges {
  readonly #options: GaugeOptions;
  readonly #livingWorkers: LivingWorkers;

  constructor(options: GaugeOptions) {
    this.#options = options;
    this.#livingWorkers = new LivingWorkers(options.deps.store, options.deps.clock);
  }

  /** Never rejects: if the store does not answer, only the gauges of this process are returned. */
  async read(): Promise<GaugeReading[]> {
    const { deps, engine, whole } = this.#options;
    const { working, effects } = engine.load();
    const own = [
      gauge('runs_in_hand', 'Runs that this process works on.', working),
      gauge('effects_in_hand', 'Model requests and tool calls of this process that are under way.', effects),
    ];
    const isUp = (is: boolean) => gauge('store_up', '1 where the store answers.', is ? 1 : 0);
    try {
      const stored = await this.#patiently(whole === undefined ? this.#probe() : this.#whole(whole.fetcher));
      return [...own, isUp(true), ...stored];
    } catch (error) {
      deps.log.debug('gauges could not be read', { ...errorBody(error) });
      return [...own, isUp(false)];
    }
  }

  async #probe(): Promise<GaugeReading[]> {
    await this.#options.deps.store.get('meta', { name: '' });
    return [];
  }

  async #whole(fetcher: Pick<Fetcher, 'status'>): Promise<GaugeReading[]> {
    const { store } = this.#options.deps;
    const [queue, counts, pending, workers] = await Promise.all([
      this.#queue(),
      Promise.all(OPEN_STATUSES.map((status) => store.count('run', [['status', '=', status]]))),
      store.count('approval', [['status', '=', 'pending']]),
      this.#workers(),
    ]);
    const statuses = OPEN_STATUSES.map((status, n) => ({ labels: { status }, value: counts[n] ?? 0 }));
    const states = { idle: 0, fetching: 0, failed: 0, elsewhere: 0 };
    for (const { state } of fetcher.status().accounts) states[state]++;
    const accounts = Object.entries(states).map(([state, value]) => ({ labels: { state }, value }));
    return [
      ...queue,
      { name: 'callsheet_runs', help: 'Runs that have not ended.', values: statuses },
      gauge('approvals_pending', 'Effects that wait for a person.', pending),
      { name: 'callsheet_accounts', help: 'Accounts, as this process sees them.', values: accounts },
      ...workers,
    ];
  }

  async #queue(): Promise<GaugeReading[]> {
    const { deps, engine } = this.#options;
    const { ready, oldestMs, ...more } =
      deps.shared === undefined
        ? { ...(await this.#waiting()), active: engine.load().working }
        : await deps.shared.queue.stats();
    const values = Object.entries({ ready, ...more }).map(([state, value]) => ({ labels: { state }, value }));
    return [
      { name: 'callsheet_queue_jobs', help: 'Runs to be looked at: due, for later, and in hand.', values },
      gauge('queue_oldest_age_seconds', 'For how long the oldest of those that are due has been so.', oldestMs / 1000),
    ];
  }

  /** Queued runs of an embedded store. */
  async #waiting(): Promise<{ ready: number; oldestMs: number }> {
    const { store, clock } = this.#options.deps;
    const where = [['status', '=', 'queued']] as const;
    const [oldest] = await store.list('run', { where, order: [['id', 'asc']], limit: 1, bodies: false });
    if (oldest === undefined) return { ready: 0, oldestMs: 0 };
    return { ready: await store.count('run', where), oldestMs: Math.max(0, clock.now() - timeOfId(oldest.id)) };
  }

  async #workers(): Promise<GaugeReading[]> {
    if (this.#options.deps.shared === undefined) return [];
    const living = await this.#livingWorkers.count();
    return [gauge('workers', 'Processes that work runs of this store and show signs of life.', living)];
  }

  async #patiently<T>(work: Promise<T>): Promise<T> {
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new EngineError('STORE_FAILED', `no answer within ${PATIENCE_MS} ms`));
      cancel = this.#options.deps.clock.delay(fail, PATIENCE_MS);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      cancel();
    }
  }
}

function gauge(name: string, help: string, value: number): GaugeReading {
  return { name: `callsheet_${name}`, help, values: [{ value }] };
}
