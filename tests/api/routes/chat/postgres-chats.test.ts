import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import type { Chat, ChatMessage } from '../../../../engine/src/chat/chat.ts';
import { openPostgres } from '../../../../engine/src/store/postgres/postgres-store.ts';
import type { Store } from '../../../../engine/src/store/store.ts';
import { type PgliteServer, startPglite } from '../../../postgres.ts';
import { type Desk, openDesk } from '../../harness.ts';

let server: PgliteServer;
let store: Store;
let desk: Desk;
beforeAll(async () => {
  server = await startPglite();
  store = await openPostgres({ database: server.database, log: silentLogger });
  desk = await openDesk({ app: { storeHandle: { store, close: async () => {} } }, serve: { isBrief: true } });
}, 60_000);
afterAll(async () => {
  await desk.close();
  await store.close();
  await server.stop();
});

const create = async (body: object) => (await desk.post('/api/chats', body)).json as unknown as Chat;
const page = async (path: string) => (await desk.get(path)).json;

test('chats on PostgreSQL are listed by their last change, with messages that were sent at once, and deleted', async () => {
  const first = await create({ title: 'first', participants: [{ displayName: 'Ada', apiConfigId: 'main' }] });
  const second = await create({ title: 'second' });
  const path = `/api/chats/${first.id}/messages`;
  const sent = await Promise.all(Array.from({ length: 5 }, (_, n) => desk.post(path, { text: `message ${n}` })));
  expect(sent.map(({ json }) => (json as unknown as ChatMessage).seq).toSorted()).toEqual([1, 2, 3, 4, 5]);
  const newest = await page('/api/chats?limit=1');
  expect(newest.items.map(({ id }) => id)).toEqual([first.id]);
  expect((await page(`/api/chats?limit=1&cursor=${newest.nextCursor}`)).items.map(({ id }) => id)).toEqual([second.id]);
  const last = await page(`${path}?limit=2`);
  expect(last.items.map((message) => message['seq'])).toEqual([4, 5]);
  expect((await page(`${path}?limit=3&cursor=${last.nextCursor}`)).items.map((message) => message['seq'])).toEqual([
    1, 2, 3,
  ]);
  expect((await desk.ask('DELETE', `/api/chats/${first.id}`)).status).toBe(204);
  expect(await store.count('chat', [['id', '=', first.id]])).toBe(0);
  expect(await store.count('chatMessage', [['chat', '=', first.id]])).toBe(0);
});

test('an imported chat on PostgreSQL is equal to the exported one', async () => {
  const { round: _round, ...chat } = await create({ title: 'away' });
  const { json } = await desk.post(`/api/chats/${chat.id}/messages`, { text: 'hello' });
  const exported = (await desk.get(`/api/chats/${chat.id}`)).json;
  await desk.ask('DELETE', `/api/chats/${chat.id}`);
  const { seq: _seq, ...message } = json as unknown as ChatMessage;
  await desk.post('/api/chats/import', { chat: exported, messages: [message], isComplete: true });
  expect((await desk.get(`/api/chats/${chat.id}`)).json).toEqual(exported);
  expect((await page(`/api/chats/${chat.id}/messages`)).items).toEqual([json]);
});
