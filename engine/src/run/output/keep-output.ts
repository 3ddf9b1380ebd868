import { creatorOf } from '../../tool/family/workspace.ts';
import { addItem, listItems, updateItem } from '../../workspace/items.ts';
import { outputOf } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import { readOutput } from './read-output.ts';
import type { Step } from '../step/step.ts';
import { taintOf } from '../step/taint.ts';

/** Tag of the item that holds the final answer of a director or an agent. */
const TAG = 'output';
/** Newest items of a workspace among which an earlier answer is looked for. */
const MOST_ITEMS = 100;

/** The value of the final answer of a machine whose answer has a schema; undefined for a machine without one, or for a text that is no JSON. */
export function outputValue(step: Step, machine: Machine, text: string): { readonly value: unknown } | undefined {
  const schema = outputOf(step.runState, machine.facts);
  if (schema === undefined) return undefined;
  try {
    return { value: readOutput(text, schema) };
  } catch {
    return undefined;
  }
}

/**
 * Stores the final answer of a machine whose answer has a schema as an item of its workspace, and returns its value. A later answer of the
 * same agent in the same run becomes the next revision of the item.
 */
export async function keepOutput(
  step: Step,
  machine: Machine,
  text: string,
): Promise<{ readonly value: unknown } | undefined> {
  const output = outputValue(step, machine, text);
  if (output === undefined) return undefined;
  const { document, caller } = step.actors.resolve(step.runState, machine.facts);
  const { workspaceId, runId } = caller;
  const isTainted = (await taintOf(step, machine.facts.threadId)) !== undefined;
  const data = JSON.stringify(output.value, null, 2);
  const items = await listItems(step.draft, workspaceId, { newest: true, limit: MOST_ITEMS });
  const before = items.findLast(
    ({ context, tags = [] }) =>
      tags.includes(TAG) && context.runId === runId && context.agentId === caller.origin.agent?.id,
  );
  if (before !== undefined)
    await updateItem(step.draft, workspaceId, before.id, { data }, { now: step.now, runId, isTainted });
  else {
    const label = `Result of ${document.name}`;
    const context = { ...caller.origin, ...creatorOf(caller), ...(isTainted && { isTainted: true as const }) };
    const made = { id: step.deps.ids.next('item'), now: step.now, context };
    await addItem(step.draft, workspaceId, { label, mimeType: 'application/json', data, tags: [TAG] }, made);
  }
  step.notice('item', { workspaceId });
  return output;
}
