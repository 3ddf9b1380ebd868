import { describe, expect, test } from 'vitest';
import { priceOf } from '../../engine/src/model/models.ts';
import { costOf } from '../../engine/src/model/prices.ts';
import { anthropicApi, ollamaApi, openaiApi, scriptedApi } from './fixtures.ts';

const openai = (model: string, baseUrl = 'https://api.openai.com/v1') => openaiApi(baseUrl, { model });
const own = { inputPerMillion: 3, outputPerMillion: 12 };

describe('the price of a model', () => {
  test.each([
    { name: 'by its name', api: openai('gpt-5-mini'), input: 0.25 },
    { name: 'of a version', api: openai('gpt-5-mini-2025-08-07'), input: 0.25 },
    { name: 'of a version at Anthropic', api: anthropicApi({ model: 'claude-haiku-4-5-20251001' }), input: 1 },
    { name: 'at a regional address', api: openai('gpt-5-mini', 'https://eu.api.openai.com/v1'), input: 0.25 },
    { name: 'of the api document, before the table', api: { ...openai('gpt-5-mini'), price: own }, input: 3 },
    { name: 'of the api document, anywhere', api: { ...ollamaApi('http://127.0.0.1:1'), price: own }, input: 3 },
    { name: 'of scripted answers', api: scriptedApi([{ when: { any: true }, say: 'Done.' }]), input: 0 },
  ])('$name is known', ({ api, input }) => {
    expect(priceOf(api)?.inputPerMillion).toBe(input);
  });

  test.each([
    { name: 'of a model that the table does not have', api: openai('gpt-99') },
    { name: 'of a model that only begins like one', api: openai('gpt-5-mini-audio') },
    { name: 'at another server', api: openai('gpt-5-mini', 'https://openrouter.ai/api/v1') },
    {
      name: 'at a server whose name only ends alike',
      api: openai('gpt-5-mini', 'https://api.openai.com.evil.test/v1'),
    },
    { name: 'of a local model', api: ollamaApi('http://127.0.0.1:11434') },
  ])('$name is unknown, not 0', ({ api }) => {
    expect(priceOf(api)).toBeNull();
  });

  test('is that of the model which answered, where it is known', () => {
    expect(priceOf(openai('gpt-5'), 'gpt-5-mini-2025-08-07')?.inputPerMillion).toBe(0.25);
    expect(priceOf(openai('gpt-5'), 'somebody-else')?.inputPerMillion).toBe(1.25);
  });
});

describe('the cost of an answer', () => {
  const price = { inputPerMillion: 2, outputPerMillion: 10, cachedInputPerMillion: 0.5, upToInputTokens: 1_000_000 };

  test.each([
    { name: 'input and output', usage: { inputTokens: 1000, outputTokens: 100 }, cost: 0.003 },
    {
      name: 'input from the cache',
      usage: { inputTokens: 1000, outputTokens: 0, cachedInputTokens: 800 },
      cost: 0.0008,
    },
    {
      name: 'more from the cache than there was',
      usage: { inputTokens: 1000, outputTokens: 0, cachedInputTokens: 5000 },
      cost: 0.0005,
    },
    { name: 'nothing', usage: { inputTokens: 0, outputTokens: 0 }, cost: 0 },
  ])('counts $name', ({ usage, cost }) => {
    expect(costOf(usage, price)).toBeCloseTo(cost, 12);
  });

  test('takes input from the cache as other input where no price is named', () => {
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 1_000_000 }, own)).toBe(3);
  });

  test.each([
    { name: 'of an unknown price', usage: { inputTokens: 1, outputTokens: 1 }, at: null },
    { name: 'of unknown use', usage: undefined, at: price },
    { name: 'of a request too long for the price', usage: { inputTokens: 1_000_001, outputTokens: 1 }, at: price },
  ])('$name is unknown, not 0', ({ usage, at }) => {
    expect(costOf(usage, at)).toBeNull();
  });
});
