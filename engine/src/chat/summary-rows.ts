import { bodyOf, isDamage } from '../store/damaged-row.ts';
import type { Change, Reader } from '../store/store.ts';

/** A summary of the first messages of a chat that a model wrote. */
export interface WrittenSummary {
  readonly text: string;
  /** Numbers of the first and the last message that it covers. */
  readonly from: number;
  readonly upTo: number;
}

/** The summary of a long chat, and the work on the next one. It is a row beside the rounds of the chat. */
export interface ChatSummaryRecord {
  /** The text that a model wrote last; `''` where none has so far. */
  readonly text: string;
  /** Number of the first message that it covers, or will cover; missing: 1. */
  readonly from?: number;
  /** Number of the last message that it covers. */
  readonly upTo: number;
  /** Number of the last message of which a summary was asked for. */
  readonly askedUpTo: number;
  /** The runs that were asked for a summary, oldest first; the last of them works while the row says so. */
  readonly runs: readonly string[];
}

/** A stored summary. `isOpen`: a run works on the next one. `rev` is 0 without a row. */
export interface StoredSummary {
  readonly record: ChatSummaryRecord;
  readonly isOpen: boolean;
  readonly rev: number;
}

/** Statuses of these rows: a run works on the next summary, or none does. None is one of a round. */
export const SUMMARY_STATUSES = ['summarising', 'summary'] as const;

const NONE: ChatSummaryRecord = { text: '', upTo: 0, askedUpTo: 0, runs: [] };

const idOf = (chat: string) => `summary/${chat}`;

/** The summary of a chat. One that is damaged counts as not written: nothing that the chat does depends on it. */
export async function readSummary(reader: Reader, chat: string): Promise<StoredSummary> {
  const id = idOf(chat);
  const [row] = await reader.list('chatRound', { where: [['id', '=', id]], bodies: false });
  if (row === undefined) return { record: NONE, isOpen: false, rev: 0 };
  return { record: await readRecord(reader, id), isOpen: row.status === SUMMARY_STATUSES[0], rev: row.rev };
}

async function readRecord(reader: Reader, id: string): Promise<ChatSummaryRecord> {
  try {
    const row = await reader.get('chatRound', { id });
    return row === undefined ? NONE : bodyOf<ChatSummaryRecord>('chatRound', row);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return NONE;
  }
}

/** What a prompt says of the first messages; undefined where no model has written a summary yet. */
export function writtenSummary({ record: { text, from = 1, upTo } }: StoredSummary): WrittenSummary | undefined {
  return text === '' ? undefined : { text, from, upTo };
}

/** The change that stores a summary; `STORE_CONFLICT` where another process has stored one since. `at` in epoch milliseconds. */
export function summaryChange(chat: string, { record, isOpen, rev }: StoredSummary, at: number): Change {
  const status = SUMMARY_STATUSES[isOpen ? 0 : 1];
  const set = { status, rev: rev + 1, at, body: JSON.stringify(record) };
  return rev === 0
    ? { op: 'insert', table: 'chatRound', row: { id: idOf(chat), chat, ...set } }
    : { op: 'update', table: 'chatRound', key: { id: idOf(chat) }, set, expect: { rev } };
}
