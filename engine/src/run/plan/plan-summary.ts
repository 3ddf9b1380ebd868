import type { ErrorBody } from '../../base/error.ts';
import { type RoleResult, roleId, startRole } from '../role/role.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { compact, keepSummary, readConversation } from '../turn/window.ts';

/** Most characters of the earlier part of the conversation that each role reads word for word. */
export const MOST_CHARACTERS = 60_000;

/** Starts the summary of what has fallen out of the window of the conversation; says SUMMARISED where nothing has. */
export async function summarise(step: Step, root: Machine, number: number): Promise<void> {
  const { due } = await readConversation(step, root, MOST_CHARACTERS);
  if (due === undefined) return step.later(root.id, { type: 'SUMMARISED', at: step.now });
  const [{ content: system }, { content: data }] = due.request;
  const text = { system: system ?? '', data: data ?? '' };
  await startRole(step, root, { name: 'summary', number, ...text, tools: 'none', maxTurns: 1, isSummary: true });
}

/**
 * Stores the summary with the thread of the run, from which the next run of the conversation takes it over. One that failed does not
 * fail the run: the messages are left out all the same, and the next summary covers them.
 */
export async function keepPlanSummary(step: Step, root: Machine, result: RoleResult): Promise<void> {
  const { due } = await readConversation(step, root, MOST_CHARACTERS);
  if (due !== undefined) await keepSummary(step, root, due.upTo, await answerOf(step, root, result));
  return step.send(root.id, { type: 'SUMMARISED', at: step.now });
}

/** Goes back to the summary where the planner cannot read the whole conversation. False where that is no help. */
export async function shorten(step: Step, root: Machine, { code }: ErrorBody): Promise<boolean> {
  if (code !== 'MODEL_TOO_LONG' || !(await compact(step, root))) return false;
  await step.send(root.id, { type: 'TOO_LONG', at: step.now });
  return true;
}

/** The answer as the model gave it, with placeholders in place of private values; undefined where there is none. */
async function answerOf(step: Step, root: Machine, result: RoleResult) {
  const machine = result.status === 'completed' ? await step.machine(roleId(root, result)) : undefined;
  if (machine === undefined) return undefined;
  const { threadId } = machine.facts;
  const messages = await step.runState.transcript(threadId);
  const shown = (await (await step.runState.privacy())?.shown(threadId, messages)) ?? messages;
  return shown.findLast((message) => message.role === 'assistant');
}
