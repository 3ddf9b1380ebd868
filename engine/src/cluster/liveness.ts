import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';

/** A process that has shown no sign of life for this long, while it was watched, is dead: its claims have lapsed before. */
const STALE_MS = 20_000;

/** The claim that every process holds for itself, so that others see that it lives. */
export function workerClaim(worker: string): string {
  return `worker ${worker}`;
}

/** Judges by their own claims whether processes live, without comparing clocks: it takes two looks to know. */
export class Liveness {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #seen = new Map<string, { readonly rev: number; readonly at: number }>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** How a process stands; unknown until it was seen twice. */
  readonly of = async (worker: string): Promise<'alive' | 'dead' | 'unknown'> => {
    const now = this.#clock.steady?.() ?? this.#clock.now();
    const row = await this.#store.get('claim', { name: workerClaim(worker) });
    if (row === undefined || row.worker !== worker) {
      this.#seen.delete(worker);
      return 'dead';
    }
    const before = this.#seen.get(worker);
    if (before?.rev !== row.rev) {
      this.#seen.set(worker, { rev: row.rev, at: now });
      return before === undefined ? 'unknown' : 'alive';
    }
    return now - before.at > STALE_MS ? 'dead' : 'unknown';
  };
}
