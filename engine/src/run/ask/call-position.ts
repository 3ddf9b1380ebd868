import type { MessagePosition } from '../../guard/approval.ts';
import type { Step } from '../step/step.ts';

/** The message of a thread that contains a call. */
export async function positionOf(step: Step, threadId: string, callId: string): Promise<MessagePosition> {
  const messages = await step.runState.transcript(threadId);
  const index = messages.findLastIndex(
    (message) => message.role === 'assistant' && message.tool_calls?.some(({ id }) => id === callId) === true,
  );
  return { threadId, message: index + 1 };
}
