import { afterEach, expect, test } from 'vitest';
import { spendChange } from '../../../../engine/src/budget/spend.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

test('spending is told by day, director and api, and an unknown price stays unknown', async () => {
  desk = await openDesk();
  const { store, clock } = desk.stage.app.deps;
  const known = { turns: 1, inputTokens: 10, outputTokens: 2, cost: 0.5 };
  const unknown = { turns: 2, inputTokens: 20, outputTokens: 4, cost: null };
  await store.apply([
    spendChange(clock.now(), 'run_1', 'boss', { main: known }),
    spendChange(clock.now(), 'run_2', 'boss', { main: known, local: unknown }),
    spendChange(clock.now() - 40 * 24 * 3_600_000, 'run_0', 'boss', { main: known }),
  ]);
  const { json } = await desk.ask('GET', '/api/spend?days=30');
  expect(json).toMatchObject({
    items: [
      { directorId: 'boss', apiId: 'main', runs: 2, turns: 2, inputTokens: 20, cost: 1 },
      { directorId: 'boss', apiId: 'local', runs: 1, turns: 2, cost: null },
    ],
  });
  expect((await desk.ask('GET', '/api/spend?days=0')).status).toBe(400);
});

test('the answer names the budget of a day, and lists the runs of a day in pages', async () => {
  desk = await openDesk();
  const { store, clock } = desk.stage.app.deps;
  const use = { turns: 1, inputTokens: 10, outputTokens: 2, cost: 0.5 };
  await store.apply([
    spendChange(clock.now(), 'run_1', 'boss', { main: use, local: use }),
    spendChange(clock.now(), 'run_2', '', { main: use }, { agentId: 'helper' }),
    spendChange(clock.now(), 'embeddings', '', { main: use }),
    spendChange(clock.now() - 24 * 3_600_000, 'run_0', 'boss', { main: use }),
  ]);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  expect((await desk.ask('GET', '/api/spend')).json).toMatchObject({ today: day, budget: {} });
  const first = await desk.ask('GET', `/api/spend/runs?day=${day}&limit=1`);
  expect(first.json).toMatchObject({
    items: [{ runId: 'run_1', directorId: 'boss', turns: 2, inputTokens: 20, cost: 1 }],
  });
  const { nextCursor } = first.json as { nextCursor: string };
  const next = await desk.ask('GET', `/api/spend/runs?day=${day}&cursor=${nextCursor}`);
  expect(next.json).toMatchObject({ items: [{ runId: 'run_2', agentId: 'helper' }], nextCursor: null });
  expect((await desk.ask('GET', '/api/spend/runs?day=yesterday')).status).toBe(400);
});

test('a participant of a chat is told with its name', async () => {
  desk = await openDesk();
  const { store, clock } = desk.stage.app.deps;
  const use = { turns: 1, inputTokens: 10, outputTokens: 2, cost: 0.5 };
  const ann = { agentId: 'a_1', agentName: 'Ann' };
  await store.apply([spendChange(clock.now(), 'run_1', '', { main: use }, ann)]);
  expect((await desk.ask('GET', '/api/spend')).json).toMatchObject({ items: [{ ...ann, cost: 0.5 }] });
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  expect((await desk.ask('GET', `/api/spend/runs?day=${day}`)).json).toMatchObject({ items: [ann] });
});
