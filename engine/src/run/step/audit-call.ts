import type { GuardOutcome } from '../../guard/guard.ts';
import { auditChange } from '../../trace/audit.ts';
import type { Allowed } from '../ledger.ts';
import type { Actor } from './actor.ts';
import type { Machine } from './machine.ts';
import type { Step } from './step.ts';

/** What an audit line says of the decision on a call. The error of a call that was not allowed says why. */
export type AuditedDecision = ((Allowed & { readonly isAllowed: true }) | { readonly isAllowed: false }) & {
  /** What the call acts on, in one line. */
  readonly target?: string | undefined;
  readonly approvalId?: string | undefined;
};

/** An allowed call that begins now. `by`: the id of the user who allowed it; absent where no guard asked. */
export function allowedNow({ now }: Step, { rules, reason }: GuardOutcome, by?: string): Allowed {
  const named = rules.map(({ kind, id, isNewest, list, entry }) => {
    const who = `${kind} ${id}`.trimEnd() + (isNewest ? ' (newest)' : '');
    return `${who}: ${entry === undefined ? 'allowed unless denied' : `${list} has "${entry}"`}`;
  });
  const why =
    by === undefined ? named.join('; ') || 'no rule denies it' : `${by} allowed it${reason && ` (${reason})`}`;
  return { why, at: now };
}

/** Adds the audit line of a call that has an answer. */
export function auditCall(
  step: Step,
  { facts }: Machine,
  actor: Actor,
  call: { readonly tool: string; readonly request: unknown; readonly output: unknown; readonly error: string },
  decision: AuditedDecision,
): void {
  const { deps, now, runState } = step;
  const tool = actor.toolset.tools.get(call.tool) ?? actor.toolset.denied.get(call.tool);
  const line = {
    id: deps.ids.next('aud'),
    runId: facts.runId,
    sessionId: facts.threadId,
    directorId: facts.directorId,
    ...(facts.agentId !== '' && { agentId: facts.agentId }),
    startedBy: runState.record.run.startedBy,
    actionType: call.tool,
    effects: tool === undefined || 'kind' in tool ? ('none' as const) : tool.effects,
    target: decision.target,
    input: call.request,
    output: call.output,
    wasAllowed: decision.isAllowed,
    why: decision.isAllowed ? decision.why : call.error,
    ...(decision.approvalId !== undefined && { approvalId: decision.approvalId }),
    executionTimeMs: decision.isAllowed ? Math.max(0, deps.clock.now() - decision.at) : 0,
  };
  step.draft.append(auditChange(line, now, deps.redactor));
}
