import { deleteEntities } from '../guard/placeholder/entity-rows.ts';
import { bodyOf } from '../store/damaged-row.ts';
import type { Change, ChangeOf, Reader, Row } from '../store/store.ts';

/** What the store keeps of a conversation. Times are ISO 8601. */
export interface ConversationRecord {
  readonly id: string;
  readonly directorId: string;
  readonly directorName: string;
  /** Who asked the first question: a user id, or `mcp`. */
  readonly startedBy: string;
  /** The first question, in at most 200 characters. */
  readonly title: string;
  readonly createdAt: string;
}

/** The changes that store a new conversation with its first run. `at` in epoch milliseconds. */
export function insertConversation(record: ConversationRecord, runId: string, at: number): Change[] {
  const row = { id: record.id, director: record.directorId, at, body: JSON.stringify(record) };
  return [{ op: 'insert', table: 'conversation', row }, runChange(record.id, runId, at)];
}

/**
 * The changes that add a run to a conversation; `STORE_CONFLICT` where another run was added since the row was read, or
 * the conversation was deleted.
 */
export function addRun(row: Pick<Row<'conversation'>, 'id' | 'at'>, runId: string, now: number): Change[] {
  // Always later than before, so that of two runs that are added at once only one is stored.
  const at = Math.max(now, row.at + 1);
  return [{ ...unchanged(row), set: { at } }, runChange(row.id, runId, at)];
}

function runChange(conversation: string, run: string, at: number): Change {
  return { op: 'insert', table: 'conversationRun', row: { conversation, run, at } };
}

/** The record of a row. `STORE_DAMAGED`. */
export function conversationOfRow(row: Row<'conversation'>): ConversationRecord {
  return bodyOf<ConversationRecord>('conversation', row);
}

/** Ids of the runs of a conversation, the newest first. */
export async function runsOfConversation(reader: Reader, id: string): Promise<string[]> {
  const rows = await reader.list('conversationRun', {
    where: [['conversation', '=', id]],
    order: [
      ['at', 'desc'],
      ['run', 'desc'],
    ],
  });
  return rows.map(({ run }) => run);
}

/**
 * The changes that delete a conversation with its private values when its last run is deleted; nothing while it has other
 * runs, whose messages stay readable. `STORE_CONFLICT` where a run is added at this moment.
 */
export async function leaveConversation(reader: Reader, id: string, runId: string): Promise<Change[]> {
  const runs = await runsOfConversation(reader, id);
  return runs.some((run) => run !== runId) ? [] : deleteConversation(reader, id);
}

/** The changes that delete a conversation without runs. */
async function deleteConversation(reader: Reader, id: string): Promise<Change[]> {
  const [row] = await reader.list('conversation', { where: [['id', '=', id]], bodies: false });
  const bound: Change[] = row === undefined ? [] : [{ ...unchanged(row), set: { at: row.at } }];
  return [...bound, { op: 'delete', table: 'conversation', where: { id } }, ...deleteEntities(id)];
}

/**
 * Deletes conversations without runs whose last message came before `before` (epoch milliseconds): two processes that
 * delete the last two runs at the same moment leave one.
 */
export async function emptyConversations(reader: Reader, before: number): Promise<Change[][]> {
  const rows = await reader.list('conversation', { where: [['at', '<', before]], bodies: false });
  const empty: Change[][] = [];
  for (const { id } of rows)
    if ((await runsOfConversation(reader, id)).length === 0) empty.push(await deleteConversation(reader, id));
  return empty;
}

function unchanged({ id, at }: Pick<Row<'conversation'>, 'id' | 'at'>): Omit<ConversationUpdate, 'set'> {
  return { op: 'update', table: 'conversation', key: { id }, expect: { at } };
}

type ConversationUpdate = Extract<ChangeOf<'conversation'>, { readonly op: 'update' }>;
