import { type Clock, readClocks } from '../base/clock.ts';
import type { Store } from '../store/store.ts';

/** A process that shows no sign of life for this long, while it is watched, is dead: its claims have lapsed before that. */
const STALE_MS = 20_000;

/** The claim that every process holds on its own name, so that others see that it lives. */
export function workerClaim(worker: string): string {
  return `worker ${worker}`;
}

/** The last revision of a process's claim that was read. */
interface LifeSign {
  readonly rev: number;
  /** When this revision was first read, by the steady clock of this machine. */
  readonly seenAt: number;
  /** False for the first revision that was read: the process may have been dead by then. */
  readonly isRenewed: boolean;
}

function nextSign(before: LifeSign | undefined, rev: number, now: number): LifeSign {
  return before?.rev === rev ? before : { rev, seenAt: now, isRenewed: before !== undefined };
}

function isStale(sign: LifeSign, now: number): boolean {
  return now - sign.seenAt > STALE_MS;
}

/**
 * Judges whether processes live, by the claims on their own names. It compares no clocks of two machines, and needs two
 * readings.
 */
export class Liveness {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #signs = new Map<string, LifeSign>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `alive` where the claim was renewed since the last call; `unknown` until the claim was read twice. */
  readonly of = async (worker: string): Promise<'alive' | 'dead' | 'unknown'> => {
    const now = readClocks(this.#clock).steadyMs;
    const row = await this.#store.get('claim', { name: workerClaim(worker) });
    if (row === undefined || row.worker !== worker) {
      this.#signs.delete(worker);
      return 'dead';
    }
    const before = this.#signs.get(worker);
    const sign = nextSign(before, row.rev, now);
    this.#signs.set(worker, sign);
    if (isStale(sign, now)) return 'dead';
    return sign !== before && sign.isRenewed ? 'alive' : 'unknown';
  };
}

/** Counts the processes that renew their own claim, without comparing clocks: the first count is 0. */
export class LivingWorkers {
  readonly #store: Store;
  readonly #clock: Clock;
  #signs: ReadonlyMap<string, LifeSign> = new Map();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reads all claims once. Rejects with the store's own error. */
  async count(): Promise<number> {
    const now = readClocks(this.#clock).steadyMs;
    const rows = await this.#store.list('claim', { bodies: false });
    const held = rows.filter(({ name, worker }) => name.startsWith(workerClaim('')) && worker !== '');
    this.#signs = new Map(held.map(({ name, rev }) => [name, nextSign(this.#signs.get(name), rev, now)]));
    return [...this.#signs.values()].filter((sign) => sign.isRenewed && !isStale(sign, now)).length;
  }
}
