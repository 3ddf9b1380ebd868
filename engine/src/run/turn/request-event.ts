import type { Api } from '../../config/config.ts';
import { modelName } from '../../model/models.ts';
import type { ModelEffect } from '../step/effect.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** Stores what is sent, and the tools where they are not stored yet. */
export async function recordRequest(step: Step, { facts }: Machine, effect: ModelEffect): Promise<void> {
  const { api, turn, attempt, toolset, tools } = effect;
  const head = eventHead(api, facts.runId, turn, attempt);
  await step.event(facts.threadId, { ...head, kind: 'request', ...(await sentBy(step, effect)) });
  if (toolset === '' || step.actors.storedToolsets.has(toolset)) return;
  step.toolsets.push(toolset);
  step.draft.append({ op: 'put', table: 'toolset', row: { hash: toolset, body: JSON.stringify(tools) } });
}

/** What was sent, as an event stores it: the bytes do not grow with the thread. */
async function sentBy(step: Step, { messages, machine, window, summaryUpTo, toolset }: ModelEffect) {
  if (summaryUpTo !== undefined) return { upTo: summaryUpTo, toolset: '', own: messages };
  const isRedacted = (await step.runState.privacy()) === undefined ? {} : { isRedacted: true as const };
  if (window === undefined) return { upTo: messages.length, toolset, ...isRedacted };
  const asking = await step.machine(machine);
  const upTo = asking === undefined ? 0 : (await step.runState.transcript(asking.facts.threadId)).length;
  return { upTo, toolset, window, ...isRedacted };
}

/** The fields that all events of a request share. */
export function eventHead(api: Api, runId: string, turn: number, attempt: number) {
  return { runId, turn, attempt, apiId: api.id, provider: api.provider, model: modelName(api) };
}
