import type { GuardOutcome } from '../../guard/guard.ts';
import { auditPart } from '../../trace/audit.ts';
import type { AuditPart } from '../../trace/entry.ts';
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

/** What the entry of a call that has an answer says about the decision. */
export function auditOf(
  { deps, runState }: Step,
  { facts }: Machine,
  actor: Actor,
  tool: string,
  decision: AuditedDecision,
): AuditPart {
  const used = actor.toolset.tools.get(tool) ?? actor.toolset.denied.get(tool);
  const part = {
    sessionId: facts.threadId,
    directorId: facts.directorId,
    ...(facts.agentId !== '' && { agentId: facts.agentId }),
    startedBy: runState.record.run.startedBy,
    effects: used === undefined || 'kind' in used ? ('none' as const) : used.effects,
    target: decision.target,
    wasAllowed: decision.isAllowed,
    why: decision.isAllowed ? decision.why : undefined,
    ...(decision.approvalId !== undefined && { approvalId: decision.approvalId }),
    executionTimeMs: decision.isAllowed ? Math.max(0, deps.clock.now() - decision.at) : 0,
  };
  return auditPart(part, deps.redactor);
}
