import type { ResourceUse } from './budget.ts';

/** A stored sum of uses: known costs, and the number of unknown ones. */
export interface UseTotal {
  readonly tokens: number;
  readonly cost: number;
  readonly unknown: number;
}

const EMPTY: UseTotal = { tokens: 0, cost: 0, unknown: 0 };
/** Costs are rounded to 1e-12 dollars, so that added and removed costs leave no fractions. */
const PER_DOLLAR = 1e12;

/** Running total of reserved and used resources; adds, changes and removes in O(1). */
export class Tally {
  #sum: UseTotal;

  constructor(sum: UseTotal = EMPTY) {
    this.#sum = sum;
  }

  get sum(): UseTotal {
    return this.#sum;
  }

  /** The total; its cost is unknown if the cost of a part is. */
  get total(): ResourceUse {
    const { tokens, cost, unknown } = this.#sum;
    return { tokens, cost: unknown > 0 ? null : cost };
  }

  /** Replaces one part by another. */
  change(before: ResourceUse | undefined, after: ResourceUse | undefined): void {
    this.#count(before, -1);
    this.#count(after, 1);
  }

  #count(use: ResourceUse | undefined, sign: 1 | -1): void {
    if (use === undefined) return;
    const { tokens, cost, unknown } = this.#sum;
    this.#sum = {
      tokens: tokens + sign * use.tokens,
      cost: use.cost === null ? cost : Math.round((cost + sign * use.cost) * PER_DOLLAR) / PER_DOLLAR,
      unknown: use.cost === null ? unknown + sign : unknown,
    };
  }
}
