import { afterEach, expect, test } from 'vitest';
import { addSpent, NO_MODEL_USE } from '../../engine/src/budget/spend.ts';
import { costOf } from '../../engine/src/model/prices.ts';
import { sumUsage } from '../../engine/src/trace/trace-tree.ts';
import { type Desk, openDesk, TOKEN } from '../api/harness.ts';
import { createMetrics } from '../../engine/src/trace/metrics.ts';
import { call } from '../run/harness.ts';

const use = (cost: number | null) => ({ ...NO_MODEL_USE, cost });

let desk: Desk | undefined;
afterEach(() => desk?.close());

test('sums of costs have no binary fractions', () => {
  expect(addSpent(use(0.1), use(0.2)).cost).toBe(0.3);
  const nodes = [0.1, 0.2, 0.0000007].map((cost) => ({ inputTokens: 1, outputTokens: 1, cost }));
  expect(sumUsage(nodes)?.cost).toBe(0.3000007);
  let sum = use(0);
  for (let n = 0; n < 1000; n++) sum = addSpent(sum, use(0.000011));
  expect(sum.cost).toBe(0.011);
  expect(addSpent(use(0.1), use(null)).cost).toBeNull();
});

test('a small cost is not rounded to nothing', () => {
  const price = { inputPerMillion: 0.07, outputPerMillion: 0.3 };
  expect(costOf({ inputTokens: 3, outputTokens: 1 }, price)).toBe(0.00000051);
});

test('costs are shown without binary fractions: by run, by event, by day, in the tree and in metrics', async () => {
  desk = await openDesk({
    files: {
      'apis/main.yaml':
        'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nprice: { inputPerMillion: 10000, outputPerMillion: 0 }\n',
    },
    play: ({ turn }) => (turn < 3 ? { tool_calls: [call(`c${turn}`, 'list_agents', {})] } : { content: 'done' }),
    app: { metrics: await createMetrics({ version: 'test', hasProcess: false }) },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.rest();
  const run = await desk.get(`/api/runs/${json.id}`);
  expect(run.json.usage.cost).toBe(0.3);
  const events = await desk.get(`/api/provider-events?threadId=${run.json.dirThreadId}`);
  expect(events.json.items.map(({ kind, cost }) => [kind, cost])).toEqual(
    [1, 2, 3].flatMap(() => [
      ['request', undefined],
      ['response', 0.1],
    ]),
  );
  const spend = await desk.get('/api/spend');
  expect(spend.json.items).toMatchObject([{ cost: 0.3 }]);
  const tree = await desk.get(`/api/diagnostics/unified?runId=${json.id}`);
  const metrics = await desk.ask('GET', '/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(metrics.text).toMatch(/^callsheet_model_cost_dollars_total\{.*\} 0\.3$/m);
  const costs = metrics.text.split('\n').filter((line) => line.includes('cost'));
  expect(costs.length).toBeGreaterThan(0);
  for (const text of [...[run, events, spend, tree].map((answer) => answer.text), ...costs])
    expect(text).not.toMatch(/\d\.\d{12,}/);
});

test('an event without a known price has the cost null', async () => {
  desk = await openDesk();
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.rest();
  const { dirThreadId } = (await desk.get(`/api/runs/${json.id}`)).json;
  const events = await desk.get(`/api/provider-events?threadId=${dirThreadId}`);
  expect(events.json.items.map(({ cost }) => cost)).toEqual([undefined, null]);
});
