import { isoTime } from '../../base/clock.ts';
import { changeObjective } from '../objective/objective-rows.ts';
import { withLine } from '../objective/objective.ts';
import { askQuestion, openQuestion } from '../ask/question.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { contextOf } from './objective-of.ts';

/** Asks the user: the question stands in the conversation, in the story and in the list of what waits for a person. */
export async function askUserFor(step: Step, root: Machine, question: string): Promise<void> {
  const { threadId } = root.facts;
  const said = await step.append(threadId, { role: 'assistant', content: question });
  await changeObjective(step, (objective) => ({
    ...withLine(objective, step.now, { kind: 'action', text: `Asked the user: ${question}` }),
    question: said.content ?? question,
    lastActionTime: isoTime(step.now),
  }));
  if ((await openQuestion(step.draft, root.facts.runId)) !== undefined) return;
  const actor = step.actors.resolve(step.runState, root.facts);
  const message = (await step.runState.transcript(threadId)).length;
  const { roles, acts } = contextOf(root);
  await askQuestion(step, root, actor, { question, call: `question/${roles}.${acts}`, place: { threadId, message } });
}

/** Asks whether to go on after a limit of one wake, so that no limit ends an objective unawares. */
export function askGoOn(step: Step, root: Machine, { reason }: { readonly reason: string }): Promise<void> {
  return askUserFor(step, root, `I have stopped for now: ${reason}. Answer to let me go on, and say what matters.`);
}
