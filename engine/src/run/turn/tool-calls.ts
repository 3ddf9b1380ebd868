import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { isTooDeep } from '../../base/json.ts';
import { redactValue } from '../../base/redact.ts';
import type { ToolCall } from '../../model/model.ts';
import type { Arguments } from '../../tool/arguments.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { ToolPreview } from '../../tool/tool.ts';
import { findTool } from '../../tool/toolset.ts';
import type { Actor } from '../step/actor.ts';
import { announceApproval } from '../step/announce.ts';
import { agentOf, answer, settleCall } from '../step/tool-result.ts';
import { addApproval, pendingApprovals } from '../../guard/approval.ts';
import { openAsk } from './agent-ask.ts';
import { intend, type LedgerRow, mark } from '../ledger.ts';
import type { ToolEffect } from '../step/effect.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { hasReadUntrusted } from './untrusted.ts';
import type { CallState } from '../../../machines/run.ts';

/** A call with its tool, its checked arguments and its permission. */
interface Prepared {
  readonly call: string;
  readonly toolCall: ToolCall;
  readonly tool: OfferedTool;
  readonly arguments: Arguments;
}

/**
 * Prepares, checks and performs the tool calls of one answer. Calls that touch only our own store are answered here; the
 * others get a ledger row. Returns the calls that stay open.
 */
export async function receiveCalls(
  step: Step,
  machine: Machine,
  turn: number,
  toolCalls: readonly ToolCall[],
): Promise<Record<string, CallState>> {
  const actor = step.actors.resolve(step.runState, machine.facts);
  const { maxCallsPerAnswer } = step.runState.config.settings.runs;
  const open: Record<string, CallState> = {};
  for (const toolCall of toolCalls.slice(0, maxCallsPerAnswer)) {
    const call = `${turn}/${toolCall.id}`;
    const state = await receiveCall(step, machine, actor, call, toolCall);
    if (state !== undefined) open[call] = state;
  }
  for (const toolCall of toolCalls.slice(maxCallsPerAnswer)) {
    const message = `only the first ${maxCallsPerAnswer} tool calls of an answer are made; this answer has ${toolCalls.length}`;
    const error = new EngineError('TOOL_LIMIT', message, { hint: 'make the call again in your next answer' });
    await refuseCall(step, machine, toolCall, error);
  }
  return open;
}

async function receiveCall(
  step: Step,
  machine: Machine,
  actor: Actor,
  call: string,
  toolCall: ToolCall,
): Promise<CallState | undefined> {
  const { name } = toolCall.function;
  try {
    const tool = actor.toolset.denied.get(name) ?? findTool(actor.toolset, name);
    const { permission, reason } = actor.check(tool);
    if (permission === 'deny')
      throw new EngineError('TOOL_DENIED', `"${tool.name}" is not allowed: ${reason}`, {
        hint: 'go on without this tool',
      });
    // Cleaned as values, too: the escapes of the JSON text may have hidden a secret.
    const read = await step.deps.checker.read(toolCall.function.arguments, tool.parameters);
    const args = redactValue(step.deps.redactor, read);
    await checkScope(tool, args, actor);
    const prepared = { call, toolCall, tool, arguments: args };
    const repeats = whyRepeated(step, tool);
    const asks = permission === 'ask' || repeats !== undefined;
    if (asks && 'check' in tool) await tool.check?.(args, actor.caller);
    if (asks) return await askPerson(step, machine, actor, prepared, repeats ?? reason);
    return await perform(step, machine, actor, prepared);
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    await refuseCall(step, machine, toolCall, error);
    return undefined;
  }
}

/** Throws where the scope of the actor does not permit the call. */
async function checkScope(tool: OfferedTool, args: Arguments, { caller }: Actor): Promise<void> {
  if ('checkScope' in tool) await tool.checkScope?.(args, caller);
}

async function refuseCall(step: Step, machine: Machine, toolCall: ToolCall, error: unknown): Promise<void> {
  const request = { tool: toolCall.function.name, callId: toolCall.id, request: rawArguments(toolCall) };
  await answer(step, machine, request, { error: errorBody(error) });
}

/** Why a person is asked about an allowed call of a retry: an earlier run has done this already, or may have. */
function whyRepeated({ runState }: Step, { name }: OfferedTool): string | undefined {
  const { retryOf, doneBefore = [] } = runState.record.run;
  if (retryOf === undefined || !doneBefore.includes(name)) return undefined;
  return `this run repeats run ${retryOf}, which has called ${name} already. Allow does it again, deny leaves it as it is`;
}

/** Performs an allowed call: at once in our own store, otherwise with a ledger row. */
async function perform(step: Step, machine: Machine, actor: Actor, prepared: Prepared): Promise<CallState | undefined> {
  const { tool, toolCall, call } = prepared;
  if (isImmediate(tool)) {
    const value = await runImmediate(step, machine, actor, tool, prepared.arguments);
    await answer(step, machine, { tool: tool.name, callId: toolCall.id, request: prepared.arguments }, { value });
    return undefined;
  }
  if ('kind' in tool) {
    const sessionId = await openAsk(step, machine, tool.agentId, prepared.arguments, call);
    await intend(step.draft, machine.id, call, {
      callId: toolCall.id,
      tool: tool.name,
      arguments: prepared.arguments,
      sessionId,
    });
    return 'running';
  }
  await intend(step.draft, machine.id, call, { callId: toolCall.id, tool: tool.name, arguments: prepared.arguments });
  launchTool(step, machine, { call, tool, arguments: prepared.arguments, caller: actor.caller, isRepeat: false });
  return 'running';
}

