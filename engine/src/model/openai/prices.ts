import { createPriceList } from '../prices.ts';

/**
 * Prices of OpenAI's own servers (https://developers.openai.com/api/docs/pricing), as of 2026-11-05. Source: search
 * results; only the row `gpt-5-nano` stood in an excerpt of that page. Set `price` in the api document where `maxCost`
 * must be exact. Surcharges for batch, priority and region are unknown.
 */
export const openaiPrices = createPriceList({
  host: /^([a-z]+\.)?api\.openai\.com$/,
  rows: [
    ['gpt-5.1', 1.25, 0.125, 10],
    ['gpt-5', 1.25, 0.125, 10],
    ['gpt-5-mini', 0.25, 0.025, 2],
    ['gpt-5-nano', 0.05, 0.005, 0.4],
    ['gpt-4.1', 2, 0.5, 8],
    ['gpt-4.1-mini', 0.4, 0.1, 1.6],
    ['gpt-4.1-nano', 0.1, 0.025, 0.4],
    ['gpt-4o', 2.5, 1.25, 10],
    ['gpt-4o-mini', 0.15, 0.075, 0.6],
    ['text-embedding-3-small', 0.02, 0.02, 0],
    ['text-embedding-3-large', 0.13, 0.13, 0],
    ['text-embedding-ada-002', 0.1, 0.1, 0],
  ],
});
