import { canonicalJson, sha256 } from '../base/json.ts';
import type { Api } from '../config/config.ts';
import { bodyOf } from '../store/damaged-row.ts';
import type { Change, Reader } from '../store/store.ts';
import type { Participant } from './chat.ts';

/** The session of a command-line agent that a participant goes on in. It is a row beside the rounds of the chat. */
export interface ToolSessionRecord {
  /** Hash of the api document with which it was made. */
  readonly api: string;
  /** The folder that it belongs to. */
  readonly dir: string;
  /** The tool's id. */
  readonly session: string;
  /** Hash of what it has read. */
  readonly seen: string;
  /** Number of the last message that it has read. */
  readonly upTo: number;
}

/** A stored session. `busy`: a turn has begun in it, and has not ended well. */
export interface StoredSession {
  readonly record: ToolSessionRecord;
  readonly isBusy: boolean;
  readonly rev: number;
}

/** Statuses of these rows; none is one of a round. */
export const SESSION_STATUSES = ['session', 'busySession'] as const;

const idOf = (participant: string) => `session/${participant}`;

/** Whether a participant goes on in the session of its last turn: an api that says so, which works in no folder. */
export function keepsSession({ roaming }: Pick<Participant, 'roaming'>, api: Api | undefined): boolean {
  return api?.provider === 'cli' && api.sessions === 'resume' && !roaming.enabled;
}

/** The hash of an api document. */
export function apiHash(api: Api): string {
  return sha256(canonicalJson(api));
}

/** The session of a participant, or undefined. `STORE_DAMAGED`. */
export async function readSession(reader: Reader, participant: string): Promise<StoredSession | undefined> {
  const row = await reader.get('chatRound', { id: idOf(participant) });
  if (row === undefined) return undefined;
  const record = bodyOf<ToolSessionRecord>('chatRound', row);
  return { record, isBusy: row.status !== SESSION_STATUSES[0], rev: row.rev };
}

/** Notes that a turn begins in a session, before its tool is started; `STORE_CONFLICT` where another one has begun. */
export function reserveSession(participant: string, { rev }: StoredSession): Change {
  const set = { status: SESSION_STATUSES[1], rev: rev + 1 };
  return { op: 'update', table: 'chatRound', key: { id: idOf(participant) }, set, expect: { rev } };
}

/** Stores the session of a turn that has ended well. `at` in epoch milliseconds. */
export function putSession(chat: string, participant: string, record: ToolSessionRecord, at: number): Change {
  const row = { id: idOf(participant), chat, status: SESSION_STATUSES[0], rev: at, at, body: JSON.stringify(record) };
  return { op: 'put', table: 'chatRound', row };
}
