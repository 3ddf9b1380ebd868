import { describe, expect, test } from 'vitest';
import type { Api } from '../../../engine/src/config/config.ts';
import type { FailedUsage, ModelAnswer, ModelRequest } from '../../../engine/src/model/model.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { LiveSpend } from '../../../engine/src/replay/play/live-spend.ts';
import { openaiApi } from '../../model/fixtures.ts';

/** A token costs a dollar. */
const priced: Api = {
  ...openaiApi('http://127.0.0.1:1/v1', { model: 'm' }),
  price: { inputPerMillion: 1e6, outputPerMillion: 1e6 },
};
const REQUEST: ModelRequest = { messages: [], tools: [], role: 'director', actorId: 'boss', turn: 1, maxTokens: 100 };
/** Of `REQUEST`, whose texts are four brackets. */
const ESTIMATE = 101;
const ANSWER: ModelAnswer = {
  ...{ message: { role: 'assistant', content: 'yes' }, stop: 'stop', model: 'm', raw: '{}' },
  usage: { inputTokens: 2, outputTokens: 3 },
};
const failing = (error: Error, spent?: FailedUsage) => async (request: ModelRequest) => {
  if (spent !== undefined) request.onSpent?.(spent);
  throw error;
};
const late = new ModelError('MODEL_TIMEOUT', 'late', { retryable: true });

describe('the spend of plays', () => {
  test.each([
    [
      'an answer that was cut at what it had used',
      failing(late, { inputTokens: 4, outputTokens: 3, isEstimate: false }),
      7,
    ],
    ['a request that timed out at its estimate', failing(late), ESTIMATE],
    ['an aborted request at its estimate', failing(new Error('stopped')), ESTIMATE],
    ['a request that was turned away as free', failing(new ModelError('MODEL_RATE_LIMIT', 'no', {})), 0],
  ])('counts %s', async (_name, send, cost) => {
    const spend = new LiveSpend();
    await expect(spend.ask(priced, REQUEST, send)).rejects.toThrow();
    expect(spend.cost).toBe(cost);
  });

  test('tells the caller what a cut answer has used', async () => {
    const spent: FailedUsage = { inputTokens: 4, outputTokens: 3, isEstimate: true };
    const heard: FailedUsage[] = [];
    const request = { ...REQUEST, onSpent: (usage: FailedUsage) => void heard.push(usage) };
    await expect(new LiveSpend().ask(priced, request, failing(late, spent))).rejects.toThrow('late');
    expect(heard).toEqual([spent]);
  });

  test('counts a request under way at its estimate until its answer arrives', async () => {
    const spend = new LiveSpend();
    const { promise, resolve } = Promise.withResolvers<ModelAnswer>();
    const asked = spend.ask(priced, REQUEST, () => promise);
    expect(spend.cost).toBe(ESTIMATE);
    resolve(ANSWER);
    await asked;
    expect(spend.cost).toBe(5);
  });

  test('refuses a request once failed ones have used the money up', async () => {
    const spend = new LiveSpend(50);
    await expect(spend.ask(priced, REQUEST, failing(late))).rejects.toThrow('late');
    await expect(spend.ask(priced, REQUEST, async () => ANSWER)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([spend.isOver, spend.hasRefused, spend.cost]).toEqual([true, true, ESTIMATE]);
  });
});
