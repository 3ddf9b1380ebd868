import { isoTime } from '../../base/clock.ts';
import type { ApprovalRecord } from '../../guard/approval.ts';
import { approvalRules } from '../../notification/targets.ts';
import type { Step } from '../step/step.ts';

const HOUR_MS = 3_600_000;

/** When others are told that a person of this director has not answered, and when nobody can answer any more. */
export function deadlinesOf(step: Step, directorId: string): Pick<ApprovalRecord, 'escalateAt' | 'expiresAt'> {
  const { expireAfterDays, escalateTo } = approvalRules(step.deps.config.current(), directorId);
  const after = (hours: number) => isoTime(Math.round(step.now + hours * HOUR_MS));
  return {
    ...(expireAfterDays !== undefined && { expiresAt: after(24 * expireAfterDays) }),
    ...(escalateTo !== undefined && { escalateAt: after(escalateTo.afterHours) }),
  };
}