/** Adds a tool call to the effects that start once the step is on disk. */
export function launchTool(step: Step, machine: Machine, effect: Omit<ToolEffect, 'kind' | 'root' | 'machine'>): void {
  step.launches.push({ kind: 'tool', root: machine.root, machine: machine.id, ...effect });
}

type Immediate = Extract<OfferedTool, { effects: 'none' } | { kind: 'discovery' }>;

function isImmediate(tool: OfferedTool): tool is Immediate {
  return 'kind' in tool ? tool.kind === 'discovery' : tool.effects === 'none';
}

async function runImmediate(
  step: Step,
  { facts }: Machine,
  actor: Actor,
  tool: Immediate,
  args: Arguments,
): Promise<unknown> {
  if ('kind' in tool) return tool.answer(args, step.deps.checker);
  const { draft, now } = step;
  const value = await tool.run(args, {
    caller: actor.caller,
    draft,
    now,
    newId: (prefix) => step.deps.ids.next(prefix),
    hasReadUntrusted: () => hasReadUntrusted(step, facts),
  });
  if (tool.family === 'workspace') step.notice('item', { workspaceId: actor.caller.workspaceId });
  return value;
}

async function askPerson(
  step: Step,
  machine: Machine,
  actor: Actor,
  prepared: Prepared,
  reason: string,
): Promise<CallState> {
  const { tool, toolCall, call } = prepared;
  const { maxOpenApprovals } = step.runState.config.settings.runs;
  if ((await pendingApprovals(step.draft, machine.facts.runId)) >= maxOpenApprovals)
    throw new EngineError('TOOL_LIMIT', `${maxOpenApprovals} calls of this run already wait for a person`, {
      hint: 'make the call again when a person has answered them',
    });
  await park(
    step,
    machine,
    actor,
    { call, callId: toolCall.id, tool: tool.name, arguments: prepared.arguments },
    reason,
  );
  return 'asking';
}

/** Asks a person about a call: adds a ledger row where there is none, and an approval bound to the exact arguments. */
export async function park(
  step: Step,
  machine: Machine,
  actor: Actor,
  asked: { call: string; callId: string; tool: string; arguments: Arguments; row?: LedgerRow },
  reason: string,
): Promise<void> {
  const { call, callId, tool, arguments: args, row } = asked;
  const approvalId = step.deps.ids.next('appr');
  const { facts } = machine;
  const known = actor.toolset.tools.get(tool);
  const warnings = known !== undefined && 'warnings' in known ? await known.warnings?.(args) : [];
  const { seen, ...preview } = await previewOf(known, args, actor);
  const marks = { approvalId, ...(seen !== undefined && { seen }) };
  if (row === undefined) await intend(step.draft, machine.id, call, { callId, tool, arguments: args, ...marks });
  else await mark(step.draft, row, 'ambiguous', { ...marks, isUnsure: true });
  await addApproval(step.draft, {
    id: approvalId,
    runId: facts.runId,
    threadId: facts.threadId,
    tool,
    arguments: args,
    preview,
    requestedBy: { directorId: facts.directorId, ...(facts.agentId !== '' && { agentId: facts.agentId }) },
    reason,
    ...(warnings !== undefined && warnings.length > 0 && { warnings }),
    status: 'pending',
    createdAt: isoTime(step.now),
    machine: machine.id,
    call,
  });
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: { action: 'approval_requested', tool, request: args, callId, approvalId, reason },
  });
  step.notice('approval', { id: approvalId, status: 'pending', runId: facts.runId });
  await announceApproval(step, machine, approvalId, tool);
}

/** What the person sees: the preview of the tool, else the arguments. */
async function previewOf(tool: OfferedTool | undefined, args: Arguments, { caller }: Actor): Promise<ToolPreview> {
  const own =
    tool !== undefined && 'preview' in tool ? await tool.preview?.(args, caller).catch(() => undefined) : undefined;
  return own ?? { mimeType: 'application/json', data: JSON.stringify(args, null, 2) };
}

/** Performs a call that a person has allowed, with the arguments of the approval. */
export async function performAllowed(step: Step, machine: Machine, row: LedgerRow, args: Arguments): Promise<void> {
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = actor.toolset.denied.get(row.tool) ?? findTool(actor.toolset, row.tool);
  const { permission, reason } = actor.check(tool);
  if (permission === 'deny') throw new EngineError('TOOL_DENIED', `"${tool.name}" is no longer allowed: ${reason}`);
  await checkScope(tool, args, actor);
  const edited = { arguments: args, edited: args !== row.arguments };
  if (isImmediate(tool)) {
    await mark(step.draft, row, row.state, edited);
    const value = await runImmediate(step, machine, actor, tool, args);
    return settleCall(step, machine.id, row.call, { value }, 'done');
  }
  step.later(machine.id, { type: 'CALL_RESUMED', at: step.now, call: row.call });
  if ('kind' in tool) {
    const sessionId = await openAsk(step, machine, tool.agentId, args, row.call);
    return mark(step.draft, row, 'intended', { ...edited, sessionId });
  }
  await mark(step.draft, row, 'intended', edited);
  const isUnsure = row.isUnsure === true;
  const { caller } = actor;
  const { seen } = row;
  const repeat = { isRepeat: isUnsure, isApproved: true, insists: isUnsure, ...(seen !== undefined && { seen }) };
  launchTool(step, machine, { call: row.call, tool, arguments: args, caller, ...repeat });
}

/** Arguments for the log: the parsed object, or the text where it is not JSON or nested too deep to be written. */
function rawArguments({ function: { arguments: text } }: ToolCall): unknown {
  if (isTooDeep(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Whether the store caused the error, not the call: then the whole step is tried again. */
export function isStoreTrouble(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'STORE_CONFLICT' || error.code === 'STORE_FAILED');
}
