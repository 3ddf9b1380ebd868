import { restoresIn } from '../../guard/placeholder/policy.ts';
import { type RestoredAnswer, restoreAnswer } from '../../guard/placeholder/restore-answer.ts';
import type { ModelAnswer } from '../../model/model.ts';
import { answerRestorer } from '../answer/answer-restorer.ts';
import { outputOf } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** An answer with real values in its text, and in the calls of tools that get them. */
export async function restoredAnswer(
  step: Step,
  machine: Machine,
  message: ModelAnswer['message'],
): Promise<RestoredAnswer> {
  const privacy = await step.runState.privacy();
  const restorer = await answerRestorer(step, machine);
  if (privacy === undefined || restorer === undefined) return { message, faults: new Map() };
  const { tools, denied } = step.actors.resolve(step.runState, machine.facts).toolset;
  const isJson = outputOf(step.runState, machine.facts) !== undefined;
  const find = (name: string) => tools.get(name) ?? denied.get(name);
  const restores = (name: string) => {
    const tool = find(name);
    return tool !== undefined && restoresIn(privacy.policy, tool);
  };
  const writesMail = (name: string) => {
    const tool = find(name);
    return tool !== undefined && 'recipients' in tool && tool.recipients !== undefined;
  };
  return restoreAnswer(restorer, message, { restores, writesMail, isJson });
}
