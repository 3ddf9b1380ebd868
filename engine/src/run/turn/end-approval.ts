import type { ErrorBody } from '../../base/error.ts';
import { type ApprovalRecord, endApproval, readApproval } from '../../guard/approval.ts';
import { type LedgerRow, readCall } from '../ledger.ts';
import { settleCall, settleError } from '../step/tool-result.ts';
import type { Step } from '../step/step.ts';

/** The end of an approval that no person brought about. */
interface End {
  readonly status: 'lapsed' | 'expired';
  /** One sentence for models and people. */
  readonly why: string;
}

/** Ends an approval that no longer holds for its call. Nothing is done, and the model reads why. */
export function lapseCall(step: Step, approval: ApprovalRecord, row: LedgerRow, why: string): Promise<void> {
  return endCall(step, approval, row, { status: 'lapsed', why });
}

/** Ends an approval that nobody has answered in time. Nothing is done, and the model reads that this is no denial. */
export function expireCall(step: Step, approval: ApprovalRecord, row: LedgerRow): Promise<void> {
  return endCall(step, approval, row, { status: 'expired', why: `nobody answered before ${approval.expiresAt}` });
}

async function endCall(step: Step, approval: ApprovalRecord, row: LedgerRow, end: End): Promise<void> {
  const { status, why } = end;
  await endApproval(step.draft, approval, { status, now: step.now, reason: why });
  noteEnd(step, approval, status, { reason: why });
  const error = approval.kind === 'question' ? unanswered(end) : errorOf(row, end);
  await settleCall(step, row.machine, row.call, { error }, 'cancelled');
}

function errorOf({ isUnsure }: LedgerRow, { status, why }: End): ErrorBody {
  const expired = status === 'expired';
  if (isUnsure === true) {
    const ending = expired ? 'nobody decided whether to try again' : `the question whether to try again lapsed: ${why}`;
    return { code: 'TOOL_OUTCOME_UNKNOWN', message: `whether it happened is not known, and ${ending}` };
  }
  return expired
    ? {
        code: 'APPROVAL_EXPIRED',
        message: `the call was not made: ${why}. Nobody has denied it`,
        hint: 'make the call again if it is still useful; a person is then asked again',
      }
    : {
        code: 'APPROVAL_LAPSED',
        message: `the call was not made: its approval lapsed, since ${why}`,
        hint: 'make the call again if it is still right; it is then checked again',
      };
}

function unanswered({ why }: End): ErrorBody {
  return { code: 'APPROVAL_EXPIRED', message: `the user has not answered: ${why}`, hint: 'go on without the answer' };
}

/** Adds the entry of an approval that has ended, and tells viewers. */
export function noteEnd(
  step: Step,
  { id, tool, runId, requestedBy: { agentId } }: ApprovalRecord,
  status: ApprovalRecord['status'],
  more: { readonly by?: string; readonly reason?: string },
): void {
  step.entry({
    phase: 'tool',
    detail: {
      action: `approval_${status}`,
      tool,
      request: { approvalId: id, ...more },
      ...(agentId !== undefined && { agentId }),
    },
  });
  step.notice('approval', { id, status, runId });
}

/** Answers a call that failed. Where it would have run as another one than a person has allowed, its approval lapses. */
export async function settleFailure(step: Step, machineId: string, call: string, error: ErrorBody): Promise<void> {
  if (error.code !== 'APPROVAL_LAPSED') return settleError(step, machineId, call, error);
  const row = await readCall(step.draft, machineId, call);
  const approval = row?.approvalId === undefined ? undefined : await readApproval(step.draft, row.approvalId);
  if (approval?.status === 'allowed') {
    await endApproval(step.draft, approval, { status: 'lapsed', now: step.now, reason: error.message });
    noteEnd(step, approval, 'lapsed', { reason: error.message });
  }
  await settleCall(step, machineId, call, { error }, 'cancelled');
}
