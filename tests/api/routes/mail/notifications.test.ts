import { afterEach, beforeEach, expect, test } from 'vitest';
import { notificationChanges } from '../../../../engine/src/notification/notification-rows.ts';
import type { LiveEvent } from '../../../../engine/src/trace/live-bus.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
let told: LiveEvent['data'][];
beforeEach(async () => {
  desk = await openDesk();
  told = [];
  desk.stage.app.deps.live.subscribe(({ name, data }) => void (name === 'notification' && told.push(data)));
  const { store } = desk.stage.app.deps;
  for (const [n, at] of [1, 5, 5, 9].entries())
    await store.apply(
      notificationChanges(
        { kind: 'message', title: `number ${n}`, text: '' },
        { id: `ntf_${n}`, now: at, channels: [] },
      ),
    );
});
afterEach(() => desk.close());

const list = async (query = '') => {
  const { json } = await desk.get(`/api/notifications${query}`);
  const { unread } = json as unknown as { unread: number };
  return { titles: json.items.map((item) => item['title']), unread, cursor: json.nextCursor };
};

test('notifications are listed newest first, page by page, with the number of unread ones', async () => {
  const first = await list('?limit=2');
  expect(first).toMatchObject({ titles: ['number 3', 'number 2'], unread: 4 });
  const second = await list(`?limit=2&cursor=${first.cursor}`);
  expect(second).toEqual({ titles: ['number 1', 'number 0'], unread: 4, cursor: null });
});

test('one is marked as read, and as unread again', async () => {
  const read = await desk.ask('PUT', '/api/notifications/ntf_1', { body: { status: 'read' } });
  expect(read.json).toMatchObject({ id: 'ntf_1', status: 'read', title: 'number 1' });
  expect(await list('?status=unread')).toMatchObject({ titles: ['number 3', 'number 2', 'number 0'], unread: 3 });
  expect(await list('?status=read')).toMatchObject({ titles: ['number 1'] });
  await desk.ask('PUT', '/api/notifications/ntf_1', { body: { status: 'unread' } });
  expect((await list()).unread).toBe(4);
  expect(told).toEqual([
    { id: 'ntf_1', status: 'read' },
    { id: 'ntf_1', status: 'unread' },
  ]);
});

test('all are marked as read', async () => {
  const answer = await desk.post('/api/notifications/read');
  expect(JSON.parse(answer.text)).toEqual({ marked: 4 });
  expect(await list()).toMatchObject({ unread: 0 });
  expect(JSON.parse((await desk.post('/api/notifications/read')).text)).toEqual({ marked: 0 });
  expect(told).toEqual([{ status: 'read' }]);
});

test('one that there is not, and another status, are refused', async () => {
  const gone = await desk.ask('PUT', '/api/notifications/ntf_none', { body: { status: 'read' } });
  expect([gone.status, gone.json.error.code]).toEqual([404, 'NOT_FOUND']);
  const odd = await desk.ask('PUT', '/api/notifications/ntf_1', { body: { status: 'gone' } });
  expect([odd.status, odd.json.error.code]).toEqual([400, 'BAD_REQUEST']);
});
