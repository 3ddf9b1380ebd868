import type { ApprovalRecord } from '../../guard/approval.ts';
import { bindingOf } from '../../guard/binding.ts';
import type { GuardContext, GuardedCall, GuardOutcome } from '../../guard/guard.ts';
import { deadlinesOf } from '../ask/deadlines.ts';
import type { Actor } from '../step/actor.ts';
import type { Step } from '../step/step.ts';

/** What the guards say about a call, and what they have read. */
export interface CheckedCall {
  readonly outcome: GuardOutcome;
  readonly context: GuardContext;
}

/** The terms of a new approval: what it is bound to, why it asks, when others are told, and when it expires. */
export type ApprovalTerms = Pick<ApprovalRecord, 'hash' | 'asked' | 'escalateAt' | 'expiresAt'>;

/** The terms of an approval of this call that begins now. `checked` is absent where nobody knows whether it has happened. */
export async function termsOf(
  step: Step,
  actor: Actor,
  call: GuardedCall,
  checked: CheckedCall | undefined,
): Promise<ApprovalTerms> {
  const hash = await bindingOf(call, actor.caller, step.draft);
  const asks = checked?.outcome.decision === 'ask' ? checked.outcome.asks : undefined;
  return {
    hash,
    ...(asks !== undefined && { asked: { asks, wasTainted: (await checked?.context.taint()) !== undefined } }),
    ...deadlinesOf(step, actor.caller.origin.director.id),
  };
}
