import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { createIds } from '../../engine/src/base/id.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import { type Chat, type NewChatMessage, newChatId } from '../../engine/src/chat/chat.ts';
import {
  appendMessages,
  chatOfRow,
  deleteChat,
  insertChat,
  readChatRow,
  readMessages,
  updateChat,
} from '../../engine/src/chat/chat-rows.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { startPglite } from '../postgres.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const redactor = createRedactor();
redactor.add('sk-secret-value');
const how = { now: NOW, redactor };
const ids = createIds(new SimulatedClock(NOW));

const CHAT: Chat = {
  id: newChatId(ids, 'c'),
  ...{ title: 'Design review', context: 'We review the payment service.', participants: [], files: [], maxRounds: 3 },
  ...{ mentions: { caseSensitive: false }, archived: false, createdBy: 'jane' },
  createdAt: new Date(NOW).toISOString(),
  updatedAt: new Date(NOW).toISOString(),
};

const said = (text: string): NewChatMessage => ({
  id: newChatId(ids, 'm'),
  ...{ authorKind: 'user', authorId: 'user', authorDisplayName: 'Jane', text, meta: {} },
});

test('the id of a chat is c_ and a ULID, and ids sort by their time', () => {
  const clock = new SimulatedClock(NOW);
  const source = createIds(clock);
  const first = newChatId(source, 'c');
  clock.advance(1);
  expect(first).toMatch(/^c_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect([newChatId(source, 'c'), first].toSorted()[0]).toBe(first);
});

const dirs: string[] = [];
function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-chat-'));
  dirs.push(dir);
  return dir;
}

const STORES: readonly [string, () => Promise<{ store: Store; close: () => Promise<void> }>][] = [
  ['SQLite', async () => open(openSqlite({ dir: folder() }))],
  ['SQLite with a key', async () => open(openSqlite({ dir: folder(), key: randomBytes(32).toString('hex') }))],
  [
    'PostgreSQL',
    async () => {
      const server = await startPglite();
      const store = await openPostgres({ database: server.database, log: silentLogger });
      return open(store, () => server.stop());
    },
  ],
];

function open(store: Store, stop: () => Promise<void> = async () => {}): { store: Store; close: () => Promise<void> } {
  return { store, close: async () => (await store.close(), stop()) };
}

describe.each(STORES)('chats on %s', (_name, openStore) => {
  let store: Store;
  let close: () => Promise<void>;
  let chat: Chat;
  beforeAll(async () => {
    ({ store, close } = await openStore());
  }, 60_000);
  beforeEach(async () => {
    chat = { ...CHAT, id: newChatId(ids, 'c') };
    await store.apply([insertChat(chat, redactor)]);
  });
  afterAll(async () => {
    await close();
    for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  });

  const row = () => readChatRow(store, chat.id);

  async function append(...texts: readonly string[]): Promise<void> {
    const { changes } = await appendMessages(store, await row(), texts.map(said), how);
    await store.apply(changes);
  }

  test('a chat is read as it was stored', async () => {
    expect(chatOfRow(await row())).toEqual(chat);
  });

  test('messages are numbered from 1, and the newest page comes oldest first', async () => {
    await append('one', 'two');
    await append('three');
    const found = await readMessages(store, chat.id, { limit: 2 });
    expect(found.map(({ seq, text }) => [seq, text])).toEqual([
      [2, 'two'],
      [3, 'three'],
    ]);
    const earlier = await readMessages(store, chat.id, { limit: 2, before: 2 });
    expect(earlier).toMatchObject([{ seq: 1, text: 'one', authorDisplayName: 'Jane', authorId: 'user', meta: {} }]);
  });

  test('a message changes updatedAt, also within one millisecond', async () => {
    await append('one');
    expect(chatOfRow(await row()).updatedAt).toBe(new Date(NOW + 1).toISOString());
  });

  test('of two messages that are appended at once one is refused, so that it is numbered anew', async () => {
    const before = await row();
    const first = await appendMessages(store, before, [said('one')], how);
    const second = await appendMessages(store, before, [said('two')], how);
    await store.apply(first.changes);
    await expect(store.apply(second.changes)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  });

  test('nothing is appended to a chat that was deleted meanwhile', async () => {
    const { changes } = await appendMessages(store, await row(), [said('one')], how);
    await store.apply(deleteChat(chat.id));
    await expect(store.apply(changes)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    expect(await readMessages(store, chat.id, { limit: 5 })).toEqual([]);
  });

  test('a chat is renamed and archived', async () => {
    const before = await row();
    await store.apply([updateChat(before, { ...chat, title: 'Review', archived: true }, how)]);
    expect(chatOfRow(await row())).toMatchObject({ title: 'Review', archived: true });
    expect((await row()).status).toBe('archived');
  });

  test('a secret is not stored, in a message or in a chat', async () => {
    await append('the key is sk-secret-value');
    await store.apply([updateChat(await row(), { ...chat, context: 'key sk-secret-value' }, how)]);
    const [message] = await readMessages(store, chat.id, { limit: 1 });
    expect(message?.text).toBe('the key is [redacted]');
    expect(chatOfRow(await row()).context).toBe('key [redacted]');
  });

  test('a deleted chat takes its messages, rounds and changes of files with it', async () => {
    await append('one');
    const more = { chat: chat.id, at: NOW, body: '{}' };
    await store.apply([
      { op: 'insert', table: 'chatRound', row: { id: `${chat.id}/1`, status: 'open', rev: 1, ...more } },
      { op: 'insert', table: 'chatRound', row: { id: `${chat.id}/2`, status: 'done', rev: 1, ...more } },
      { op: 'insert', table: 'chatChange', row: { id: chat.id, status: 'open', ...more } },
    ]);
    await store.apply(deleteChat(chat.id));
    expect(await store.count('chat', [['id', '=', chat.id]])).toBe(0);
    for (const table of ['chatMessage', 'chatRound', 'chatChange'] as const)
      expect(await store.count(table, [['chat', '=', chat.id]]), table).toBe(0);
  });
});

test('what a chat says is not in the file of an encrypted store', async () => {
  const dir = folder();
  const store = openSqlite({ dir, key: randomBytes(32).toString('hex') });
  await store.apply([insertChat({ ...CHAT, title: 'quokka title' }, redactor)]);
  const { changes } = await appendMessages(store, await readChatRow(store, CHAT.id), [said('quokka marmalade')], how);
  await store.apply(changes);
  await store.close();
  expect(readFileSync(join(dir, 'callsheet.db')).includes('quokka')).toBe(false);
  rmSync(dir, { recursive: true, force: true });
});
