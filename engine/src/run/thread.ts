import { isoTime } from '../base/clock.ts';
import type { Message } from '../model/model.ts';
import type { Change, ChangeOf, Reader, Row } from '../store/store.ts';

export type ThreadStatus = 'ongoing' | 'completed' | 'failed' | 'expired';

/** One transcript, as the API gives it (seed 000, 3.2.8); lists leave `messages` out. Times are ISO 8601. */
export interface ConversationThread {
  readonly id: string;
  readonly kind: 'director' | 'agent';
  readonly runId: string;
  readonly workspaceId: string;
  readonly directorId: string;
  readonly agentId?: string;
  readonly emailId?: string;
  readonly parentThreadId?: string;
  readonly status: ThreadStatus;
  /** Only a director's thread is ever finalized. */
  readonly finalized: boolean;
  readonly createdAt: string;
  readonly lastActiveAt: string;
  readonly expiresAt?: string;
  readonly endedAt?: string;
  readonly messages?: readonly Message[];
}

/** What a row keeps: all but what follows from the messages. */
export type ThreadRecord = Omit<ConversationThread, 'lastActiveAt' | 'messages' | 'expiresAt'> & {
  /** Inactivity after which an agent's thread expires, in milliseconds. */
  readonly idleMs?: number;
};

function rowOf(record: ThreadRecord): Row<'thread'> {
  return {
    id: record.id,
    kind: record.kind,
    run: record.runId,
    director: record.directorId,
    agent: record.agentId ?? '',
    mail: record.emailId ?? '',
    status: record.status,
    body: JSON.stringify(record),
  };
}

/** The change that stores a new thread. */
export function insertThread(record: ThreadRecord): ChangeOf<'thread'> {
  return { op: 'insert', table: 'thread', row: rowOf(record) };
}

/** The change that ends a thread. */
export function endThread(record: ThreadRecord, status: ThreadStatus, now: number): ChangeOf<'thread'> {
  const finalized = record.kind === 'director' && status === 'completed';
  const { id, ...set } = rowOf({ ...record, status, finalized, endedAt: isoTime(now) });
  return { op: 'update', table: 'thread', key: { id }, set };
}

/** The record of a thread, or undefined. */
export async function readThread(reader: Reader, id: string): Promise<ThreadRecord | undefined> {
  const row = await reader.get('thread', { id });
  return row === undefined ? undefined : threadOf(row);
}

/** The record of a row. */
export function threadOf(row: Row<'thread'>): ThreadRecord {
  return JSON.parse(row.body) as ThreadRecord;
}

/** All messages of a thread in order. */
export async function readMessages(reader: Reader, threadId: string): Promise<Message[]> {
  const rows = await reader.list('message', { where: [['thread', '=', threadId]], order: [['seq', 'asc']] });
  return rows.map((row) => JSON.parse(row.body) as Message);
}

/** The change that appends a message; `seq` counts from 1. */
export function messageChange(threadId: string, seq: number, at: number, message: Message): Change {
  return { op: 'insert', table: 'message', row: { thread: threadId, seq, at, body: JSON.stringify(message) } };
}

/** A thread as the API gives it: when it was last active follows from its newest message. */
export async function viewThread(
  reader: Reader,
  record: ThreadRecord,
  options: { messages: boolean },
): Promise<ConversationThread> {
  const { idleMs, ...thread } = record;
  const [last] = await reader.list('message', {
    where: [['thread', '=', record.id]],
    order: [['seq', 'desc']],
    limit: 1,
  });
  const lastActive = last?.at ?? Date.parse(record.createdAt);
  return {
    ...thread,
    lastActiveAt: isoTime(lastActive),
    ...(idleMs !== undefined && record.status === 'ongoing' && { expiresAt: isoTime(lastActive + idleMs) }),
    ...(options.messages && { messages: await readMessages(reader, record.id) }),
  };
}
