import { isoTime } from '../base/clock.ts';
import type { Taint } from '../guard/taint.ts';
import type { Message } from '../model/model.ts';
import { listBounded } from '../store/bounded-list.ts';
import type { Change, ChangeOf, Reader, Row } from '../store/store.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { addMetrics, type RunMetrics, type SessionMetrics } from './session-metrics.ts';

/** Messages in one answer, at most. */
const MAX_MESSAGES = 10_000;

/** Status of a thread; only sessions expire. */
export type ThreadStatus = 'ongoing' | 'completed' | 'failed' | 'expired';

/** The summary of the first messages of a thread, which models get in their place. The messages stay in the thread. */
export interface ThreadSummary {
  /** Number of messages that are left out, but for system messages. */
  readonly upTo: number;
  /** Written by the model; `''` where the first attempt failed. */
  readonly text: string;
  /** Number of messages that the text covers; below `upTo` where the last attempt failed. */
  readonly textUpTo: number;
}

/** A transcript as the API serves it (seed 000, 3.2.8); lists leave `messages` out. Times are ISO 8601. */
export interface ConversationThread {
  readonly id: string;
  readonly kind: 'director' | 'agent';
  /** In a session that a person opened: the run of the newest message, `''` before the first. */
  readonly runId: string;
  readonly workspaceId: string;
  /** `''` in a session that a person opened. */
  readonly directorId: string;
  readonly agentId?: string;
  readonly emailId?: string;
  readonly parentThreadId?: string;
  /** The role of the run that the thread belongs to, such as `planner`; absent in all other threads. */
  readonly role?: string;
  readonly status: ThreadStatus;
  /** True only for the thread of a director whose run completed. */
  readonly finalized: boolean;
  readonly createdAt: string;
  readonly lastActiveAt: string;
  readonly expiresAt?: string;
  readonly endedAt?: string;
  /** Set once the thread has read text that strangers may have written. */
  readonly taint?: Taint;
  /** What models get in place of the first messages; absent while they get the whole thread. */
  readonly summary?: ThreadSummary;
  /** In a conversation: the number of messages before those that were taken over from its earlier runs, and of these. */
  readonly earlier?: { readonly from: number; readonly count: number };
  readonly messages?: readonly Message[];
  /** Set where the thread has more messages than one answer holds: the next ones come with `?after=` and this number. */
  readonly moreAfter?: number;
}

/** Messages of a thread that follow each other: the number of those before them, and of these. */
export interface MessageSpan {
  readonly from: number;
  readonly count: number;
}

/** What the store keeps of a session that a person opened. */
export interface PersonSession {
  readonly by: string;
  readonly agentName: string;
  /** When the session was opened, or the work on its last message ended, in epoch milliseconds. */
  readonly idleSince: number;
  /** Ids of the runs on its messages, oldest first. */
  readonly runs: readonly string[];
  /** Hash of the prompt that the agent got last. */
  readonly prompt?: string;
  /** The messages of the thread that came from prompts: instructions, examples and memories. Absent in threads of older versions. */
  readonly prompts?: readonly MessageSpan[];
  /** The task that the session was opened for. */
  readonly taskId?: string;
  /** The group chat whose turn the thread is: it takes no other message. */
  readonly chatId?: string;
  /** The prompt of that turn, until its run begins and appends it as a message. */
  readonly first?: string;
  /** Of the runs that have ended. */
  readonly metrics?: SessionMetrics;
}

/**
 * A stored thread: all fields that do not follow from the messages. In a session that a person opened, `runId` is the
 * run that works now, or `''`.
 */
