import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { ApprovalRecord, Remember } from '../../guard/approval.ts';
import { bindingOf } from '../../guard/binding.ts';
import type { AskReason, GuardContext, GuardedCall } from '../../guard/guard.ts';
import { answeringRule, type ComparedCall, expectMatches, type RunRule } from '../../guard/run-rule.ts';
import type { Actor } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { guardContextOf } from './guard-context.ts';

/** For what else a person allows a call, and by which pattern; without one for the same call alone. */
export interface Remembered {
  readonly for: Remember;
  readonly pattern?: string | undefined;
}

/** The rule of the run that answers all reasons to ask about a call; undefined where a person has to. */
export function ruleOfRun(
  step: Step,
  { caller }: Actor,
  call: GuardedCall,
  asks: readonly Pick<AskReason, 'guard'>[],
  { participants }: Pick<GuardContext, 'participants'>,
): Promise<RunRule | undefined> {
  const { allowed = [] } = step.runState.record.run;
  const compared = { ...call, caller, participants, reader: step.draft };
  return allowed.length === 0 ? Promise.resolve(undefined) : answeringRule(allowed, compared, asks);
}

/**
 * Keeps with the run that a person has allowed the same for the rest of it: calls that match the pattern, or only this call again.
 * `BAD_REQUEST` for a pattern that cannot be read or does not match, and for a call whose outcome nobody knows.
 */
export async function rememberForRun(
  step: Step,
  machine: Machine,
  actor: Actor,
  call: GuardedCall,
  { approval, by, remember }: { approval: ApprovalRecord; by: string; remember: Remembered },
): Promise<void> {
  const { pattern } = remember;
  if (approval.asked === undefined)
    throw new EngineError('BAD_REQUEST', 'this call can be allowed once only', { hint: 'leave "remember" out' });
  const { participants } = guardContextOf(step, machine, actor);
  const compared: ComparedCall = { ...call, caller: actor.caller, participants, reader: step.draft };
  if (pattern !== undefined) await expectMatches(pattern, compared);
  const { agentId } = approval.requestedBy;
  const rule: RunRule = {
    tool: call.tool.name,
    ...(pattern === undefined ? { call: await bindingOf(call, actor.caller, step.draft) } : { pattern }),
    ...(agentId !== undefined && { agentId }),
    guards: approval.asked.asks.map(({ guard }) => guard),
    approvalId: approval.id,
    by,
    at: isoTime(step.now),
  };
  step.patchRun({ allowed: [...(step.runState.record.run.allowed ?? []), rule] });
}
