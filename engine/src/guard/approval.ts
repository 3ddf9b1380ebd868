import { isoTime } from '../base/clock.ts';
import type { Draft } from '../store/draft.ts';
import type { Reader, Row } from '../store/store.ts';
import type { AskReason } from './guard.ts';
import { bodyOf } from '../store/damaged-row.ts';

export type ApprovalStatus = 'pending' | 'allowed' | 'denied' | 'answered' | 'lapsed' | 'expired';

/** A person's answer to an effect that asks, as the API returns it. Times are ISO 8601. */
export interface Approval {
  readonly id: string;
  /**
   * `question`: a person is asked a question, and answers it with a text; `arguments` has `question` and perhaps `choices`. `permission`: a
   * command-line agent that works now wants to do something itself; `arguments` is its exact input, and `{}` where it does not say.
   */
  readonly kind?: 'question' | 'permission';
  /** Of a question that was answered: the answer. */
  readonly answer?: string;
  readonly runId: string;
  readonly threadId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly preview: { readonly mimeType: string; readonly data: string };
  readonly requestedBy: { readonly directorId: string; readonly agentId?: string };
  readonly reason: string;
  /** What a person should look at before they allow the call, one sentence each. */
  readonly warnings?: readonly string[];
  readonly status: ApprovalStatus;
  readonly decidedBy?: string;
  /** The reason that the person gave. */
  readonly decisionReason?: string;
  readonly createdAt: string;
  readonly decidedAt?: string;
  /** When it expires if nobody answers before; absent where it never does. */
  readonly expiresAt?: string;
  /** When others were told that nobody had answered. */
  readonly escalatedAt?: string;
  /** The message that contains the call: its thread, and its number in the thread, counted from 1. Absent in rows of older versions. */
  readonly place?: MessagePosition;
  /** Of an allowed call: whether the person allowed the same for the rest of the run, or by a rule of the config. */
  readonly remembered?: Remember;
}

/** Where a transcript contains the call. */
export interface MessagePosition {
  readonly threadId: string;
  readonly message: number;
}

/** For what else an answer holds: calls of the same kind in this run, or everywhere, as a rule of the config. */
export type Remember = 'run' | 'always';

/** An approval with the call that waits for it. */
export interface ApprovalRecord extends Approval {
  readonly machine: string;
  readonly call: string;
  /** What the approval holds for (`bindingOf`). Absent in rows of older versions, which are bound to the arguments alone. */
  readonly hash?: string;
  /** Why the call asks, guard by guard. Absent where nobody knows whether it has happened, and in rows of older versions. */
  readonly asked?: Asked;
  /** When others are told that nobody has answered; absent where nobody is, or they were told. */
  readonly escalateAt?: string;
  /** Of a question that was answered: calls behind a gate that the run had launched until then, by tool. */
  readonly gated?: Readonly<Record<string, number>>;
}

/** Why a call asked, when it did. */
export interface Asked {
  readonly asks: readonly AskReason[];
  /** Whether the thread had read text that may come from a stranger. */
  readonly wasTainted: boolean;
}

function rowOf(record: ApprovalRecord): Row<'approval'> {
  const { id, runId: run, status } = record;
  return { id, run, status, body: JSON.stringify(record), due: dueOf(record) };
}

/** When a pending approval escalates or expires; 0 for never. */
function dueOf({ status, escalateAt, expiresAt }: ApprovalRecord): number {
  const times = [escalateAt, expiresAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]));
  return status === 'pending' && times.length > 0 ? Math.min(...times) : 0;
}

/** Adds an approval. */
export async function addApproval(draft: Draft, record: ApprovalRecord): Promise<void> {
  await draft.add({ op: 'insert', table: 'approval', row: rowOf(record) });
}

/** How an approval ends. `hash`: of the call with the arguments that a person has changed. */
export interface ApprovalEnd
  extends Pick<ApprovalRecord, 'status'>, Partial<Pick<ApprovalRecord, 'arguments' | 'answer' | 'gated'>> {
  readonly now: number;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly hash?: string | undefined;
  readonly remembered?: Remember | undefined;
}

/** Ends an approval; `STORE_CONFLICT` where its status has changed meanwhile. */
export async function endApproval(draft: Draft, record: ApprovalRecord, end: ApprovalEnd): Promise<void> {
  await replace(draft, record, {
    ...record,
    status: end.status,
    decidedAt: isoTime(end.now),
    ...(end.by !== undefined && { decidedBy: end.by }),
    ...(end.reason !== undefined && { decisionReason: end.reason }),
    ...(end.arguments !== undefined && { arguments: end.arguments }),
    ...(end.hash !== undefined && { hash: end.hash }),
    ...(end.remembered !== undefined && { remembered: end.remembered }),
    ...(end.answer !== undefined && { answer: end.answer }),
    ...(end.gated !== undefined && { gated: end.gated }),
  });
}

/** Records that others were told of a pending approval; `STORE_CONFLICT` where it was decided meanwhile. */
export async function markEscalated(draft: Draft, record: ApprovalRecord, now: number): Promise<void> {
  const { escalateAt: _past, ...told } = record;
  await replace(draft, record, { ...told, escalatedAt: isoTime(now) });
}

async function replace(draft: Draft, before: ApprovalRecord, after: ApprovalRecord): Promise<void> {
  const { id, ...set } = rowOf(after);
  await draft.add({ op: 'update', table: 'approval', key: { id }, set, expect: { status: before.status } });
}

/** The approvals of a run in this status, oldest first. */
export async function listApprovals(reader: Reader, runId: string, status: ApprovalStatus): Promise<ApprovalRecord[]> {
  const rows = await reader.list('approval', {
    where: [
      ['run', '=', runId],
      ['status', '=', status],
    ],
    order: [['id', 'asc']],
  });
  return rows.map((row) => bodyOf<ApprovalRecord>('approval', row));
}

/** The number of approvals of a run that nobody has answered yet. */
export async function pendingApprovals(reader: Reader, runId: string): Promise<number> {
  const rows = await reader.list('approval', {
    where: [
      ['run', '=', runId],
      ['status', '=', 'pending'],
    ],
  });
  return rows.length;
}

/** The record of an approval, or undefined. */
export async function readApproval(reader: Reader, id: string): Promise<ApprovalRecord | undefined> {
  const row = await reader.get('approval', { id });
  return row === undefined ? undefined : bodyOf<ApprovalRecord>('approval', row);
}

/** A record as the API returns it. */
export function viewApproval(record: ApprovalRecord): Approval {
  const {
    machine: _machine,
    call: _call,
    hash: _hash,
    asked: _asked,
    escalateAt: _at,
    gated: _gated,
    ...approval
  } = record;
  return approval;
}
