import { describe, expect, test } from 'vitest';
import { addUse, exceeded } from '../../engine/src/guard/budget.ts';
import { type RateLimits, Window } from '../../engine/src/guard/window.ts';

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

describe('a window', () => {
  const fill = (...at: number[]) => new Window(at.map((ms) => ({ at: ms, tokens: 100 })));

  test.each<{ name: string; window: Window; limits: RateLimits; tokens?: number; now: number; wait: number }>([
    { name: 'lets the first request pass', window: fill(), limits: { requestsPerMinute: 1 }, now: 1000, wait: 0 },
    {
      name: 'makes the next one wait until the first has left the minute',
      window: fill(1000),
      limits: { requestsPerMinute: 1 },
      now: 31_000,
      wait: 30_000,
    },
    {
      name: 'waits for the one that makes room, not for all',
      window: fill(1000, 2000, 3000),
      limits: { requestsPerMinute: 2 },
      now: 4000,
      wait: 58_000,
    },
    {
      name: 'counts the hour too',
      window: fill(0, 1000),
      limits: { requestsPerHour: 2 },
      now: 3_000_000,
      wait: 600_000,
    },
    {
      name: 'counts tokens',
      window: fill(1000, 2000),
      limits: { tokensPerMinute: 250 },
      tokens: 100,
      now: 3000,
      wait: 58_000,
    },
    {
      name: 'lets a request that is too large for any minute pass into an empty one',
      window: fill(),
      limits: { tokensPerMinute: 50 },
      tokens: 100,
      now: 1,
      wait: 0,
    },
    {
      name: 'forgets what is older than an hour',
      window: fill(1),
      limits: { requestsPerHour: 1 },
      now: 3_700_000,
      wait: 0,
    },
    {
      name: 'takes the longest of several waits',
      window: fill(1000),
      limits: { requestsPerMinute: 1, requestsPerHour: 1 },
      now: 2000,
      wait: 3_599_000,
    },
  ])('$name', ({ window, limits, tokens = 1, now, wait }) => {
    expect(window.waitMs(limits, tokens, now)).toBe(wait);
  });

  test('puts the tokens right once they are known', () => {
    const window = new Window();
    const settle = window.take(1000, 5000);
    expect(window.since(0)).toEqual({ requests: 1, tokens: 1000 });
    settle(10);
    expect(window.since(0)).toEqual({ requests: 1, tokens: 10 });
    expect(window.waitMs({ tokensPerMinute: 100 }, 90, 5001)).toBe(0);
  });
});
