import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Snapshot } from '../../config/config.ts';
import { agentOf } from '../step/tool-result.ts';
import type { Machine } from '../step/machine.ts';
import { closeRun } from '../lifecycle/finish.ts';
import { agentPrompt } from '../step/thread-prompt.ts';
import type { Step } from '../step/step.ts';
import { readThread, updateThread } from '../thread.ts';

/**
 * Appends a person's message to the thread of the session; before it the agent's prompt, where this is the first
 * message or the prompt has changed.
 */
export async function openMessage(step: Step, machine: Machine): Promise<void> {
  const { facts } = machine;
  const { config, record } = step.runState;
  const message = record.run.trigger.message ?? '';
  const thread = await readThread(step.draft, facts.threadId);
  const prompt = promptHash(config, facts.agentId);
  const isKnown = thread?.opened?.prompt === prompt;
  const opening = isKnown ? [{ role: 'user' as const, content: message }] : await agentPrompt(step, facts, message);
  for (const one of opening) await step.append(facts.threadId, one);
  machine.facts = { ...facts, from: (facts.from ?? 0) + opening.length };
  if (thread?.opened !== undefined && !isKnown)
    await step.draft.add(updateThread({ ...thread, opened: { ...thread.opened, prompt } }));
  step.entry({
    ...agentOf(step.actors.resolve(step.runState, facts)),
    phase: 'agent',
    detail: { action: 'agent_start', apiId: facts.apiId, request: { input: message }, sessionId: facts.threadId },
  });
}

/** Hash of all that the agent's prompt is made from. */
function promptHash({ agents, prompts }: Snapshot, agentId: string): string {
  const { prompt, imprint, name, description } = agents.get(agentId) ?? {};
  const template = prompt !== undefined && 'use' in prompt ? prompts.get(prompt.use) : undefined;
  const words = canonicalJson({ prompt, imprint, name, description, template });
  return sha256(words).slice(0, 16);
}

/** Ends the run on a person's message: the session waits for the next one. */
export async function finishMessage(step: Step, machine: Machine): Promise<void> {
  const { facts } = machine;
  const messages = (await step.runState.transcript(facts.threadId)).slice(facts.from);
  const { status, last, error } = await closeRun(step, machine, messages);
  step.entry({
    ...agentOf(step.actors.resolve(step.runState, facts)),
    phase: 'agent',
    detail: { action: `agent_${status === 'completed' ? 'complete' : status}`, sessionId: facts.threadId },
    result: last,
    ...(error !== undefined && { error }),
  });
}
