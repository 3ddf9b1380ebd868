import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Snapshot } from '../../config/config.ts';
import { withOutputNote } from '../../config/prompt/output-note.ts';
import type { RenderedMessage } from '../../config/prompt/transcript.ts';
import { outputOf } from '../step/actor.ts';
import { agentOf } from '../step/tool-result.ts';
import type { Machine } from '../step/machine.ts';
import { closeRun } from '../lifecycle/finish.ts';
import { announceEnd } from '../step/announce.ts';
import { agentPrompt } from '../step/thread-prompt.ts';
import type { Step } from '../step/step.ts';
import { type MessageSpan, readThread, updateThread } from '../thread.ts';

/**
 * Appends a person's message, or the prompt of a turn in a chat, to the thread of the session; before it the agent's prompt, where this is the first
 * message or the prompt has changed.
 */
export async function openMessage(step: Step, machine: Machine): Promise<void> {
  const { facts } = machine;
  const { config, record } = step.runState;
  const thread = await readThread(step.draft, facts.threadId);
  const first = thread?.opened?.first;
  const sent = record.run.trigger.message ?? '';
  const message = first ?? sent;
  const prompt = promptHash(config, facts.agentId);
  const isKnown = thread?.opened?.prompt === prompt;
  let asked: RenderedMessage = { role: 'user', content: message };
  const onTrigger = (placed: RenderedMessage) => void (asked = placed);
  const opening = isKnown
    ? [asked]
    : withOutputNote(await agentPrompt(step, facts, message, { onTrigger }), outputOf(step.runState, facts));
  for (const one of opening) await step.append(facts.threadId, one);
  const isSummary = record.run.trigger.isSummary === true;
  machine.facts = { ...facts, from: (facts.from ?? 0) + opening.length, ...(isSummary && { isSummary }) };
  if (!isKnown) {
    const from = facts.from ?? 0;
    const at = opening.indexOf(asked);
    // The prompt may go on after the message of the person.
    const spans = [
      { from, count: at },
      { from: from + at + 1, count: opening.length - at - 1 },
    ];
    await notePrompt(
      step,
      facts.threadId,
      prompt,
      spans.filter(({ count }) => count > 0),
    );
  }
  // The prompt of a turn in a chat is as long as the chat: the entry says its length, the thread has its words.
  const request = first === undefined ? { input: sent } : { input: sent, promptCharacters: first.length };
  step.entry({
    ...agentOf(step.actors.resolve(step.runState, facts)),
    phase: 'agent',
    detail: { action: 'agent_start', apiId: facts.apiId, request, sessionId: facts.threadId },
  });
}

/** Notes the hash of the prompt that the agent has got, and its messages. Memories that the prompt recalls may have tainted the thread meanwhile. */
async function notePrompt(step: Step, threadId: string, prompt: string, spans: readonly MessageSpan[]): Promise<void> {
  const thread = await readThread(step.draft, threadId);
  if (thread?.opened === undefined) return;
  const { first: _appended, ...opened } = thread.opened;
  const prompts = [...(opened.prompts ?? []), ...spans];
  await step.draft.add(updateThread({ ...thread, opened: { ...opened, prompt, prompts } }));
}

/** Hash of all that the agent's prompt is made from. */
function promptHash({ agents, prompts }: Snapshot, agentId: string): string {
  const { prompt, imprint, name, description, output } = agents.get(agentId) ?? {};
  const template = prompt !== undefined && 'use' in prompt ? prompts.get(prompt.use) : undefined;
  const words = canonicalJson({ prompt, imprint, name, description, template, output });
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
  // Whoever writes a message waits for its answer; nobody does for a task.
  if (step.runState.record.run.trigger.kind === 'task') await announceEnd(step, machine, status, error);
}
