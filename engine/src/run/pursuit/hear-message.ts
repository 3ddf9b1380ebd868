import { isoTime } from '../../base/clock.ts';
import type { ApprovalRecord } from '../../guard/approval.ts';
import type { RunMessage } from '../ask/question.ts';
import { wakeNow } from '../objective/wake.ts';
import { isPerson } from '../run.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { taintThread } from '../step/taint.ts';

/** Takes words of a person, at any time: they wake the objective and come first. Words of a program are data. */
export async function hearMessage(
  step: Step,
  root: Machine,
  { text, by }: RunMessage,
  question: ApprovalRecord | undefined,
): Promise<void> {
  const { threadId } = root.facts;
  if (!isPerson(by)) await taintThread(step, threadId, 'a message that a program wrote');
  const said = await step.append(threadId, { role: 'user', content: text });
  await wakeNow(step, {
    ...{ why: question === undefined ? 'words' : 'answer', at: isoTime(step.now), text: said.content, by },
  });
}
