import { EngineError } from '../base/error.ts';
import { findTool } from '../tool/surface.ts';
import { park } from './call.ts';
import { type LedgerRow, openCalls } from './ledger.ts';
import type { Machine } from './machine.ts';
import { contextOf } from './outcome.ts';
import type { Step } from './step.ts';
import { modelEffect } from './turn.ts';

/**
 * Takes up a machine where the last process left it: the model is asked again, reads and keyed writes run again under the
 * same key, and a write that may have happened goes to a person. Machines that are parked need nothing.
 */
export async function resume(step: Step, machineId: string): Promise<void> {
  const machine = await step.machine(machineId);
  if (machine === undefined || machine.kind !== 'run' || machine.snapshot.status !== 'active') return;
  if (machine.snapshot.matches('asking')) {
    const { turn, attempt } = contextOf(machine);
    step.launches.push(await modelEffect(step, machine, turn + 1, attempt));
  } else if (machine.snapshot.matches('calling')) {
    for (const row of await openCalls(step.draft, machineId)) await resumeCall(step, machine, row);
  }
}

async function resumeCall(step: Step, machine: Machine, row: LedgerRow): Promise<void> {
  // An ask goes on in its session, an asked person in the approval.
  if (
    row.sessionId !== undefined ||
    (row.approvalId !== undefined && (row.state === 'ambiguous' || !(await isAllowed(step, row))))
  )
    return;
  const actor = step.cast.actorOf(step.tree, machine.facts);
  const tool = findTool(actor.surface, row.tool);
  if ('kind' in tool || tool.effects === 'none')
    throw new EngineError('INTERNAL', `call ${row.call} of ${row.tool} was left open`);
  if (row.state === 'started') {
    const reason =
      'the process stopped while this ran: it may have happened. Allow runs it again, deny leaves it as it is';
    await park(
      step,
      machine,
      actor,
      { call: row.call, callId: row.callId, tool: row.tool, arguments: row.arguments, row },
      reason,
    );
    step.later(machine.id, { type: 'CALL_PARKED', at: step.now, call: row.call, why: 'asking' });
    return;
  }
  const { call, arguments: args } = row;
  step.launches.push({
    kind: 'tool',
    root: machine.root,
    machine: machine.id,
    call,
    tool,
    arguments: args,
    caller: actor.caller,
    isRepeat: true,
  });
}

async function isAllowed(step: Step, row: LedgerRow): Promise<boolean> {
  const approval = await step.draft.get('approval', { id: row.approvalId ?? '' });
  return approval?.status === 'allowed';
}
