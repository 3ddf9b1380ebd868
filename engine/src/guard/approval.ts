import { isoTime } from '../base/clock.ts';
import type { Draft } from '../store/draft.ts';
import type { Reader, Row } from '../store/store.ts';
import { bodyOf } from '../store/damaged-row.ts';

export type ApprovalStatus = 'pending' | 'allowed' | 'denied' | 'lapsed' | 'expired';

/** A person's answer to an effect that asks, as the API returns it. Times are ISO 8601. */
export interface Approval {
  readonly id: string;
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
}

/** An approval with the call that waits for it. */
export interface ApprovalRecord extends Approval {
  readonly machine: string;
  readonly call: string;
}

function rowOf(record: ApprovalRecord): Row<'approval'> {
  return { id: record.id, run: record.runId, status: record.status, body: JSON.stringify(record) };
}

/** Adds an approval. */
export async function addApproval(draft: Draft, record: ApprovalRecord): Promise<void> {
  await draft.add({ op: 'insert', table: 'approval', row: rowOf(record) });
}

/** Ends a pending approval; `STORE_CONFLICT` where it was decided meanwhile. */
export async function endApproval(
  draft: Draft,
  record: ApprovalRecord,
  end: { status: ApprovalStatus; now: number; by?: string; reason?: string; arguments?: ApprovalRecord['arguments'] },
): Promise<void> {
  const ended: ApprovalRecord = {
    ...record,
    status: end.status,
    decidedAt: isoTime(end.now),
    ...(end.by !== undefined && { decidedBy: end.by }),
    ...(end.reason !== undefined && { decisionReason: end.reason }),
    ...(end.arguments !== undefined && { arguments: end.arguments }),
  };
  const { id, ...set } = rowOf(ended);
  await draft.add({ op: 'update', table: 'approval', key: { id }, set, expect: { status: 'pending' } });
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
export function viewApproval({ machine: _machine, call: _call, ...approval }: ApprovalRecord): Approval {
  return approval;
}
