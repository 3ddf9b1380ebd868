import { createPriceList } from '../prices.ts';

/**
 * Prices of Anthropic's own servers (https://platform.claude.com/docs/en/about-claude/pricing), as of 2026-11-05.
 * Source: search results, most of them excerpts of that page. Set `price` in the api document where `maxCost` must be
 * exact. Surcharges for batch, priority and region are unknown.
 */
export const anthropicPrices = createPriceList({
  host: /^api\.anthropic\.com$/,
  rows: [
    ['claude-opus-5', 5, 0.5, 25],
    ['claude-opus-4-8', 5, 0.5, 25],
    ['claude-opus-4-7', 5, 0.5, 25],
    ['claude-opus-4-6', 5, 0.5, 25],
    ['claude-opus-4-5', 5, 0.5, 25],
    ['claude-sonnet-5', 2, 0.2, 10],
    ['claude-sonnet-4-6', 3, 0.3, 15],
    ['claude-sonnet-4-5', 3, 0.3, 15, 200_000],
    ['claude-haiku-4-5', 1, 0.1, 5],
  ],
});
