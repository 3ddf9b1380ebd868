import { EngineError } from '../../base/error.ts';
import { redactValue } from '../../base/redact.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import type { Chat } from '../chat.ts';
import { chatOfRow, deleteChat, insertChat, insertMessage, lastSeq, readChatRow } from '../chat-rows.ts';
import type { ExportedChat, ExportedMessage } from './exported-chat.ts';

type ImportDependencies = Pick<Dependencies, 'store' | 'redactor' | 'live'>;

/** Statuses of chats that are not here as a whole yet: no list shows them, and only they take messages of others. */
const IMPORTING = { open: 'importing', archived: 'importingArchived' } as const;

/**
 * Begins to import a chat; one whose import broke off begins anew. No list shows it before `endImport`. `CONFLICT` where a chat
 * with its id is here.
 */
export async function beginImport({ store, redactor }: ImportDependencies, chat: ExportedChat): Promise<void> {
  const before = await store.get('chat', { id: chat.id });
  if (before !== undefined && !isImporting(before.status))
    throw new EngineError('CONFLICT', `a chat with the id ${chat.id} is here already`, {
      hint: 'delete it first: what was imported replaces no chat',
    });
  const inserted = insertChat(chat, redactor);
  if (inserted.op !== 'insert' || inserted.table !== 'chat') throw new EngineError('INTERNAL', 'no row of a chat');
  const status = IMPORTING[chat.archived ? 'archived' : 'open'];
  await store.apply([
    ...(before === undefined ? [] : deleteChat(chat.id)),
    { ...inserted, row: { ...inserted.row, status } },
  ]);
}

/** Adds the next messages to a chat that is being imported. `CONFLICT` for any other chat. */
export async function importMessages(
  { store, redactor }: ImportDependencies,
  id: string,
  messages: readonly ExportedMessage[],
): Promise<void> {
  await readImport({ store }, id);
  const first = (await lastSeq(store, id)) + 1;
  await store.apply(
    messages.map((message, n) => insertMessage(id, { ...redactValue(redactor, message), seq: first + n })),
  );
}

/** Ends the import of a chat: it is listed from now on. `CONFLICT` for any other chat. */
export async function endImport({ store, live }: ImportDependencies, id: string): Promise<Chat> {
  const { status } = await readImport({ store }, id);
  const set = { status: status === IMPORTING.archived ? 'archived' : 'open' };
  await store.apply([{ op: 'update', table: 'chat', key: { id }, set, expect: { status } }]);
  live.publish('chat', { id, change: 'created' });
  return chatOfRow(await readChatRow(store, id));
}

async function readImport({ store }: Pick<Dependencies, 'store'>, id: string) {
  const row = await readChatRow(store, id);
  if (isImporting(row.status)) return row;
  throw new EngineError('CONFLICT', `the chat ${id} is not being imported`);
}

function isImporting(status: string): boolean {
  return status === IMPORTING.open || status === IMPORTING.archived;
}
