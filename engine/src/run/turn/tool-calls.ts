import { EngineError, errorBody } from '../../base/error.ts';
import { isTooDeep } from '../../base/json.ts';
import { redactValue } from '../../base/redact.ts';
import type { ToolCall } from '../../model/model.ts';
import type { Arguments } from '../../tool/arguments.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { QuestionTool } from '../../tool/tool.ts';
import { findTool } from '../../tool/toolset.ts';
import type { Actor } from '../step/actor.ts';
import { allowedNow, type AuditedDecision } from '../step/audit-call.ts';
import { countGated } from '../step/gated-calls.ts';
import { taintOf } from '../step/taint.ts';
import { answer, settleCall } from '../step/tool-result.ts';
import { deniedTool, runGuards } from '../../guard/guards.ts';
import { knownIn } from '../../guard/placeholder/redact-text.ts';
import { askUser } from '../ask/ask-user.ts';
import { openAsk } from './agent-ask.ts';
import { askPerson } from './ask-person.ts';
import { type Allowed, intend, type LedgerRow, mark } from '../ledger.ts';
import type { ToolEffect } from '../step/effect.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { ruleOfRun } from './remember.ts';
import { guardContextOf } from './guard-context.ts';
import { expectStillAllowed } from './still-allowed.ts';
import type { CallState } from '../../../machines/run-events.ts';

/** A call with its tool, its checked arguments and its permission. */
interface Prepared {
  readonly call: string;
  readonly toolCall: ToolCall;
  readonly tool: OfferedTool;
  readonly arguments: Arguments;
  readonly allowed: Allowed;
  readonly target: string | undefined;
}

/**
 * Prepares, checks and performs the tool calls of one answer. Calls that touch only our own store are answered here; the
 * others get a ledger row. A call with an entry in `faults` fails with that. Returns the calls that stay open.
 */
