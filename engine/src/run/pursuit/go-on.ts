import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isAskingAfterOutage } from '../lifecycle/outage.ts';
import type { Step } from '../step/step.ts';
import { contextOf, recordOf } from './objective-of.ts';

/**
 * Lets an objective go on where it was that asks whether to, since no model answered: its wake begins again for the reason that it had,
 * and the question is withdrawn. `by`: id of the person. `RUN_NOT_FAILED` where it does not ask that, `CONFLICT` where it is paused,
 * `NOT_FOUND`.
 */
export async function goOnAfterOutage(step: Step, by: string): Promise<void> {
  const { run } = step.runState.record;
  const root = await step.machine(run.id);
  if (root === undefined || !isAskingAfterOutage(run))
    throw new EngineError('RUN_NOT_FAILED', `run "${run.id}" is ${run.status}, and no outage of its models stopped it`);
  if ((await recordOf(step)).paused)
    throw new EngineError('CONFLICT', `objective "${run.id}" is paused`, { hint: 'resume it first' });
  step.entry({ phase: 'director', detail: { action: 'outage_over', by } });
  const note = { why: 'again' as const, at: isoTime(step.now), by };
  await step.send(run.id, { type: 'WAKE', at: step.now, why: contextOf(root).why, note });
}
