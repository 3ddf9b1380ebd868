import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader, Row } from '../../store/store.ts';
import type { ChangedFile, TurnChanges } from './turn-changes.ts';

/** How a person has decided about changes; `working`: the turn has begun, and has not ended here. */
export type ChangeStatus = 'working' | 'open' | 'applied' | 'kept' | 'dropped';

/** The turn of a participant that works in a folder. */
export interface TurnFacts {
  readonly chatId: string;
  readonly participantId: string;
  readonly runId: string;
  /** How often the turn was begun. */
  readonly attempts: number;
  /** Real path of the folder. */
  readonly folder: string;
  /** The commit that was checked out; absent without a repository. */
  readonly head?: string;
}

/** The changes of one turn, as stored. */
export interface ChangeRecord extends TurnFacts, Partial<TurnChanges> {
  readonly id: string;
  readonly status: ChangeStatus;
  readonly at: string;
  readonly decidedBy?: string;
  readonly decidedAt?: string;
  /** Of changes that are kept: name of the branch. */
  readonly branch?: string;
}

/** The changes of a turn as the API serves them. */
export interface ChangesView {
  readonly id: string;
  readonly participantId: string;
  /** The message of the turn, where it is stored already. */
  readonly messageId?: string;
  readonly runId: string;
  readonly folder: string;
  readonly status: Exclude<ChangeStatus, 'working'>;
  readonly at: string;
  readonly files: readonly ChangedFile[];
  readonly diff: string;
  /** True where the difference is longer than what is shown. */
  readonly isCut: boolean;
  /** What a person can decide now. */
  readonly decisions: readonly ('apply' | 'branch' | 'drop')[];
  readonly leftOut: readonly string[];
  readonly decidedBy?: string;
  readonly decidedAt?: string;
  readonly branch?: string;
}

/** Id of the changes of one turn of a machine: the same for each attempt. */
export function changesIdOf(machine: string, turn: number): string {
  return `g_${sha256(`${machine}/${turn}`).slice(0, 26).toUpperCase()}`;
}

/** The change that stores a record, in place of what it was before. */
export function putChange(record: ChangeRecord): Change {
  const { id, chatId: chat, status, at, ...body } = record;
  return { op: 'put', table: 'chatChange', row: { id, chat, status, at: Date.parse(at), body: JSON.stringify(body) } };
}

/** The change that stores a decision; `STORE_CONFLICT` where another one was stored meanwhile. */
export function decided(
  record: ChangeRecord,
  { status, by, now, branch }: { status: ChangeStatus; by: string; now: number; branch?: string | undefined },
): { readonly change: Change; readonly record: ChangeRecord } {
  // What was decided is not applied again.
  const { patch: _patch, branchPatch: _branchPatch, ...kept } = record;
  const next = { ...kept, status, decidedBy: by, decidedAt: isoTime(now), ...(branch !== undefined && { branch }) };
  const { id, chatId: _chat, status: _status, at: _at, ...body } = next;
  const set = { status, body: JSON.stringify(body) };
  return {
    change: { op: 'update', table: 'chatChange', key: { id }, set, expect: { status: record.status } },
    record: next,
  };
}

/** The record of a turn, or undefined. `STORE_DAMAGED`. */
export async function findChange(reader: Reader, id: string): Promise<ChangeRecord | undefined> {
  const row = await reader.get('chatChange', { id });
  return row === undefined ? undefined : recordOf(row);
}

/** The changes of a chat that were stored. `NOT_FOUND`, also while the turn works. */
export async function readChange(reader: Reader, chatId: string, id: string): Promise<ChangeRecord> {
  const record = await findChange(reader, id);
  if (record?.chatId === chatId && record.status !== 'working') return record;
  throw new EngineError('NOT_FOUND', `there are no changes "${id.slice(0, 100)}" in this chat`);
}

/** Id of the changes that a run has made in a chat; undefined for none. The last ones, where several turns have made some. */
export async function changesOfRun(reader: Reader, chatId: string, runId: string): Promise<string | undefined> {
  const rows = await reader.list('chatChange', { where: [['chat', '=', chatId]] });
  const records = rows.map(recordOf).filter((record) => record.runId === runId && record.status !== 'working');
  return records.sort((a, b) => (a.at < b.at ? -1 : 1)).at(-1)?.id;
}

/** A record as the API serves it. */
export function viewChange(record: ChangeRecord, messageId: string | undefined): ChangesView {
  const { id, participantId, runId, folder, at, status, files = [], diff = '', isCut = false, leftOut = [] } = record;
  const { decidedBy, decidedAt, branch, patch, head } = record;
  const canApply = patch !== undefined;
  const decisions =
    status === 'open'
      ? [
          ...(canApply ? (['apply'] as const) : []),
          ...(canApply && head !== undefined ? (['branch'] as const) : []),
          'drop' as const,
        ]
      : [];
  return {
    ...{ id, participantId, runId, folder, at, files, diff, isCut, decisions, leftOut },
    status: status === 'working' ? 'open' : status,
    ...(messageId !== undefined && { messageId }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(decidedAt !== undefined && { decidedAt }),
    ...(branch !== undefined && { branch }),
  };
}

function recordOf(row: Row<'chatChange'>): ChangeRecord {
  const body = bodyOf<Omit<ChangeRecord, 'id' | 'chatId' | 'status' | 'at'>>('chatChange', row);
  return { ...body, id: row.id, chatId: row.chat, status: row.status as ChangeStatus, at: isoTime(row.at) };
}
