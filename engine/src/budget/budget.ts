/** Limits of model use; an absent limit does not apply. Costs are US dollars. */
export interface Budget {
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
}

/** Used or planned resources. `cost` is null where a price is unknown; unknown never counts as free. */
export interface ResourceUse {
  readonly tokens: number;
  readonly cost: number | null;
}

/** No use at all. */
export const NOTHING: ResourceUse = { tokens: 0, cost: 0 };

const PER_DOLLAR = 1e9;

/**
 * US dollars in whole billionths, so that sums have no binary fractions such as 0.30000000000000004. Finer than
 * millionths, since a few tokens of a cheap model cost less than that.
 */
export function roundCost(cost: number): number {
  return Math.round(cost * PER_DOLLAR) / PER_DOLLAR;
}

/** Adds two costs; an unknown one (null) makes the sum unknown. */
export function addCost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : roundCost(a + b);
}

/** Adds two uses; an unknown cost makes the sum unknown. */
export function addUse(a: ResourceUse, b: ResourceUse): ResourceUse {
  return { tokens: a.tokens + b.tokens, cost: addCost(a.cost, b.cost) };
}

/**
 * Explains which limit another request would exceed; undefined where it fits. `used` includes reservations of requests
 * under way.
 */
export function exceeded(budget: Budget, used: ResourceUse, next: ResourceUse): string | undefined {
  const sum = addUse(used, next);
  if (budget.maxTokens !== undefined && sum.tokens > budget.maxTokens)
    return `${used.tokens} of ${budget.maxTokens} tokens are used or reserved, and the next request may take ${next.tokens} (maxTokens)`;
  if (budget.maxCost === undefined) return undefined;
  if (sum.cost === null)
    return 'a cost limit is set, but the price of the model is not known: set `price` on its api (maxCost)';
  if (sum.cost > budget.maxCost)
    return `${dollars(used.cost)} of ${dollars(budget.maxCost)} are used or reserved, and the next request may cost ${dollars(next.cost)} (maxCost)`;
  return undefined;
}

function dollars(cost: number | null): string {
  return cost === null ? 'an unknown sum' : `$${cost.toFixed(cost < 0.01 ? 4 : 2)}`;
}
