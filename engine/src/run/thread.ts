import { isoTime } from '../base/clock.ts';
import type { Message } from '../model/model.ts';
import type { Change, ChangeOf, Reader, Row } from '../store/store.ts';

export type ThreadStatus = 'ongoing' | 'completed' | 'failed' | 'expired';

/** One transcript, as the API gives it (seed 000, 3.2.8); lists leave `messages` out. Times are ISO 8601. */
export interface ConversationThread {
  readonly id: string;
  readonly kind: 'director' | 'agent';
  /** Of a session that a person opened: the run of its newest message, `''` before the first. */
  readonly runId: string;
  readonly workspaceId: string;
  /** `''` in a session that a person opened. */
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

/** What is kept of a session that a person opened. */
export interface PersonSession {
  readonly by: string;
  readonly agentName: string;
  /** When it was opened, or when the work on its last message was over, in epoch milliseconds. */
  readonly idleSince: number;
  /** Runs of its messages, oldest first. */
  readonly runs: readonly string[];
  /** What the agent was introduced with last, as a hash. */
  readonly prompt?: string;
}

/**
 * What a row keeps: all but what follows from the messages. `runId` of a session that a person opened is the run at work in
 * it, or `''`.
 */
export type ThreadRecord = Omit<ConversationThread, 'lastActiveAt' | 'messages' | 'expiresAt'> & {
  /** Inactivity after which an agent's thread expires, in milliseconds. */
  readonly idleMs?: number;
  readonly opened?: PersonSession;
};

function rowOf(record: ThreadRecord): Row<'thread'> {
  return {
    id: record.id,
    kind: record.kind,
    run: workColumn(record),
    director: record.directorId,
    agent: record.agentId ?? '',
    mail: record.emailId ?? '',
    status: record.status,
    body: JSON.stringify(record),
  };
}

/**
 * The run that a thread belongs to. Of a session that a person opened: the one at work, or after which one it waits, so that
 * the column changes with every message and two that come at once cannot both be taken.
 */
function workColumn({ runId, opened }: ThreadRecord): string {
  return opened === undefined || runId !== '' ? runId : `after ${opened.runs.at(-1) ?? 'none'}`;
}

/** What a session's row says while nobody has changed it since it was read. */
export function unchanged(record: ThreadRecord): Partial<Row<'thread'>> {
  return { status: record.status, run: workColumn(record) };
}

/** The change that stores a new thread. */
export function insertThread(record: ThreadRecord): ChangeOf<'thread'> {
  return { op: 'insert', table: 'thread', row: rowOf(record) };
}

/** The change that replaces a thread, where it is still as `expect` says: `STORE_CONFLICT`. */
export function updateThread(record: ThreadRecord, expect?: Partial<Row<'thread'>>): ChangeOf<'thread'> {
  const { id, ...set } = rowOf(record);
  return { op: 'update', table: 'thread', key: { id }, set, ...(expect !== undefined && { expect }) };
}

/** The change that ends a thread, where it is still as `expect` says. */
export function endThread(
  record: ThreadRecord,
  status: ThreadStatus,
  now: number,
  expect?: Partial<Row<'thread'>>,
): ChangeOf<'thread'> {
  const finalized = record.kind === 'director' && status === 'completed';
  return updateThread({ ...record, status, finalized, endedAt: isoTime(now) }, expect);
}

/** The change with which a run leaves a thread: one of its own ends, a person's session waits for the next message. */
export function leaveThread(record: ThreadRecord, status: ThreadStatus, now: number): ChangeOf<'thread'> {
  const { opened } = record;
  if (opened === undefined) return endThread(record, status, now);
  return updateThread({ ...record, runId: '', opened: { ...opened, idleSince: now } });
}

/** When a session that a person opened expires, in epoch milliseconds; never while something is worked in it. */
export function expiryOf({ opened, runId, idleMs = 0 }: ThreadRecord): number {
  return opened === undefined || runId !== '' ? Infinity : opened.idleSince + idleMs;
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

/** A thread as the API gives it at `now`: when it was last active follows from its newest message. */
export async function viewThread(
  reader: Reader,
  record: ThreadRecord,
  options: { messages: boolean; now: number },
): Promise<ConversationThread> {
  const { idleMs, opened, ...thread } = record;
  const [last] = await reader.list('message', {
    where: [['thread', '=', record.id]],
    order: [['seq', 'desc']],
    limit: 1,
  });
  const lastActive = Math.max(last?.at ?? Date.parse(record.createdAt), opened?.idleSince ?? 0);
  const isExpired = record.status === 'ongoing' && expiryOf(record) <= options.now;
  const isIdle = record.status === 'ongoing' && (opened === undefined || record.runId === '');
  return {
    ...thread,
    ...(opened !== undefined && { runId: opened.runs.at(-1) ?? '' }),
    ...(isExpired && { status: 'expired' as const, endedAt: isoTime(expiryOf(record)) }),
    lastActiveAt: isoTime(lastActive),
    ...(idleMs !== undefined && isIdle && !isExpired && { expiresAt: isoTime(lastActive + idleMs) }),
    ...(options.messages && { messages: await readMessages(reader, record.id) }),
  };
}
