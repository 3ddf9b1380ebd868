import type { Message } from '../../model/model.ts';
import type { MachineFacts } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/**
 * The messages of a request without the encrypted reasoning of an api that another one has replaced: a provider cannot read what
 * another one has encrypted, and refuses it.
 */
export async function ownReasoning(
  { runState }: Step,
  { threadId, reasoningFrom }: MachineFacts,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  if (reasoningFrom === undefined) return messages;
  // Messages are left out at the beginning alone, so they are counted from the end.
  const own = messages.length - ((await runState.transcript(threadId)).length - reasoningFrom);
  return messages.map((message, n) => (n < own ? withoutReasoning(message) : message));
}

function withoutReasoning(message: Message): Message {
  if (message.role !== 'assistant' || message.reasoning === undefined) return message;
  const { reasoning: _sealed, ...rest } = message;
  return rest;
}
