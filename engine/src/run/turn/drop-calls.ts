import type { ErrorBody } from '../../base/error.ts';
import { answer, decisionOn } from '../step/tool-result.ts';
import { endApproval, readApproval } from '../../guard/approval.ts';
import { effectId } from '../step/effect.ts';
import { noteUnknown, uncountGated } from '../step/gated-calls.ts';
import { isOpen, type LedgerRow, mark, readCall } from '../ledger.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/**
 * Cancels the calls that are still open when a machine stops calling: effects are aborted, asks withdrawn, approvals lapse, and
 * every call gets an answer. For a write that may have happened the answer says that its outcome is not known.
 */
export async function dropCalls(step: Step, machine: Machine, calls: readonly string[]): Promise<void> {
  for (const call of calls) {
    const row = await readCall(step.draft, machine.id, call);
    if (row === undefined || !isOpen(row)) continue;
    const error: ErrorBody = (await mayHaveHappened(step, machine, row))
      ? { code: 'TOOL_OUTCOME_UNKNOWN', message: 'cancelled while it ran: whether it happened is not known' }
      : { code: 'TOOL_CANCELLED', message: 'cancelled before it was done' };
    await mark(step.draft, row, 'cancelled', { error });
    await uncountGated(step, machine, row, { state: 'cancelled', code: error.code });
    await noteUnknown(step, machine, row.tool, error.code);
    const request = { tool: row.tool, callId: row.callId, request: row.arguments };
    await answer(step, machine, request, { error }, decisionOn(row, 'cancelled'));
    step.abort(effectId({ machine: machine.id, call }));
    if (row.approvalId !== undefined) await lapse(step, row.approvalId);
    if (row.sessionId !== undefined) await step.send(row.sessionId, { type: 'UNASK', caller: machine.id, call });
  }
}

/** Whether a write may have started, in this process or an earlier one. A `once` tool is marked before it starts. */
async function mayHaveHappened(step: Step, { facts }: Machine, row: LedgerRow): Promise<boolean> {
  if (row.isUnsure === true || row.state !== 'intended') return true;
  if (row.sessionId !== undefined) return false;
  const approval = row.approvalId === undefined ? undefined : await readApproval(step.draft, row.approvalId);
  if (approval?.status === 'pending') return false;
  const { toolset } = step.actors.resolve(step.runState, facts);
  const tool =
    toolset.tools.get(row.tool) ?? step.deps.tools.of(step.runState.config, step.runState.toolLists).get(row.tool);
  if (tool === undefined) return true;
  return !('kind' in tool) && tool.effects === 'write' && tool.repeat !== 'once';
}

/** Withdraws an approval that nobody has answered. */
export async function lapse(step: Step, approvalId: string): Promise<void> {
  const approval = await readApproval(step.draft, approvalId);
  if (approval?.status !== 'pending') return;
  await endApproval(step.draft, approval, { status: 'lapsed', now: step.now });
  step.notice('approval', { id: approvalId, status: 'lapsed', runId: approval.runId });
}
