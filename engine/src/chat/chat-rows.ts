import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { type Redactor, redactValue } from '../base/redact.ts';
import { deleteEntities } from '../guard/placeholder/entity-rows.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { SESSION_STATUSES } from './session-rows.ts';
import { SUMMARY_STATUSES } from './summary-rows.ts';
import type { Change, Reader, Row } from '../store/store.ts';
import type { Chat, ChatMessage, NewChatMessage } from './chat.ts';

/** What the store keeps of a chat besides its columns. */
type StoredChat = Omit<Chat, 'id' | 'archived' | 'updatedAt' | 'round'>;
type StoredMessage = Omit<ChatMessage, 'id' | 'seq' | 'ts'>;

/** The chat of a row. `STORE_DAMAGED`. */
export function chatOfRow(row: Row<'chat'>): Chat {
  const archived = row.status === 'archived';
  return { id: row.id, ...bodyOf<StoredChat>('chat', row), archived, updatedAt: isoTime(row.at) };
}

/** The row of a chat. `NOT_FOUND`. */
export async function readChatRow(reader: Reader, id: string): Promise<Row<'chat'>> {
  const row = await reader.get('chat', { id });
  if (row !== undefined) return row;
  throw new EngineError('NOT_FOUND', `there is no chat "${id.slice(0, 100)}"`, {
    hint: 'callsheet chats list shows them',
  });
}

/** The change that stores a new chat. */
export function insertChat(chat: Chat, redactor: Pick<Redactor, 'text'>): Change {
  const { id, archived } = chat;
  const at = Date.parse(chat.updatedAt);
  const row = { id, status: archived ? 'archived' : 'open', at, body: bodyText(chat, redactor) };
  return { op: 'insert', table: 'chat', row };
}

/**
 * The change that stores a chat with new values; `STORE_CONFLICT` where it was changed or deleted, or got a message, since
 * the row was read. `now` in epoch milliseconds.
 */
export function updateChat(
  row: Pick<Row<'chat'>, 'id' | 'at'>,
  chat: Chat,
  { now, redactor }: { readonly now: number; readonly redactor: Pick<Redactor, 'text'> },
): Change {
  const set = { status: chat.archived ? 'archived' : 'open', at: later(row, now), body: bodyText(chat, redactor) };
  return { op: 'update', table: 'chat', key: { id: row.id }, set, expect: { at: row.at } };
}

/** The change that archives a chat, also one whose body cannot be read; `STORE_CONFLICT` as `updateChat`. */
export function archiveChat(row: Pick<Row<'chat'>, 'id' | 'at'>, now: number): Change {
  const set = { status: 'archived', at: later(row, now) };
  return { op: 'update', table: 'chat', key: { id: row.id }, set, expect: { at: row.at } };
}

/**
 * The changes that append messages in their order, and the messages as stored. `STORE_CONFLICT` where the chat was changed or
 * deleted, or got a message, since the row was read: read it again. `now` in epoch milliseconds.
 */
export async function appendMessages(
  reader: Reader,
  row: Pick<Row<'chat'>, 'id' | 'at'>,
  messages: readonly NewChatMessage[],
  { now, redactor }: { readonly now: number; readonly redactor: Pick<Redactor, 'text'> },
): Promise<{ readonly changes: Change[]; readonly messages: readonly ChatMessage[] }> {
  const at = later(row, now);
  const first = (await lastSeq(reader, row.id)) + 1;
  const stored = messages.map((message, n) => ({
    ...redactValue(redactor, message),
    seq: first + n,
    ts: isoTime(at),
  }));
  const changes: Change[] = [{ op: 'update', table: 'chat', key: { id: row.id }, set: { at }, expect: { at: row.at } }];
  return { changes: [...changes, ...stored.map((message) => insertMessage(row.id, message))], messages: stored };
}

/** The change that stores a message as it is. */
export function insertMessage(chat: string, { id, seq, ts, ...stored }: ChatMessage): Change {
  const body = JSON.stringify(stored satisfies StoredMessage);
  return { op: 'insert', table: 'chatMessage', row: { chat, seq, id, at: Date.parse(ts), body } };
}

/** The message of a row. `STORE_DAMAGED`. */
export function messageOfRow(row: Row<'chatMessage'>): ChatMessage {
  return { id: row.id, seq: row.seq, ts: isoTime(row.at), ...bodyOf<StoredMessage>('chatMessage', row) };
}

/** The newest messages of a chat before the number `before`, at most `limit`, oldest first. */
export async function readMessages(
  reader: Reader,
  chat: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<ChatMessage[]> {
  const rows = await reader.list('chatMessage', {
    where: [
      ['chat', '=', chat],
      ['seq', '<', before],
    ],
    order: [['seq', 'desc']],
    limit,
  });
  return rows.toReversed().map(messageOfRow);
}

/** Number of the last message of a chat; 0 for none. */
export async function lastSeq(reader: Reader, chat: string): Promise<number> {
  const [last] = await reader.list('chatMessage', {
    where: [['chat', '=', chat]],
    order: [['seq', 'desc']],
    limit: 1,
    bodies: false,
  });
  return last?.seq ?? 0;
}

/** The changes that delete a chat with its messages, rounds, changes of files and private values. Its runs are deleted as others are. */
export function deleteChat(chat: string): Change[] {
  return [
    { op: 'delete', table: 'chat', where: { id: chat } },
    { op: 'delete', table: 'chatMessage', where: { chat } },
    // With the status, so that the index finds them.
    ...(['open', 'done', ...SESSION_STATUSES, ...SUMMARY_STATUSES] as const).map((status): Change => ({
      op: 'delete',
      table: 'chatRound',
      where: { status, chat },
    })),
    { op: 'delete', table: 'chatChange', where: { chat } },
    ...deleteEntities(chat),
  ];
}

function bodyText(chat: Chat, redactor: Pick<Redactor, 'text'>): string {
  const { id: _id, archived: _archived, updatedAt: _updated, round: _round, ...stored } = chat;
  return JSON.stringify(redactValue(redactor, stored satisfies StoredChat));
}

/** Always later than before, so that of two changes that are made at once only one is stored. */
function later({ at }: Pick<Row<'chat'>, 'at'>, now: number): number {
  return Math.max(now, at + 1);
}
