import { type ErrorBody, withReason } from '../../base/error.ts';
import { redactValue } from '../../base/redact.ts';
import type { Actor } from './actor.ts';
import { isOpen, type LedgerState, mark, readCall } from '../ledger.ts';
import { limitResult } from '../../tool/result-limit.ts';
import type { Machine } from './machine.ts';
import type { Step } from './step.ts';

/**
 * The result of a call: any JSON value, or an error that the model reads. `failure`: the value reports an error, such as that
 * of an agent, which the entry shows as its own.
 */
export type CallResult =
  { readonly value: unknown; readonly failure?: ErrorBody | undefined } | { readonly error: ErrorBody };

/** Answers an open call and informs its machine. A call that already has an answer keeps it. */
export async function settleCall(
  step: Step,
  machineId: string,
  call: string,
  result: CallResult,
  state: LedgerState,
): Promise<void> {
  const machine = await step.machine(machineId);
  const row = await readCall(step.draft, machineId, call);
  if (machine === undefined || row === undefined || !isOpen(row)) return;
  const error = 'error' in result ? redactValue(step.deps.redactor, result.error) : undefined;
  await mark(step.draft, row, state, error === undefined ? {} : { error });
  const shown =
    'value' in result && row.edited === true
      ? { ...result, value: { result: result.value, argumentsChangedTo: row.arguments } }
      : result;
  const { tool, callId, sessionId } = row;
  const entry = { tool, callId, request: row.arguments, ...(sessionId !== undefined && { sessionId }) };
  await answer(step, machine, entry, shown);
  step.later(machineId, { type: 'CALL_SETTLED', at: step.now, call });
}

/**
 * Records the outcome of an effect whose call was cancelled before. The call already has an answer ("not known"), so this adds
 * only a ledger state and an entry.
 */
export async function noteLate(step: Step, machineId: string, call: string, value: unknown): Promise<void> {
  const machine = await step.machine(machineId);
  const row = await readCall(step.draft, machineId, call);
  if (machine === undefined || row?.state !== 'cancelled') return;
  await mark(step.draft, row, 'done');
  const actor = step.actors.resolve(step.runState, machine.facts);
  const { tool, callId } = row;
  const detail = { action: 'outcome_after_cancel', tool, callId, request: row.arguments };
  step.entry({ ...agentOf(actor), phase: 'tool', detail, result: value ?? null });
}

/**
 * Adds the answer of a call to the transcript and to the entries. A result above `MAX_RESULT_CHARACTERS` is truncated, with a
 * mark that the model can read.
 */
export async function answer(
  step: Step,
  machine: Machine,
  call: { tool: string; callId: string; request: unknown; sessionId?: string },
  result: CallResult,
): Promise<void> {
  const whole = 'error' in result ? { error: withReason(result.error) } : result.value;
  const value = limitResult(whole, step.deps.redactor);
  const content = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  await step.append(machine.facts.threadId, { role: 'tool', tool_call_id: call.callId, content });
  const actor = step.actors.resolve(step.runState, machine.facts);
  const failure = 'error' in result ? withReason(result.error) : result.failure;
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: call,
    ...('value' in result && { result: value ?? null }),
    ...(failure !== undefined && { error: failure }),
  });
}

/** The agent fields of an entry. */
export function agentOf(actor: Actor): { agent?: { id: string; name: string; threadId: string } } {
  const { agent } = actor.caller.origin;
  return agent === undefined ? {} : { agent: { ...agent, threadId: actor.caller.threadId } };
}
