import { EngineError, errorBody } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Arguments } from '../../tool/arguments.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import { findTool } from '../../tool/toolset.ts';
import { type ApprovalRecord, endApproval, markEscalated, readApproval } from '../../guard/approval.ts';
import { bindingOf } from '../../guard/binding.ts';
import { runGuards } from '../../guard/guards.ts';
import { stricterReasons } from '../../guard/stricter.ts';
import type { Actor } from '../step/actor.ts';
import { announceEscalation } from '../step/announce.ts';
import { settleCall } from '../step/tool-result.ts';
import { expireCall, lapseCall, noteEnd } from './end-approval.ts';
import { decidePermission, endPermission } from '../cli/permission.ts';
import { guardContextOf } from './guard-context.ts';
import { type Remembered, rememberForRun } from './remember.ts';
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
  /** With `allow`: for what else the answer holds. `always` is kept for the run too, since the run keeps its config. */
  readonly remember?: Remembered | undefined;
  readonly by: string;
}

/** A pending approval with the call that waits for it. */
interface Waiting {
  readonly approval: ApprovalRecord;
  readonly machine: Machine;
  readonly row: LedgerRow;
}

/**
 * Carries out a decision, once. `APPROVAL_DECIDED` where the approval is no longer pending; `TOOL_ARGUMENTS` and the errors of guards
 * for edited arguments, `BAD_REQUEST` for what cannot be remembered (the approval then stays pending). Where the approval has expired, or holds for the call no longer, the step
 * ends it instead and this returns the error for the person: `APPROVAL_EXPIRED`, `APPROVAL_LAPSED`.
 */
export async function decideApproval(
  step: Step,
  approvalId: string,
  decision: ApprovalDecision,
): Promise<EngineError | undefined> {
  const permission = await permissionOf(step, approvalId);
  if (permission !== undefined) return decidePermission(step, permission, decision);
  const waiting = await waitingCall(step, approvalId);
  const { approval, row } = waiting;
  if (isPast(approval.expiresAt, step)) {
    await expireCall(step, approval, row);
    return new EngineError('APPROVAL_EXPIRED', `approval "${approvalId}" expired at ${approval.expiresAt}`, {
      hint: 'nothing was done; the model was told, and may ask again',
    });
  }
  if (decision.decision === 'deny') return void (await deny(step, approval, row, decision));
  if (approval.kind === 'question')
    throw new EngineError('BAD_REQUEST', `"${approvalId}" is a question: answer it with a text, or deny it`, {
      hint: `callsheet runs answer ${approval.runId} "…"`,
    });
  const why = await whyLapsed(step, waiting);
  if (why === undefined) return void (await allow(step, waiting, decision));
  await lapseCall(step, approval, row, why);
  return new EngineError('APPROVAL_LAPSED', `approval "${approvalId}" holds no longer: ${why}`, {
    hint: 'nothing was done; the model was told, and may ask again',
  });
}

/**
 * Ends a pending approval that has expired, and one that holds for its call no longer; tells others of one that nobody has answered in
 * time. All other approvals stay as they are.
 */
export async function recheckApproval(step: Step, approvalId: string): Promise<void> {
  const permission = await permissionOf(step, approvalId);
  if (permission !== undefined && isPast(permission.expiresAt, step))
    return endPermission(step, permission, 'expired', `nobody answered before ${permission.expiresAt}`);
  const waiting = await findWaiting(step, approvalId);
  if (waiting === undefined) return;
  const { approval, machine, row } = waiting;
  if (isPast(approval.expiresAt, step)) return expireCall(step, approval, row);
  const why = await whyLapsed(step, waiting);
  if (why !== undefined) return lapseCall(step, approval, row, why);
  if (!isPast(approval.escalateAt, step)) return;
  await markEscalated(step.draft, approval, step.now);
  await announceEscalation(step, machine, approval.id, approval.tool);
}

/** An approval of this id by which a command-line agent asks; undefined for others. */
async function permissionOf(step: Step, approvalId: string): Promise<ApprovalRecord | undefined> {
  const approval = await readApproval(step.draft, approvalId);
  return approval?.kind === 'permission' ? approval : undefined;
}

function isPast(at: string | undefined, { now }: Step): boolean {
  return at !== undefined && Date.parse(at) <= now;
}

async function waitingCall(step: Step, approvalId: string): Promise<Waiting> {
  const approval = await readApproval(step.draft, approvalId);
  if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
  if (approval.status !== 'pending')
    throw new EngineError('APPROVAL_DECIDED', `approval "${approvalId}" is ${approval.status} already`, {
      hint: 'each approval is answered once',
    });
  const waiting = await findWaiting(step, approvalId);
  if (waiting === undefined && approval.kind === 'question' && (await isActive(step)))
    throw new EngineError('BAD_REQUEST', `no call waits for the answer to "${approvalId}": only words answer it`, {
      hint: `callsheet runs answer ${approval.runId} "I do not know"`,
    });
  if (waiting === undefined) throw new EngineError('RUN_NOT_ACTIVE', 'the run that asked is over');
  return waiting;
}

