import { type ErrorBody, withReason } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { redactValue } from '../../base/redact.ts';
import { markName } from '../../config/prompt/envelope.ts';
import type { GeneratedFile } from '../../workspace/generated-file.ts';
import { isUntrustedResult } from '../../guard/taint.ts';
import type { Actor } from './actor.ts';
import { type AuditedDecision, auditOf } from './audit-call.ts';
import { noteUnknown, uncountGated } from './gated-calls.ts';
import { isOpen, type LedgerRow, type LedgerState, mark, readCall } from '../ledger.ts';
import { limitResult } from '../../tool/result-limit.ts';
import type { Machine } from './machine.ts';
import type { Step } from './step.ts';
import { taintOf, taintThread } from './taint.ts';

/**
 * The result of a call: any JSON value, or an error that the model reads. `failure` is the error of an agent whose answer is the
 * value; the trace entry of the call shows it.
 */
export type CallResult =
  | {
      readonly value: unknown;
      readonly failure?: ErrorBody | undefined;
      /** Files that the call has made; kept where the run keeps files. */
      readonly files?: readonly GeneratedFile[];
    }
  | { readonly error: ErrorBody };

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
  await uncountGated(step, machine, row, { state, code: error?.code });
  await noteUnknown(step, machine, row.tool, error?.code);
  const shown =
    'value' in result && row.edited === true
      ? { ...result, value: { result: result.value, argumentsChangedTo: row.arguments } }
      : result;
  const { tool, callId, sessionId } = row;
  const entry = { tool, callId, request: row.arguments, ...(sessionId !== undefined && { sessionId }) };
  await answer(step, machine, entry, shown, decisionOn(row, state));
  step.later(machineId, { type: 'CALL_SETTLED', at: step.now, call });
}

/** Answers a call whose effect ended in an error. A call that was refused as it began, or by its tool, counts as not allowed. */
export function settleError(step: Step, machineId: string, call: string, error: ErrorBody): Promise<void> {
  const isRefused = error.code === 'TOOL_DENIED' || error.code === 'OUT_OF_SCOPE';
  return settleCall(step, machineId, call, { error }, isRefused ? 'denied' : 'failed');
}

/** What decided about a call of the ledger that is answered now, and becomes `state`. */
export function decisionOn({ decided, target, approvalId }: LedgerRow, state: LedgerState): AuditedDecision {
  if (state === 'denied' || (decided === undefined && state !== 'done'))
    return { isAllowed: false, target, approvalId };
  // Rows of older versions do not say who allowed the call.
  return { ...(decided ?? { why: 'not known', at: 0 }), isAllowed: true, target, approvalId };
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
 * Adds the answer of a call to the transcript, and an entry that is its audit line as well. Without a `decision` the call was refused
 * before a guard saw it. A result above `MAX_RESULT_CHARACTERS` is truncated, with a mark that the model can read. A result of an
 * allowed call that may have words of strangers taints the thread.
 */
export async function answer(
  step: Step,
  machine: Machine,
  call: { tool: string; callId: string; request: unknown; sessionId?: string },
  result: CallResult,
  decision: AuditedDecision = { isAllowed: false },
): Promise<void> {
  const whole = 'error' in result ? { error: withReason(result.error) } : result.value;
  const value = limitResult(whole, step.deps.redactor);
  const content = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  const { threadId } = machine.facts;
  const isEnclosed = decision.isAllowed && (await noteSource(step, machine, call, result));
  const untrusted = isEnclosed ? { untrusted: await newMark(step, threadId) } : {};
  await step.append(threadId, { role: 'tool', tool_call_id: call.callId, content, ...untrusted });
  const actor = step.actors.resolve(step.runState, machine.facts);
  const failure = 'error' in result ? withReason(result.error) : result.failure;
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: call,
    ...('value' in result && { result: value ?? null }),
    ...(failure !== undefined && { error: failure }),
    audit: auditOf(step, machine, actor, call.tool, decision),
  });
}

/**
 * Taints the thread of a machine where a result may have words of strangers. Returns whether models get the result in an envelope:
 * not where the tool has put those words into envelopes itself.
 */
async function noteSource(
  step: Step,
  { facts }: Machine,
  { tool: name, sessionId }: { readonly tool: string; readonly sessionId?: string },
  result: CallResult,
): Promise<boolean> {
  const { threadId } = facts;
  if (sessionId !== undefined) {
    const taint = await taintOf(step, sessionId);
    if (taint !== undefined) await taintThread(step, threadId, `the answer of ${name}, which has read ${taint.cause}`);
    return taint !== undefined;
  }
  const { runState, deps, actors } = step;
  const tool =
    actors.resolve(runState, facts).toolset.tools.get(name) ??
    deps.tools.of(runState.config, runState.toolLists).get(name);
  const plain = 'value' in result ? { value: withoutEdit(result.value) } : result;
  if (!isUntrustedResult(tool, plain)) return false;
  await taintThread(step, threadId, `the result of ${name}`);
  return !('value' in plain && tool !== undefined && 'encloses' in tool && tool.encloses?.(plain.value) === true);
}

/** The result of a call itself, where a person had edited its arguments. */
function withoutEdit(value: unknown): unknown {
  return isRecord(value) && 'argumentsChangedTo' in value ? value['result'] : value;
}

/** A mark that nobody can guess, and that no other message has. */
async function newMark({ runState, deps }: Step, threadId: string): Promise<string> {
  const { length } = await runState.transcript(threadId);
  return markName('RESULT', deps.store.lookupKey(`result\0${threadId}\0${length}`));
}

/** The agent fields of an entry: a director in a role has a thread of its own, and no agent. */
export function agentOf(actor: Actor): { agent?: { id: string; name: string; threadId: string } } {
  const { origin, threadId } = actor.caller;
  const { agent = actor.isInRole ? { id: '', name: '' } : undefined } = origin;
  return agent === undefined ? {} : { agent: { ...agent, threadId } };
}
