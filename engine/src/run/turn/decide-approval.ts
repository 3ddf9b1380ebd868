import { EngineError, errorBody } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { findTool } from '../../tool/toolset.ts';
import { type ApprovalRecord, endApproval, readApproval } from '../../guard/approval.ts';
import { settleCall } from '../step/tool-result.ts';
import { isStoreTrouble, performAllowed } from './tool-calls.ts';
import { isOpen, type LedgerRow, readCall } from '../ledger.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { argumentsText, noteDraftEdit } from '../draft-edit.ts';
import type { Change } from '../../store/store.ts';

/** A person's answer. Edited `arguments` are checked like those of the model. */
export interface ApprovalDecision {
  readonly decision: 'allow' | 'deny';
  readonly arguments?: unknown;
  readonly reason?: string;
  readonly by: string;
}

/**
 * Carries out a decision, once. `APPROVAL_DECIDED` where the approval is no longer pending; `TOOL_ARGUMENTS` for edited
 * arguments that do not match the tool's parameters (the approval then stays pending).
 */
export async function decideApproval(step: Step, approvalId: string, decision: ApprovalDecision): Promise<void> {
  const approval = await readApproval(step.draft, approvalId);
  if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
  if (approval.status !== 'pending')
    throw new EngineError('APPROVAL_DECIDED', `approval "${approvalId}" is ${approval.status} already`, {
      hint: 'each approval is answered once',
    });
  const machine = await step.machine(approval.machine);
  const row = await readCall(step.draft, approval.machine, approval.call);
  if (machine === undefined || row === undefined || !isOpen(row))
    throw new EngineError('RUN_NOT_ACTIVE', 'the run that asked is over');
  if (decision.decision === 'deny') await deny(step, approval, row, decision);
  else await allow(step, approval, machine, row, decision);
}

async function deny(
  step: Step,
  approval: ApprovalRecord,
  row: LedgerRow,
  { by, reason }: ApprovalDecision,
): Promise<void> {
  await endApproval(step.draft, approval, {
    status: 'denied',
    now: step.now,
    by,
    ...(reason !== undefined && { reason }),
  });
  notify(step, approval, 'denied', by);
  const said = reason === undefined || reason === '' ? '' : `: ${reason}`;
  const error =
    row.isUnsure === true
      ? {
          code: 'TOOL_OUTCOME_UNKNOWN',
          message: `whether it happened is not known, and a person decided not to try again${said}`,
        }
      : { code: 'TOOL_DENIED', message: `a person denied this call${said}` };
  await settleCall(step, row.machine, row.call, { error }, 'denied');
}

async function allow(
  step: Step,
  approval: ApprovalRecord,
  machine: Machine,
  row: LedgerRow,
  decision: ApprovalDecision,
): Promise<void> {
  const { by, reason } = decision;
  const args =
    decision.arguments === undefined ? row.arguments : await checkEdited(step, machine, row, decision.arguments);
  await endApproval(step.draft, approval, {
    status: 'allowed',
    now: step.now,
    by,
    arguments: args,
    ...(reason !== undefined && { reason }),
  });
  notify(step, approval, 'allowed', by);
  if (decision.arguments !== undefined) step.draft.append(...(await editOf(step, approval, row.arguments, args)));
  try {
    await performAllowed(step, machine, row, args);
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    await settleCall(step, row.machine, row.call, { error: errorBody(error) }, 'failed');
  }
}

function editOf(
  { draft, now }: Step,
  { id, runId, tool, requestedBy: { directorId, agentId } }: ApprovalRecord,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<Change[]> {
  const kind = 'approval' as const;
  const texts = { before: argumentsText(before), after: argumentsText(after) };
  const version = {
    runId,
    id,
    kind,
    directorId,
    tool,
    ...texts,
    isUsed: true,
    ...(agentId !== undefined && { agentId }),
  };
  return noteDraftEdit(draft, version, now);
}

async function checkEdited(
  step: Step,
  machine: Machine,
  row: LedgerRow,
  edited: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isRecord(edited)) throw new EngineError('TOOL_ARGUMENTS', 'edited arguments must be a JSON object');
  const tool = findTool(step.actors.resolve(step.runState, machine.facts).toolset, row.tool);
  return step.deps.checker.check(edited, tool.parameters);
}

function notify(
  step: Step,
  { id, tool, runId, requestedBy }: ApprovalRecord,
  status: 'allowed' | 'denied',
  by: string,
): void {
  const phase = 'tool';
  const agentId = requestedBy.agentId;
  step.entry({
    phase,
    detail: {
      action: `approval_${status}`,
      tool,
      request: { approvalId: id, by },
      ...(agentId !== undefined && { agentId }),
    },
  });
  step.notice('approval', { id, status, runId });
}
