import { afterEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../api/harness.ts';

let desk: Desk;
afterEach(() => desk.close());

test('an answer of a million levels that an earlier version stored is shown as text, and hides nothing', async () => {
  desk = await openDesk();
  const id = await desk.stage.begin();
  const { dirThreadId } = await desk.stage.ended(id);
  const { store } = desk.stage.app.deps;
  const rows = await store.list('event', { where: [['thread', '=', dirThreadId]], order: [['seq', 'desc']], limit: 1 });
  const [row] = rows;
  const payload = `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
  const body = JSON.stringify({ ...(JSON.parse(row!.body) as object), payload });
  await store.apply([{ op: 'put', table: 'event', row: { ...row!, body } }]);
  const list = await desk.get(`/api/provider-events?threadId=${dirThreadId}`);
  const shown = list.json.items.find(({ id: event }) => event === `${dirThreadId}.${row!.seq}`);
  expect([list.status, shown?.['payload']]).toEqual([200, payload]);
  expect((await desk.get(`/api/diagnostics/unified/${dirThreadId}.${row!.seq}`)).status).toBe(200);
  expect((await desk.get(`/api/diagnostics/unified?runId=${id}`)).status).toBe(200);
});
