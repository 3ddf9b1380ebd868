import type { Restorer } from '../../guard/placeholder/restore-answer.ts';
import { outputOf } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/**
 * What restores the answer to a request of a machine; undefined without `privacy`. `isSummary`: the request for a summary, which has
 * neither tools nor a schema.
 */
export async function answerRestorer(
  step: Step,
  { facts }: Machine,
  { isSummary = false } = {},
): Promise<Restorer | undefined> {
  const privacy = await step.runState.privacy();
  if (privacy === undefined) return undefined;
  const { threadId } = facts;
  const thread = { threadId, real: await step.runState.transcript(threadId) };
  if (isSummary) return privacy.restorer(thread, [], undefined);
  const { specs } = step.actors.resolve(step.runState, facts).toolset;
  return privacy.restorer(thread, specs, outputOf(step.runState, facts));
}
