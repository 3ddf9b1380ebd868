import type { Asked } from './approval.ts';
import type { AskReason } from './guard.ts';

/** The guard that asks because of what the thread has read. */
const TAINT = 'taint';

/**
 * Reasons to ask that a person has not answered who answered those of `before`: a guard asks that did not ask then, so the policy has
 * become stricter. A thread that has read text of strangers only since then is no change of policy.
 */
export function stricterReasons({ asks, wasTainted }: Asked, now: readonly AskReason[]): AskReason[] {
  const answered = new Set(asks.map(({ guard }) => guard));
  return now.filter(({ guard }) => !answered.has(guard) && (guard !== TAINT || wasTainted));
}