export type ThreadRecord = Omit<ConversationThread, 'lastActiveAt' | 'messages' | 'expiresAt' | 'taint'> & {
  /** Null: nothing has tainted it so far. Absent in threads of older versions, of which nobody knows. */
  readonly taint?: Taint | null;
  /** Inactivity after which an agent's thread expires, in milliseconds. */
  readonly idleMs?: number;
  /** Number of messages that have to be left out, since a model could not read them all. */
  readonly compactTo?: number;
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
 * The column `run`: the run that a thread belongs to. In a session that a person opened it is the run that works now,
 * or `after <run>` with the last one; so each message changes the column, and of two messages at once only one is
 * accepted.
 */
function workColumn({ runId, opened }: ThreadRecord): string {
  return opened === undefined || runId !== '' ? runId : `after ${opened.runs.at(-1) ?? 'none'}`;
}

/** Columns to expect in an update: `STORE_CONFLICT` where another step has changed the thread since it was read. */
export function unchanged(record: ThreadRecord): Partial<Row<'thread'>> {
  return { status: record.status, run: workColumn(record) };
}

/** What has tainted a thread, as far as its row says; undefined where nothing has. */
export function knownTaint({ taint, emailId, createdAt }: ThreadRecord): Taint | undefined {
  if (taint !== undefined && taint !== null) return taint;
  // Whoever works on a mail has read it, or was asked by somebody who has.
  return emailId === undefined ? undefined : { cause: 'the mail that it works on', at: createdAt };
}

/** The change that inserts a new thread. */
export function insertThread(record: ThreadRecord): ChangeOf<'thread'> {
  return { op: 'insert', table: 'thread', row: rowOf(record) };
}

/** The change that updates a thread; `STORE_CONFLICT` where its columns are not as in `expect`. */
export function updateThread(record: ThreadRecord, expect?: Partial<Row<'thread'>>): ChangeOf<'thread'> {
  const { id, ...set } = rowOf(record);
  return { op: 'update', table: 'thread', key: { id }, set, ...(expect !== undefined && { expect }) };
}

/** The change that ends a thread; `STORE_CONFLICT` where its columns are not as in `expect`. */
export function endThread(
  record: ThreadRecord,
  status: ThreadStatus,
  now: number,
  expect?: Partial<Row<'thread'>>,
): ChangeOf<'thread'> {
  const finalized = record.kind === 'director' && record.role === undefined && status === 'completed';
  return updateThread({ ...record, status, finalized, endedAt: isoTime(now) }, expect);
}

/**
 * The change for a run that ends: its own thread ends too, as does that of a turn in a chat; a session that a person opened adds `metrics` of the run to its own, and
 * waits for the next message.
 */
export function leaveThread(
  record: ThreadRecord,
  status: ThreadStatus,
  now: number,
  metrics?: RunMetrics,
): ChangeOf<'thread'> {
  const { opened } = record;
  if (opened === undefined) return endThread(record, status, now);
  const sum = addMetrics(opened.metrics, metrics);
  const { first: _unused, ...kept } = opened;
  const left = { ...record, runId: '', opened: { ...kept, idleSince: now, metrics: sum } };
  return opened.chatId === undefined ? updateThread(left) : endThread(left, status, now);
}

/** When a session that a person opened expires, in epoch milliseconds; never while a run works in it. */
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
  return bodyOf<ThreadRecord>('thread', row);
}

/** All messages of a thread in order. */
export async function readMessages(reader: Reader, threadId: string): Promise<Message[]> {
  const rows = await reader.list('message', { where: [['thread', '=', threadId]], order: [['seq', 'asc']] });
  return rows.map((row) => bodyOf<Message>('message', row));
}

/** The messages after number `after`, as many as one answer holds. */
async function messagePage(
  reader: Reader,
  threadId: string,
  after: number,
): Promise<Pick<ConversationThread, 'messages' | 'moreAfter'>> {
  const load = (last: Row<'message'> | undefined, limit: number) =>
    reader.list('message', {
      where: [
        ['thread', '=', threadId],
        ['seq', '>', last?.seq ?? after],
      ],
      order: [['seq', 'asc']],
      limit,
    });
  const { rows, isMore } = await listBounded(load, { limit: MAX_MESSAGES, sizeOf: ({ body }) => body.length });
  const messages = rows.map((row) => bodyOf<Message>('message', row));
  const last = rows.at(-1);
  return { messages, ...(isMore && last !== undefined && { moreAfter: last.seq }) };
}

/** The change that appends a message; `seq` counts from 1. */
export function messageChange(threadId: string, seq: number, at: number, message: Message): Change {
  return { op: 'insert', table: 'message', row: { thread: threadId, seq, at, body: JSON.stringify(message) } };
}

/** A thread as the API serves it at `now`, in epoch milliseconds; `lastActiveAt` is the time of its newest message. */
export async function viewThread(
  reader: Reader,
  record: ThreadRecord,
  options: { messages: boolean; now: number; after?: number },
): Promise<ConversationThread> {
  const { idleMs, opened, taint: _stored, compactTo: _order, ...thread } = record;
  const taint = knownTaint(record);
  const [last] = await reader.list('message', {
    where: [['thread', '=', record.id]],
    order: [['seq', 'desc']],
    limit: 1,
    bodies: false,
  });
  const lastActive = Math.max(last?.at ?? Date.parse(record.createdAt), opened?.idleSince ?? 0);
  const isExpired = record.status === 'ongoing' && expiryOf(record) <= options.now;
  const isIdle = record.status === 'ongoing' && (opened === undefined || record.runId === '');
  return {
    ...thread,
    ...(taint !== undefined && { taint }),
    ...(opened !== undefined && { runId: opened.runs.at(-1) ?? '' }),
    ...(isExpired && { status: 'expired' as const, endedAt: isoTime(expiryOf(record)) }),
    lastActiveAt: isoTime(lastActive),
    ...(idleMs !== undefined && isIdle && !isExpired && { expiresAt: isoTime(lastActive + idleMs) }),
    ...(options.messages && (await messagePage(reader, record.id, options.after ?? 0))),
  };
}