async function isActive(step: Step): Promise<boolean> {
  return (await step.machine(step.runState.record.run.id))?.snapshot.status === 'active';
}

/** A pending approval with its call; undefined where it is not pending, or its call no longer waits. */
async function findWaiting(step: Step, approvalId: string): Promise<Waiting | undefined> {
  const approval = await readApproval(step.draft, approvalId);
  if (approval?.status !== 'pending') return undefined;
  const machine = await step.machine(approval.machine);
  const row = await readCall(step.draft, approval.machine, approval.call);
  return machine === undefined || row === undefined || !isOpen(row) ? undefined : { approval, machine, row };
}

/**
 * Why an approval no longer holds: what would reach the world has changed since the call asked, a guard refuses the call now, or a
 * guard asks that did not ask then. An approval of an older version is bound to its arguments, and to what may be called at all.
 */
async function whyLapsed(step: Step, { approval, machine, row }: Waiting): Promise<string | undefined> {
  if (approval.kind === 'question') return undefined;
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = toolOf(actor, row.tool);
  if (tool === undefined) return `"${row.tool}" is no longer a tool of ${actor.role} ${actor.id}`;
  const call = { tool, arguments: row.arguments };
  const outcome = await runGuards(call, guardContextOf(step, machine, actor));
  if (outcome.decision === 'refuse') return outcome.error.message;
  if (outcome.decision === 'ask' && approval.asked !== undefined) {
    const [stricter] = stricterReasons(approval.asked, outcome.asks);
    if (stricter !== undefined) return `the rules have become stricter: ${stricter.reason}`;
  }
  if (approval.hash === undefined || approval.hash === (await bindingOf(call, actor.caller, step.draft)))
    return undefined;
  return 'what the call would send or change is no longer what it was when it asked';
}

function toolOf({ toolset }: Actor, name: string): OfferedTool | undefined {
  return toolset.denied.get(name) ?? toolset.tools.get(name);
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
  noteEnd(step, approval, 'denied', { by });
  const said = reason === undefined || reason === '' ? '' : `: ${reason}`;
  const error =
    row.isUnsure === true
      ? {
          code: 'TOOL_OUTCOME_UNKNOWN',
          message: `whether it happened is not known, and a person decided not to try again${said}`,
        }
      : {
          code: 'TOOL_DENIED',
          message: `a person ${approval.kind === 'question' ? 'does not answer this' : 'denied this call'}${said}`,
        };
  await settleCall(step, row.machine, row.call, { error }, 'denied');
}

async function allow(step: Step, { approval, machine, row }: Waiting, decision: ApprovalDecision): Promise<void> {
  const { by, reason } = decision;
  const isEdited = decision.arguments !== undefined;
  const args = isEdited ? await checkEdited(step, machine, row, decision.arguments) : row.arguments;
  const actor = step.actors.resolve(step.runState, machine.facts);
  const call = { tool: toolOf(actor, row.tool) ?? findTool(actor.toolset, row.tool), arguments: args };
  const hash = isEdited ? await bindingOf(call, actor.caller, step.draft) : approval.hash;
  const { remember } = decision;
  if (remember !== undefined) await rememberForRun(step, machine, actor, call, { approval, by, remember });
  const kept = { arguments: args, reason, hash, remembered: remember?.for };
  await endApproval(step.draft, approval, { status: 'allowed', now: step.now, by, ...kept });
  noteEnd(step, approval, 'allowed', { by });
  if (isEdited) step.draft.append(...(await editOf(step, approval, row.arguments, args)));
  try {
    await performAllowed(step, machine, row, { args, by, binding: hash });
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

/** Validates edited arguments, and passes them through all guards: what refuses, refuses; what asks, the person has answered. */
async function checkEdited(step: Step, machine: Machine, row: LedgerRow, edited: unknown): Promise<Arguments> {
  if (!isRecord(edited)) throw new EngineError('TOOL_ARGUMENTS', 'edited arguments must be a JSON object');
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = toolOf(actor, row.tool) ?? findTool(actor.toolset, row.tool);
  const args = await step.deps.checker.check(edited, tool.parameters);
  const outcome = await runGuards({ tool, arguments: args }, guardContextOf(step, machine, actor));
  if (outcome.decision === 'refuse') throw outcome.error;
  if ('check' in tool) await tool.check?.(args, actor.caller);
  return args;
}
