import { isRecord } from '../../base/json.ts';
import { isOpen, readCall } from '../ledger.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { taintOf } from '../step/taint.ts';
import type { CallResult } from '../step/tool-result.ts';
import { keepFile } from '../../workspace/generated-file.ts';

/**
 * Stores the files that a call has made as items of the workspace, and names them in the result of the call as `items`. A call that was
 * answered meanwhile leaves none.
 */
export async function withItems(step: Step, machineId: string, call: string, result: CallResult): Promise<CallResult> {
  if ('error' in result || (result.files ?? []).length === 0) return result;
  const machine = await step.machine(machineId);
  const row = await readCall(step.draft, machineId, call);
  if (machine === undefined || row === undefined || !isOpen(row)) return result;
  const { files = [], value, ...rest } = result;
  const kept = (await step.machine(machine.root))?.facts.keptFiles ?? 'newest';
  const { workspaceId } = machine.facts;
  const context = await contextOf(step, machine, row.tool);
  const items: { id: string; label: string; mimeType: string; revision: number }[] = [];
  for (const file of files) {
    const made = { id: step.deps.ids.next('item'), now: step.now, kept, context };
    const { id, revision } = await keepFile(step.draft, workspaceId, file, made);
    items.push({ id, label: file.label, mimeType: file.mimeType, revision });
  }
  step.notice('item', { workspaceId });
  // The file is in the workspace: the model needs no copy of it.
  const { ics: _file, ...shown } = isRecord(value) ? value : { result: value };
  return { ...rest, value: { ...shown, items } };
}

async function contextOf(step: Step, { facts }: Machine, tool: string) {
  const { origin, agentId, apiId, threadId, runId } = facts;
  const isTainted = (await taintOf(step, threadId)) !== undefined;
  return {
    ...origin,
    ...{ createdBy: agentId === '' ? ('director' as const) : ('agent' as const), tool, runId, apiId },
    ...(agentId !== '' && { agentId }),
    conversationId: threadId,
    ...(isTainted && { isTainted: true as const }),
  };
}
