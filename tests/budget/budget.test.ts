import { describe, expect, test } from 'vitest';
import { addUse, exceeded } from '../../engine/src/budget/budget.ts';

describe('a budget', () => {
  test.each([
    {
      name: 'lets pass what fits exactly',
      budget: { maxTokens: 100 },
      used: { tokens: 60, cost: 0 },
      next: { tokens: 40, cost: 0 },
      says: undefined,
    },
    {
      name: 'stops what does not fit',
      budget: { maxTokens: 100 },
      used: { tokens: 61, cost: 0 },
      next: { tokens: 40, cost: 0 },
      says: 'maxTokens',
    },
    {
      name: 'counts costs',
      budget: { maxCost: 0.5 },
      used: { tokens: 0, cost: 0.49 },
      next: { tokens: 0, cost: 0.02 },
      says: '$0.49 of $0.50',
    },
    {
      name: 'does not take an unknown price for free',
      budget: { maxCost: 0.5 },
      used: { tokens: 0, cost: 0 },
      next: { tokens: 1, cost: null },
      says: 'not known',
    },
    {
      name: 'does not mind an unknown price without a cost limit',
      budget: { maxTokens: 9 },
      used: { tokens: 0, cost: null },
      next: { tokens: 1, cost: null },
      says: undefined,
    },
    {
      name: 'does not bind where nothing is set',
      budget: {},
      used: { tokens: 1e9, cost: 1e9 },
      next: { tokens: 1, cost: 1 },
      says: undefined,
    },
  ])('$name', ({ budget, used, next, says }) => {
    const why = exceeded(budget, used, next);
    if (says === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(says);
  });

  test('adds an unknown cost to an unknown sum', () => {
    expect(addUse({ tokens: 1, cost: 2 }, { tokens: 3, cost: null })).toEqual({ tokens: 4, cost: null });
  });
});