export async function receiveCalls(
  step: Step,
  machine: Machine,
  turn: number,
  toolCalls: readonly ToolCall[],
  faults: ReadonlyMap<ToolCall, EngineError> = new Map(),
): Promise<Record<string, CallState>> {
  const actor = step.actors.resolve(step.runState, machine.facts);
  const { maxCallsPerAnswer } = step.runState.config.settings.runs;
  const open: Record<string, CallState> = {};
  for (const toolCall of toolCalls.slice(0, maxCallsPerAnswer)) {
    const call = `${turn}/${toolCall.id}`;
    const fault = faults.get(toolCall);
    if (fault !== undefined) {
      await refuseCall(step, machine, toolCall, fault);
      continue;
    }
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
  let decision: AuditedDecision | undefined;
  try {
    const tool = actor.toolset.denied.get(name) ?? findTool(actor.toolset, name);
    const args = await readArguments(step, actor, tool, toolCall.function.arguments);
    const context = guardContextOf(step, machine, actor);
    const outcome = await runGuards({ tool, arguments: args }, context);
    const { target } = outcome;
    decision = { isAllowed: false, target };
    if (outcome.decision === 'refuse') throw outcome.error;
    const asks = outcome.decision === 'ask' ? outcome.asks : [];
    const rule = asks.length === 0 ? undefined : await ruleOfRun(step, actor, { tool, arguments: args }, asks, context);
    const allowed = allowedNow(step, outcome, rule?.by);
    const prepared = { call, toolCall, tool, arguments: args, allowed, target };
    if (outcome.decision === 'allow' || rule !== undefined) {
      decision = { ...allowed, isAllowed: true, target };
      return await perform(step, machine, actor, prepared);
    }
    if ('check' in tool) await tool.check?.(args, actor.caller);
    const asked = {
      call,
      callId: toolCall.id,
      tool: tool.name,
      arguments: args,
      target,
      checked: { outcome, context },
    };
    await askPerson(step, machine, actor, asked, outcome.reason);
    return 'asking';
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    await refuseCall(step, machine, toolCall, error, decision);
    return undefined;
  }
}

/** The checked arguments of a call. A denied tool says that it is denied, also where its arguments are wrong. */
async function readArguments(step: Step, actor: Actor, tool: OfferedTool, text: string): Promise<Arguments> {
  try {
    // Cleaned as values, too: the escapes of the JSON text may have hidden a secret.
    return redactValue(step.deps.redactor, await step.deps.checker.read(text, tool.parameters));
  } catch (error) {
    const { permission, reason } = actor.check(tool);
    throw permission === 'deny' ? deniedTool(tool, reason) : error;
  }
}

async function refuseCall(
  step: Step,
  machine: Machine,
  toolCall: ToolCall,
  error: unknown,
  decision?: AuditedDecision,
): Promise<void> {
  const request = { tool: toolCall.function.name, callId: toolCall.id, request: rawArguments(toolCall) };
  await answer(step, machine, request, { error: errorBody(error) }, decision);
}

/** Performs an allowed call: at once in our own store, otherwise with a ledger row. */
async function perform(step: Step, machine: Machine, actor: Actor, prepared: Prepared): Promise<CallState | undefined> {
  const { tool, toolCall, call, allowed, target } = prepared;
  const asked = { tool: tool.name, callId: toolCall.id };
  if (isImmediate(tool)) {
    const value = await runImmediate(step, machine, actor, tool, prepared.arguments);
    await countGated(step, machine, actor, tool.name);
    await answer(
      step,
      machine,
      { ...asked, request: prepared.arguments },
      { value },
      { ...allowed, isAllowed: true, target },
    );
    return undefined;
  }
  if (isQuestion(tool)) {
    const { callId } = asked;
    await askUser(step, machine, actor, { call, callId, arguments: prepared.arguments, allowed });
    return 'answer';
  }
  const row = { ...asked, arguments: prepared.arguments, decided: allowed, ...(target !== undefined && { target }) };
  if ('kind' in tool) {
    const sessionId = await openAsk(step, machine, tool.agentId, prepared.arguments, call);
    await intend(step.draft, machine.id, call, { ...row, sessionId });
    return 'running';
  }
  const gate = await countGated(step, machine, actor, tool.name);
  await intend(step.draft, machine.id, call, { ...row, ...gate });
  await launchTool(step, machine, actor, { call, tool, arguments: prepared.arguments, isRepeat: false });
  return 'running';
}

/** Adds a tool call to the effects that start once the step is on disk. */
export async function launchTool(
  step: Step,
  machine: Machine,
  actor: Actor,
  effect: Omit<ToolEffect, 'kind' | 'root' | 'machine' | 'caller' | 'isTainted' | 'expectAllowed'>,
): Promise<void> {
  const { caller } = actor;
  const isTainted = (await taintOf(step, machine.facts.threadId)) !== undefined;
  const expectAllowed = () => expectStillAllowed(step, machine, effect, actor);
  const { root, id } = machine;
  const keepsFiles = (await step.machine(root))?.facts.keptFiles !== undefined;
  step.launches.push({ kind: 'tool', root, machine: id, caller, isTainted, keepsFiles, ...effect, expectAllowed });
}

type Immediate = Exclude<Extract<OfferedTool, { effects: 'none' } | { kind: 'discovery' }>, QuestionTool>;

function isImmediate(tool: OfferedTool): tool is Immediate {
  return 'kind' in tool ? tool.kind === 'discovery' : tool.effects === 'none' && !isQuestion(tool);
}

function isQuestion(tool: OfferedTool): tool is QuestionTool {
  return 'answeredBy' in tool;
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
  const privacy = await step.runState.privacy();
  const value = await tool.run(args, {
    caller: actor.caller,
    draft,
    now,
    newId: (prefix) => step.deps.ids.next(prefix),
    hasReadUntrusted: async () => (await taintOf(step, facts.threadId)) !== undefined,
    ...(privacy !== undefined && { mentionsIn: (text: string) => knownIn(privacy.map, text) }),
  });
  if (tool.family === 'workspace') step.notice('item', { workspaceId: actor.caller.workspaceId });
  return value;
}

/**
 * Performs a call that a person has allowed, with the arguments of the approval, after all guards have checked it again: the
 * person has answered what asks, but a refusal still refuses. `by`: the id of the person. `binding`: what the person has allowed; the
 * call is not launched as another one.
 */
export async function performAllowed(
  step: Step,
  machine: Machine,
  row: LedgerRow,
  { args, by, binding }: { readonly args: Arguments; readonly by: string; readonly binding?: string | undefined },
): Promise<void> {
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = actor.toolset.denied.get(row.tool) ?? findTool(actor.toolset, row.tool);
  const outcome = await runGuards({ tool, arguments: args }, guardContextOf(step, machine, actor));
  if (outcome.decision === 'refuse') throw outcome.error;
  const edited = { arguments: args, edited: args !== row.arguments, decided: allowedNow(step, outcome, by) };
  if (isImmediate(tool)) {
    await mark(step.draft, row, row.state, edited);
    const value = await runImmediate(step, machine, actor, tool, args);
    return settleCall(step, machine.id, row.call, { value }, 'done');
  }
  if (isQuestion(tool)) {
    const { call, callId } = row;
    await askUser(step, machine, actor, { call, callId, arguments: args, allowed: edited.decided }, row);
    return step.later(machine.id, { type: 'CALL_PARKED', at: step.now, call, why: 'answer' });
  }
  step.later(machine.id, { type: 'CALL_RESUMED', at: step.now, call: row.call });
  if ('kind' in tool) {
    const sessionId = await openAsk(step, machine, tool.agentId, args, row.call);
    return mark(step.draft, row, 'intended', { ...edited, sessionId });
  }
  const gate = row.isGated === true ? {} : await countGated(step, machine, actor, tool.name);
  await mark(step.draft, row, 'intended', { ...edited, ...gate });
  const isUnsure = row.isUnsure === true;
  const { seen } = row;
  const bound = { ...(seen !== undefined && { seen }), ...(binding !== undefined && { binding }) };
  const repeat = { isRepeat: isUnsure, isApproved: true, insists: isUnsure, ...bound };
  await launchTool(step, machine, actor, { call: row.call, tool, arguments: args, ...repeat });
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
