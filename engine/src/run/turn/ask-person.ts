import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { addApproval, pendingApprovals } from '../../guard/approval.ts';
import { type CheckedCall, termsOf } from './approval-terms.ts';
import type { Arguments } from '../../tool/arguments.ts';
import { positionOf } from '../ask/call-position.ts';
import { intend, type LedgerRow, mark } from '../ledger.ts';
import type { Actor } from '../step/actor.ts';
import { announceApproval } from '../step/announce.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { agentOf } from '../step/tool-result.ts';
import { previewOf } from './preview-call.ts';

/** A call that a person is asked about. */
export interface AskedCall {
  readonly call: string;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Arguments;
  /** What the call acts on, in one line. */
  readonly target?: string | undefined;
  /** The row of the call in the ledger; absent for a new call. */
  readonly row?: LedgerRow;
  /** What the guards say of a new call, and what they have read. */
  readonly checked?: CheckedCall;
}

/** Asks a person about a new call. `TOOL_LIMIT` where too many calls of the run wait for a person already. */
export async function askPerson(
  step: Step,
  machine: Machine,
  actor: Actor,
  asked: AskedCall,
  reason: string,
): Promise<void> {
  const { maxOpenApprovals } = step.runState.config.settings.runs;
  if ((await pendingApprovals(step.draft, machine.facts.runId)) >= maxOpenApprovals)
    throw new EngineError('TOOL_LIMIT', `${maxOpenApprovals} calls of this run already wait for a person`, {
      hint: 'make the call again when a person has answered them',
    });
  await park(step, machine, actor, asked, reason);
}

/** Asks a person about a call: adds a ledger row where there is none, and an approval bound to the exact arguments. */
export async function park(
  step: Step,
  machine: Machine,
  actor: Actor,
  asked: AskedCall,
  reason: string,
): Promise<void> {
  const { call, callId, tool, arguments: args, target, row } = asked;
  const approvalId = step.deps.ids.next('appr');
  const { facts } = machine;
  const known = actor.toolset.tools.get(tool);
  const warnings = known !== undefined && 'warnings' in known ? await known.warnings?.(args) : [];
  const { seen, ...preview } = await previewOf(known, args, { caller: actor.caller, clock: step.deps.clock });
  const marks = { approvalId, ...(seen !== undefined && { seen }) };
  const named = { ...marks, ...(target !== undefined && { target }) };
  if (row === undefined) await intend(step.draft, machine.id, call, { callId, tool, arguments: args, ...named });
  else await mark(step.draft, row, 'ambiguous', { ...marks, isUnsure: true });
  await addApproval(step.draft, {
    id: approvalId,
    runId: facts.runId,
    threadId: facts.threadId,
    tool,
    arguments: args,
    preview,
    requestedBy: { directorId: facts.directorId, ...(facts.agentId !== '' && { agentId: facts.agentId }) },
    reason,
    ...(warnings !== undefined && warnings.length > 0 && { warnings }),
    status: 'pending',
    createdAt: isoTime(step.now),
    ...(known !== undefined && (await termsOf(step, actor, { tool: known, arguments: args }, asked.checked))),
    place: await positionOf(step, facts.threadId, callId),
    machine: machine.id,
    call,
  });
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: { action: 'approval_requested', tool, request: args, callId, approvalId, reason },
  });
  step.notice('approval', { id: approvalId, status: 'pending', runId: facts.runId });
  await announceApproval(step, machine, approvalId, tool);
}
