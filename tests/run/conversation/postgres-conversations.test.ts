import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { deleteOldUploads } from '../../../engine/src/file/upload/upload-store.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { openDesk, type Desk, type Reply } from '../../api/harness.ts';
import { type PgliteServer, startPglite } from '../../postgres.ts';
import { call } from '../harness.ts';

const FILES = {
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [document]\npermissions: { allow: [document_read] }\nprivacy: { redact: [email] }\n',
};

let server: PgliteServer;
let store: Store;
let desk: Desk;
let sent = '';

beforeAll(async () => {
  server = await startPglite();
  store = await openPostgres({ database: server.database, log: silentLogger });
  desk = await openDesk({
    files: FILES,
    play: ({ messages, turn }) => {
      sent = JSON.stringify(messages);
      const asksForFile = turn === 1 && messages.at(-1)?.content?.includes('upload:');
      return asksForFile === true
        ? { tool_calls: [call('r', 'document_read', { document: 'upload:1' })] }
        : { content: 'noted' };
    },
    app: { storeHandle: { store, close: async () => {} } },
    serve: { isBrief: true },
  });
}, 60_000);
afterAll(async () => {
  await desk.close();
  await store.close();
  await server.stop();
});

type Started = Reply & { readonly conversationId: string };

async function ask(message: string, more: object = {}): Promise<Started> {
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message, ...more });
  expect(json.error).toBeUndefined();
  expect(await desk.stage.ended(json.id)).toMatchObject({ status: 'completed' });
  return json as Started;
}

async function upload(name: string, raw: string): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' };
  return (await desk.ask('POST', `/api/uploads?name=${name}`, { raw, headers })).json.id;
}

test('a conversation with a file on PostgreSQL is carried on, listed, and deleted with its runs', async () => {
  const file = await upload('a.txt', 'write to ada@example.org');
  const first = await ask('read it', { attachments: [file] });
  const { conversationId } = first;
  expect(sent).toContain('write to <EMAIL_1>');
  await ask('and now?', { conversationId });
  expect(sent).toContain('write to <EMAIL_1>');
  const both = await Promise.all(
    [1, 2].map((n) => desk.post('/api/runs', { directorId: 'boss', message: `at once ${n}`, conversationId })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  await desk.rest();
  const { json } = await desk.get('/api/conversations?kind=conversation');
  expect(json.items).toMatchObject([{ id: conversationId, runs: 3, title: 'read it' }]);
  await desk.ask('DELETE', `/api/runs/${first.id}`);
  expect(await store.count('uploadData')).toBe(0);
  expect((await desk.get(`/api/conversations/${conversationId}`)).json).toMatchObject({ runs: 2 });
  expect((await desk.ask('DELETE', `/api/conversations/${conversationId}`)).status).toBe(204);
  for (const table of ['conversation', 'conversationRun', 'entity', 'upload', 'message', 'redactedMessage'] as const)
    expect([table, await store.count(table)]).toEqual([table, 0]);
});

test('a file that nobody attaches is deleted on PostgreSQL, too', async () => {
  await upload('b.txt', 'beta');
  await deleteOldUploads(store, Date.now() + 2 * 86_400_000);
  expect([await store.count('upload'), await store.count('uploadData')]).toEqual([0, 0]);
});
