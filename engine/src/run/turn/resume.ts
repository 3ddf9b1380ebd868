import { EngineError, type ErrorBody } from '../../base/error.ts';
import { readApproval } from '../../guard/approval.ts';
import { checkAgain } from './still-allowed.ts';
import { settleCall } from '../step/tool-result.ts';
import { resumeHeld } from './check-answer.ts';
import { park } from './ask-person.ts';
import { launchTool } from './tool-calls.ts';
import { type Effect, effectId } from '../step/effect.ts';
import { isOpen, type LedgerRow, openCalls, readCall } from '../ledger.ts';
import { awaitedWork, type Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { askAgain, isAwaited } from './turn.ts';

/** The effect of an id, where it runs in this process. */
export type PendingEffect = (effectId: string) => Effect | undefined;

/** Whether a run still waits for a running effect. */
export async function isEffectPending(step: Step, effect: Effect): Promise<boolean> {
  const machine = await step.machine(effect.machine);
  if (machine === undefined || machine.snapshot.status !== 'active') return false;
  if (effect.kind === 'model') return isAwaited(machine, effect);
  const row = await readCall(step.draft, effect.machine, effect.call);
  return row !== undefined && isOpen(row);
}

/**
 * Takes up a machine where the last process left it: the model is asked again, reads and keyed writes run again under the
 * same key, and a write that may have happened goes to a person. Parked machines and effects that run in this process need
 * nothing.
 */
export async function resume(step: Step, machineId: string, pending: PendingEffect = () => undefined): Promise<void> {
  const machine = await step.machine(machineId);
  if (machine === undefined || machine.snapshot.status !== 'active') return;
  const work = awaitedWork(machine);
  if (work?.kind === 'model') {
    if (await resumeHeld(step, machine, (id) => pending(id) !== undefined)) return;
    const known = pending(effectId({ machine: machineId }));
    if (known !== undefined && isAwaited(machine, known)) return;
    await askAgain(step, machine, work.turn, work.attempt);
  } else if (work?.kind === 'own') {
    if (pending(effectId({ machine: machineId, call: work.call })) === undefined)
      await step.perform(machine, { type: work.action, params: work.params });
  } else if (work?.kind === 'check') {
    await resumeHeld(step, machine, (id) => pending(id) !== undefined);
  } else if (work?.kind === 'calls') {
    for (const row of await openCalls(step.draft, machineId))
      if (pending(effectId({ machine: machineId, call: row.call })) === undefined) await resumeCall(step, machine, row);
  }
}

async function resumeCall(step: Step, machine: Machine, row: LedgerRow): Promise<void> {
  // The session goes on with an ask, and the approval still waits for its person.
  if (row.sessionId !== undefined || row.state === 'ambiguous') return;
  const approval = row.approvalId === undefined ? undefined : await readApproval(step.draft, row.approvalId);
  const isAllowed = approval?.status === 'allowed';
  if (row.approvalId !== undefined && !isAllowed) return;
  if (row.state === 'started')
    return parkUnsure(step, machine, row, 'the process stopped while this ran: it may have happened');
  const { call, arguments: args, seen } = row;
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = actor.toolset.tools.get(row.tool);
  if (tool === undefined) return refuse(step, row);
  if ('kind' in tool || tool.effects === 'none')
    throw new EngineError('INTERNAL', `call ${call} of ${row.tool} was left open`);
  const { refused, asks } = await checkAgain(step, machine, actor, { tool, arguments: args });
  if (refused !== undefined) return refuse(step, row);
  if (asks !== undefined && !isAllowed)
    return parkUnsure(step, machine, row, `it may have happened before this rule came: ${asks}`);
  await launchTool(step, machine, actor, {
    call,
    tool,
    arguments: args,
    isRepeat: true,
    isApproved: isAllowed,
    ...(seen !== undefined && { seen }),
    ...(isAllowed && approval.hash !== undefined && { binding: approval.hash }),
  });
}

/** Answers a call whose tool was denied or disabled meanwhile: the call does not run again, and its outcome is not known. */
async function refuse(step: Step, row: LedgerRow): Promise<void> {
  const error = {
    code: 'TOOL_OUTCOME_UNKNOWN',
    message: `the process stopped while this ran, and "${row.tool}" is no longer allowed: whether it happened is not known`,
  };
  await settleCall(step, row.machine, row.call, { error }, 'failed');
}

/** Asks a person about an effect that may have happened. */
async function parkUnsure(step: Step, machine: Machine, row: LedgerRow, why: string): Promise<void> {
  const { call, callId, tool, arguments: args } = row;
  const actor = step.actors.resolve(step.runState, machine.facts);
  const reason = `${why}. Allow runs it again, deny leaves it as it is`;
  await park(step, machine, actor, { call, callId, tool, arguments: args, row }, reason);
  step.later(machine.id, { type: 'CALL_PARKED', at: step.now, call, why: 'asking' });
}

/** Asks a person about an attempt whose outcome is not known, and which the engine can neither look up nor repeat. */
export async function askWhether(step: Step, machineId: string, call: string, error: ErrorBody): Promise<void> {
  const machine = await step.machine(machineId);
  const row = await readCall(step.draft, machineId, call);
  if (machine === undefined || row === undefined || !isOpen(row)) return;
  const isKnown = error.code === 'TOOL_OUTCOME_UNKNOWN';
  const why = isKnown
    ? `nobody knows whether it happened: ${error.message}`
    : `it may have happened before the process stopped, and finding out failed: ${error.message}`;
  await parkUnsure(step, machine, row, why);
}
