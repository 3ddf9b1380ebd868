import type { ResourceUse } from './budget.ts';

/** A sum of uses as it is kept: the costs that are known, and how many are not. */
export interface UseTotal {
  readonly tokens: number;
  readonly cost: number;
  readonly unknown: number;
}

const EMPTY: UseTotal = { tokens: 0, cost: 0, unknown: 0 };
/** Costs are rounded to a millionth of a millionth of a dollar: else what came and went would leave fractions behind. */
const PER_DOLLAR = 1e12;

/** A sum of uses that come and go: what hundreds of requests under way may take is asked for before each new one. */
export class Tally {
  #sum: UseTotal;

  constructor(sum: UseTotal = EMPTY) {
    this.#sum = sum;
  }

  get sum(): UseTotal {
    return this.#sum;
  }

  /** All of it together; its cost is unknown as soon as that of a part is. */
  get total(): ResourceUse {
    const { tokens, cost, unknown } = this.#sum;
    return { tokens, cost: unknown > 0 ? null : cost };
  }

  /** Takes one part out and puts another in. */
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
