import { EngineError } from '../../base/error.ts';
import { answerCall, callOfQuestion } from '../ask/ask-user.ts';
import { endQuestion, openQuestion, type RunMessage } from '../ask/question.ts';
import { OPEN_STATUSES } from '../run.ts';
import { kindOf } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import type { Modes } from './mode.ts';

/**
 * Gives words to a run: they answer its open question, once, or its mode takes them. `RUN_NOT_ACTIVE` where the run is over,
 * `QUESTION_ANSWERED` where the named question is not open any more, `RUN_NOT_ASKING` where the run waits for no words.
 */
export async function receiveMessage(step: Step, modes: Modes, message: RunMessage): Promise<void> {
  const { id, status } = step.runState.record.run;
  if (!OPEN_STATUSES.some((open) => open === status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${id}" is ${status} already`);
  const { questionId } = message;
  const question = await openQuestion(step.draft, id);
  if (questionId !== undefined && question?.id !== questionId)
    throw new EngineError('QUESTION_ANSWERED', `the question "${questionId}" is not open any more`, {
      hint: 'each question is answered once; look at the run for a newer one',
    });
  const row = question && (await callOfQuestion(step, question));
  if (question !== undefined && row !== undefined) return answerCall(step, question, row, message);
  const root = await step.machine(id);
  const take = root && modes.get(kindOf(root))?.takeMessage;
  if (root === undefined || take === undefined)
    throw new EngineError('RUN_NOT_ASKING', `run "${id}" is ${status} and asks nothing`, {
      hint: 'start a new run with your message',
    });
  if (question !== undefined) await endQuestion(step, question, message);
  await take(step, root, message, question);
}
