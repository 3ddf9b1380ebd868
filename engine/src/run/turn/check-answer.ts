import { isoTime } from '../../base/clock.ts';
import { isRecord, readJson } from '../../base/json.ts';
import type { Claim } from '../../guard/claims/claim-words.ts';
import { answerText, type CutAnswer, cutClaims, wantsFreeTimes } from '../../guard/claims/cut-claims.ts';
import { findClaims, type FoundClaim } from '../../guard/claims/find-claims.ts';
import type { FreeTime, FreeTimes } from '../../guard/claims/truths.ts';
import { rewriteStrings } from '../../guard/placeholder/content-text.ts';
import { withItems } from '../file/keep-files.ts';
import { runGuards } from '../../guard/guards.ts';
import type { ModelAnswer } from '../../model/model.ts';
import type { HeldAnswer } from '../held-answer.ts';
import { checksOf, falseClaims } from '../answer/claim-checks.ts';
import { intend, isOpen, type LedgerRow, mark, readCall } from '../ledger.ts';
import { effectId, type ToolEffect } from '../step/effect.ts';
import { awaitedWork, type Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { agentOf, type CallResult, settleCall } from '../step/tool-result.ts';
import { settleFailure } from './end-approval.ts';
import { guardContextOf } from './guard-context.ts';
import { launchTool } from './tool-calls.ts';

const FREE_SLOTS = 'calendar_free_slots';
const DAY_MS = 86_400_000;

/** The call of the engine that reads the calendar for the answer of a turn. No call of a model has this name. */
const callOf = (turn: number) => `${turn}/engine:free-times`;

/**
 * Checks the final answer of a director, or of an agent that works for a person, before it is stored: a sentence that claims what
 * no finished call of the conversation proves is cut, and what is true stands in its place. Returns the message; undefined where
 * the calendar is read first, as an effect after the commit: then `settleHeld` ends the turn.
 */
export async function checkAnswer(
  step: Step,
  machine: Machine,
  turn: number,
  answer: Pick<ModelAnswer, 'message' | 'usage'>,
): Promise<ModelAnswer['message'] | undefined> {
  const { message, usage } = answer;
  const checks = isAnswering(machine) ? checksOf(step, machine.facts) : [];
  const found =
    checks.length === 0 ? [] : findClaims(message.content ?? '', [...new Set(checks.map(({ claim }) => claim))]);
  if (found.length === 0) return message;
  const { claims, hasDraft } = await falseClaims(step, checks, new Set(found.map(({ claim }) => claim)));
  if (claims.length === 0) return message;
  const cut = cutClaims(message.content ?? '', found, claims, hasDraft);
  noteCut(step, machine, found, cut);
  if (
    wantsFreeTimes(cut) &&
    (await readFreeTimes(step, machine, turn, { message, cut, ...(usage !== undefined && { usage }) }))
  )
    return undefined;
  return { ...message, content: answerText(cut, undefined) };
}

/**
 * A final answer that is JSON without the sentences in its strings that claim what no finished call proves; what is true stands in their
 * place. Free times do not: they are words for a person. A text that is no JSON stays as it is.
 */
export async function checkJson(
  step: Step,
  machine: Machine,
  message: ModelAnswer['message'],
): Promise<ModelAnswer['message']> {
  const checks = isAnswering(machine) ? checksOf(step, machine.facts) : [];
  if (checks.length === 0) return message;
  let value: unknown;
  try {
    value = readJson(message.content ?? '');
  } catch {
    return message;
  }
  const kinds = [...new Set(checks.map(({ claim }) => claim))];
  const made = new Set<Claim>();
  rewriteStrings(value, (text) => {
    for (const { claim } of findClaims(text, kinds)) made.add(claim);
    return text;
  });
  const { claims, hasDraft } = await falseClaims(step, checks, made);
  if (claims.length === 0) return message;
  const plain = claims.map((one) =>
    one.otherwise === 'offer-free-times' ? { ...one, otherwise: 'say-so' as const } : one,
  );
  const checked = rewriteStrings(value, (text) => {
    const found = findClaims(text, kinds);
    if (!found.some(({ claim }) => claims.some((one) => one.claim === claim))) return text;
    const cut = cutClaims(text, found, plain, hasDraft);
    noteCut(step, machine, found, cut);
    return answerText(cut, undefined);
  });
  return { ...message, content: JSON.stringify(checked) };
}

/** Whether the director answers, or an agent that works for a person: the answers of other machines reach nobody directly. */
const isAnswering = (machine: Machine) => machine.id === machine.root;

/** The diagnostics say what was cut and why; the provider event has the answer as the model wrote it. */
function noteCut(step: Step, machine: Machine, found: readonly FoundClaim[], { claims }: CutAnswer): void {
  const actor = step.actors.resolve(step.runState, machine.facts);
  const removed = found
    .filter(({ claim }) => claims.some((one) => one.claim === claim))
    .map(({ claim, text }) => ({ claim, sentence: text.trim() }));
  const why = claims.map(({ claim, fact }) =>
    fact === 'not-done' ? `${claim}: no call did it` : `${claim}: whether a call did it is not known`,
  );
  step.entry({
    ...agentOf(actor),
    phase: actor.role,
    detail: { action: 'claims_removed', reason: why.join('; ') },
    result: removed,
  });
}

/** Has the calendar read after the commit. False where no tool may read it. */
async function readFreeTimes(step: Step, machine: Machine, turn: number, held: HeldAnswer): Promise<boolean> {
  const call = callOf(turn);
  const from = step.now;
  const dateRange = { start: isoTime(from), end: isoTime(from + 7 * DAY_MS) };
  const args = { dateRange, durationMinutes: 30, limit: 5 };
  if (!(await launchRead(step, machine, call, args))) return false;
  await intend(step.draft, machine.id, call, { callId: call, tool: FREE_SLOTS, arguments: args, held });
  return true;
}

async function launchRead(step: Step, machine: Machine, call: string, args: LedgerRow['arguments']): Promise<boolean> {
  const actor = step.actors.resolve(step.runState, machine.facts);
  const tool = step.deps.tools.of(step.runState.config, step.runState.toolLists).get(FREE_SLOTS);
  if (tool === undefined || tool.effects !== 'read') return false;
  const { decision } = await runGuards({ tool, arguments: args }, guardContextOf(step, machine, actor));
  if (decision !== 'allow') return false;
  await launchTool(step, machine, actor, { call, tool, arguments: args, isRepeat: false, isCheck: true });
  return true;
}

/** The row of the answer that a machine holds while the calendar is read, if it does. */
async function heldRow(step: Step, machine: Machine): Promise<LedgerRow | undefined> {
  const work = awaitedWork(machine);
  const isAnswering = work?.kind === 'model' || work?.kind === 'check';
  const row = isAnswering ? await readCall(step.draft, machine.id, callOf(work.turn)) : undefined;
  return row !== undefined && isOpen(row) && row.held !== undefined ? row : undefined;
}

/** Ends the turn with the held answer and what was read; an outcome that the machine no longer waits for changes nothing. */
export async function settleHeld(step: Step, machineId: string, call: string, result: CallResult): Promise<void> {
  const machine = await step.machine(machineId);
  const row = machine === undefined ? undefined : await heldRow(step, machine);
  if (machine === undefined || row?.held === undefined || row.call !== call) return;
  await mark(step.draft, row, 'value' in result ? 'done' : 'failed', 'error' in result ? { error: result.error } : {});
  const actor = step.actors.resolve(step.runState, machine.facts);
  step.entry({
    ...agentOf(actor),
    phase: 'tool',
    detail: { action: 'free_times_read', tool: row.tool, request: row.arguments },
    ...('value' in result ? { result: result.value } : { error: result.error }),
  });
  const { message, usage, cut } = row.held;
  const content = answerText(cut, 'value' in result ? freeTimesOf(result.value) : undefined);
  await step.append(machine.facts.threadId, { ...message, content });
  await step.send(machine.id, {
    type: 'MODEL_ANSWERED',
    at: step.now,
    outcome: 'final',
    calls: {},
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
  });
}

/** Takes up the read of a held answer after a restart; false where the machine holds none. */
export async function resumeHeld(
  step: Step,
  machine: Machine,
  isRunning: (effectId: string) => boolean,
): Promise<boolean> {
  const row = await heldRow(step, machine);
  if (row === undefined) return false;
  const { call, arguments: args } = row;
  if (isRunning(effectId({ machine: machine.id, call }))) return true;
  if (await launchRead(step, machine, call, args)) return true;
  const error = { code: 'TOOL_DENIED', message: 'the calendar may not be read any more' };
  await settleHeld(step, machine.id, call, { error });
  return true;
}

/** Drops the held answer of a machine that stops waiting for it. */
export async function dropHeld(step: Step, machine: Machine, turn: number): Promise<void> {
  if (!isAnswering(machine) || checksOf(step, machine.facts).length === 0) return;
  const call = callOf(turn);
  const row = await readCall(step.draft, machine.id, call);
  if (row === undefined || !isOpen(row)) return;
  await mark(step.draft, row, 'cancelled');
  step.abort(effectId({ machine: machine.id, call }));
}

function freeTimesOf(value: unknown): FreeTimes {
  if (!isRecord(value)) return undefined;
  const { timeZone, slots, skipped } = value;
  if (typeof timeZone !== 'string' || !Array.isArray(slots)) return undefined;
  // A part of the calendar that could not be read may hold an event at any of these times.
  if (Array.isArray(skipped) && skipped.length > 0) return undefined;
  return { timeZone, slots: slots.filter(isFreeTime) };
}

function isFreeTime(slot: unknown): slot is FreeTime {
  return isRecord(slot) && typeof slot['start'] === 'string' && typeof slot['end'] === 'string';
}

/** Records the outcome of a tool effect: it answers the call of a model, or ends the turn that holds a final answer for it. */
export async function settleTool(
  step: Step,
  { machine: id, call, isCheck = false, settledBy }: ToolEffect,
  result: CallResult,
): Promise<void> {
  if (settledBy !== undefined) {
    const machine = await step.machine(id);
    return machine && step.perform(machine, { type: settledBy, params: { call, result } });
  }
  if (isCheck) return settleHeld(step, id, call, result);
  if ('error' in result) return settleFailure(step, id, call, result.error);
  return settleCall(step, id, call, await withItems(step, id, call, result), 'done');
}
