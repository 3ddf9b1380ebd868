import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReminders } from '../../../../engine/src/agenda/reminders.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
const ids: string[] = [];
beforeEach(async () => {
  desk = await openDesk();
  const reminders = createReminders({ ...desk.stage.app.deps, onChange: () => {} });
  ids.length = 0;
  for (const [text, due] of [
    ['second', 5000],
    ['first', 1000],
    ['third', 5001],
  ] as const)
    ids.push((await reminders.add({ text, timeZone: 'UTC' }, { key: text, due: due + Date.UTC(2099, 0) })).id);
});
afterEach(() => desk.close());

const texts = async (query = '') => (await desk.get(`/api/reminders${query}`)).json.items.map((item) => item['text']);

test('open reminders are listed by their time, page by page', async () => {
  expect(await texts()).toEqual(['first', 'second', 'third']);
  const { json } = await desk.get('/api/reminders?limit=2');
  expect(json.items[0]).toMatchObject({ status: 'open', dueAt: '2099-01-01T00:00:01.000Z' });
  expect(await texts(`?limit=2&cursor=${json.nextCursor}`)).toEqual(['third']);
});

test('one is cancelled, also a second time, and found among the cancelled ones', async () => {
  for (let n = 0; n < 2; n++)
    expect((await desk.ask('DELETE', `/api/reminders/${ids[0]}`)).json).toMatchObject({ status: 'cancelled' });
  expect(await texts()).toEqual(['first', 'third']);
  expect(await texts('?status=cancelled')).toEqual(['second']);
  const gone = await desk.ask('DELETE', '/api/reminders/rem_none');
  expect([gone.status, gone.json.error.code]).toEqual([404, 'NOT_FOUND']);
});

test('one that was due cannot be cancelled', async () => {
  const key = { id: ids[1] ?? '' };
  await desk.stage.app.deps.store.apply([{ op: 'update', table: 'reminder', key, set: { status: 'fired' } }]);
  const answer = await desk.ask('DELETE', `/api/reminders/${key.id}`);
  expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
});
