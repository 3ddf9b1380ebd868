import type { Asked } from './approval.ts';
import type { AskReason } from './guard.ts';

/** The guard that asks because of what the thread has read. */
const TAINT = 'taint';
/** The guard that asks because of what has happened in the run. */
const UNKNOWN = 'unknown';

/**
 * Reasons to ask that a person has not answered who answered those of `before`: a guard asks that did not ask then, so the policy has
 * become stricter. A thread that has read text of strangers only since then is no change of policy, nor is another call whose outcome
 * nobody knows since then: this one was made before, so it does not repeat that one.
 */
export function stricterReasons({ asks, wasTainted }: Asked, now: readonly AskReason[]): AskReason[] {
  const answered = new Set(asks.map(({ guard }) => guard));
  const isPolicy = (guard: string) => guard !== UNKNOWN && (guard !== TAINT || wasTainted);
  return now.filter(({ guard }) => !answered.has(guard) && isPolicy(guard));
}
