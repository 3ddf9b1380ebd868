import type { RunFailure } from '../../../machines/run-events.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { ModelAnswer, Usage } from '../../model/model.ts';
import { ModelError } from '../../model/model-error.ts';
import type { Api } from '../../config/config.ts';
import { type Actor, apiOf, outputOf } from '../step/actor.ts';
import { nudgeOf } from '../output/nudge.ts';
import { type Admission, admit, maxAnswerTokens, settle } from './admission.ts';
import { redactMessage, redactPayload } from '../step/redact-message.ts';
import { agentOf } from '../step/tool-result.ts';
import { checkAnswer, checkJson } from './check-answer.ts';
import { streamedAnswer } from '../answer/streamed-answer.ts';
import { eventHead, recordRequest } from './request-event.ts';
import { restoredAnswer } from './restored-answer.ts';
import { receiveCalls } from './tool-calls.ts';
import type { FoundMessage } from '../../guard/placeholder/redact-message.ts';
import { fallbackApis } from '../fallback/next-api.ts';
import { ownReasoning } from '../fallback/own-reasoning.ts';
import { retriesOf } from '../step/run-limits.ts';
import type { Effect, ModelEffect } from '../step/effect.ts';
import { compact, keepSummary, requestMessages, SUMMARY_TOKENS } from './window.ts';
import { awaitedWork, type Machine } from '../step/machine.ts';
import { measuredRequest } from '../step/step-metrics.ts';
import { statusOf } from '../step/run-status.ts';
import type { Step } from '../step/step.ts';

/** The outcome of a model request. */
export type ModelOutcome =
  | { readonly answer: ModelAnswer }
  /** `spent`: the known use of a request without an answer. `next`: the api that may take over. */
  | { readonly error: unknown; readonly spent?: Usage | undefined; readonly next?: Api | undefined };

/** Records a model request. The request starts once the record is on disk. */
export async function askModel(step: Step, machine: Machine, turn: number, attempt: number): Promise<void> {
  const { facts } = machine;
  const effect = await modelEffect(step, machine, turn, attempt);
  const actor = step.actors.resolve(step.runState, facts);
  const admission = await admit(step, machine, actor, effect, { turn, attempt, isRepeat: false });
  if (admission.kind !== 'granted') return refuse(step, machine, actor, admission);
  if (effect.unredacted === undefined) await recordRequest(step, machine, effect);
  step.launches.push(effect);
}

/**
 * Redacts the messages of a request that no model has seen yet, and records the request. Returns the request as it is sent; undefined
 * where the machine does not wait for it any more.
 */
export async function redactRequest(
  step: Step,
  effect: ModelEffect,
  found: readonly FoundMessage[],
): Promise<ModelEffect | undefined> {
  const machine = await step.machine(effect.machine);
  if (machine === undefined || !isAwaited(machine, effect)) return undefined;
  const privacy = await step.runState.privacy();
  await privacy?.redact(step.draft, machine.facts.threadId, found);
  const redacted = await modelEffect(step, machine, effect.turn, effect.attempt);
  if (redacted.unredacted === undefined) await recordRequest(step, machine, redacted);
  return redacted;
}

/**
 * Repeats a model request whose process has ended. The first request may have been made, so this one needs a new admission,
 * and waits where a limit delays it.
 */
export async function askAgain(step: Step, machine: Machine, turn: number, attempt: number): Promise<void> {
  const effect = await modelEffect(step, machine, turn, attempt);
  const actor = step.actors.resolve(step.runState, machine.facts);
  const admission = await admit(step, machine, actor, effect, { turn, attempt, isRepeat: true });
  if (admission.kind !== 'granted') return refuse(step, machine, actor, admission);
  step.launches.push(effect);
}

/** Fails the machine where the budget is spent; where a limit delays the request, the machine waits until it opens. */
function refuse(step: Step, machine: Machine, actor: Actor, admission: Exclude<Admission, { kind: 'granted' }>): void {
  const { now } = step;
  if (admission.kind === 'spent') {
    step.later(machine.id, { type: 'FAIL', at: now, failure: admission.failure });
    return;
  }
  const { waitMs, limit } = admission;
  step.entry({ ...agentOf(actor), phase: actor.role, detail: { action: 'limit_wait', limit, waitMs } });
  step.waitsFor(machine.id, { limit, until: now + waitMs });
  step.later(machine.id, { type: 'DEFER', at: now, waitMs });
}

/** The request, built from stored rows, so that a restart builds the same one. */
export async function modelEffect(step: Step, machine: Machine, turn: number, attempt: number): Promise<ModelEffect> {
  const { facts } = machine;
  const actor = step.actors.resolve(step.runState, facts);
  const api = apiOf(step.runState, facts);
  const sent = await requestMessages(step, machine);
  const privacy = await step.runState.privacy();
  const isSummary = facts.isSummary ?? sent.summaryUpTo !== undefined;
  const isUnready = sent.unredacted !== undefined || isSummary;
  const { specs, hash } = isUnready
    ? { specs: [], hash: '' }
    : (privacy?.tools(step.draft, actor.toolset) ?? actor.toolset);
  const maxTokens = maxAnswerTokens(actor, api);
  const answer = isUnready ? undefined : await streamedAnswer(step, machine);
  const schema = isUnready ? undefined : outputOf(step.runState, facts);
  const output = schema && (privacy?.schema(step.draft, schema) ?? schema);
  return {
    kind: 'model',
    root: machine.root,
    machine: machine.id,
    turn,
    attempt,
    api,
    role: actor.role,
    actorId: actor.id,
    ...sent,
    messages: await ownReasoning(step, facts, sent.messages),
    fallback: sent.summaryUpTo === undefined ? fallbackApis(step.runState, facts) : undefined,
    ...(answer !== undefined && { answer }),
    ...(output !== undefined && { output: { name: actor.id, schema: output } }),
    ...(isSummary
      ? { isSummary, tools: [], toolset: '', maxTokens: Math.min(maxTokens ?? Infinity, SUMMARY_TOKENS) }
      : { tools: specs, toolset: hash, maxTokens }),
  };
}

/** Records the outcome of a model request. An outcome that the machine no longer waits for changes nothing. */
export async function settleModel(
  step: Step,
  effect: ModelEffect,
  outcome: ModelOutcome,
  latencyMs: number,
): Promise<void> {
  const machine = await step.machine(effect.machine);
  if (machine === undefined || !isAwaited(machine, effect)) return;
  const head = eventHead(effect.api, machine.facts.runId, effect.turn, effect.attempt);
  const partial = 'error' in outcome ? outcome.spent : outcome.answer.usage;
  // A summary costs tokens, and no turn: a session does not end because it is long.
  const turns = 'error' in outcome || effect.isSummary === true ? 0 : 1;
  await settle(step, machine, effect.api, partial, turns);
  const error = 'error' in outcome ? errorBody(outcome.error) : undefined;
  const measured = measuredRequest(effect.api, latencyMs, partial, error);
  step.measured.push(measured);
  if (effect.summaryUpTo !== undefined)
    return settleSummary(step, machine, effect, outcome, { ...head, latencyMs, cost: measured.cost });
  if ('error' in outcome) return settleFailure(step, machine, effect, outcome, { ...head, latencyMs });
  const { redactor } = step.deps;
  const message = redactMessage(redactor, outcome.answer.message);
  const isChanged = message !== outcome.answer.message;
  const answer = { ...outcome.answer, message };
  const payload = redactPayload(redactor, answer.raw, isChanged);
  const usage = answer.usage === undefined ? {} : { usage: answer.usage };
  await step.event(machine.facts.threadId, {
    ...head,
    model: redactor.text(answer.model),
    kind: 'response',
    latencyMs,
    ...usage,
    cost: measured.cost,
    stop: answer.stop,
    payload,
  });
  await settleAnswer(step, machine, effect.turn, answer);
}

/** Stores the summary with the thread, and makes the request that needed it. A failed summary does not fail the run. */
async function settleSummary(
  step: Step,
  machine: Machine,
  effect: ModelEffect,
  outcome: ModelOutcome,
  { cost, ...head }: ReturnType<typeof eventHead> & { readonly latencyMs: number; readonly cost: number | null },
): Promise<void> {
  const { redactor } = step.deps;
  const { turn, attempt, summaryUpTo = 0 } = effect;
  const { threadId } = machine.facts;
  if ('error' in outcome) {
    const body = errorBody(outcome.error);
    const error = { ...body, message: redactor.text(body.message) };
    await step.event(threadId, { ...head, kind: 'error', error });
    const actor = step.actors.resolve(step.runState, machine.facts);
    const detail = { action: 'summary_failed', turn, apiId: effect.api.id, sessionId: threadId };
    step.entry({ ...agentOf(actor), phase: actor.role, detail, error });
    await keepSummary(step, machine, summaryUpTo, undefined);
  } else {
    const message = redactMessage(redactor, outcome.answer.message);
    const payload = redactPayload(redactor, outcome.answer.raw, message !== outcome.answer.message);
    const { usage, stop } = outcome.answer;
    const model = redactor.text(outcome.answer.model);
    const summary = message.content ?? '';
    const said = { ...head, model, kind: 'response' as const, cost, stop, payload, summary };
    await step.event(threadId, { ...said, ...(usage !== undefined && { usage }) });
    await keepSummary(step, machine, summaryUpTo, message);
  }
  await askModel(step, machine, turn, attempt);
}

async function settleAnswer(step: Step, machine: Machine, turn: number, answer: ModelAnswer): Promise<void> {
  const { threadId } = machine.facts;
  const { message: restored, faults } = await restoredAnswer(step, machine, answer.message);
  const toolCalls = restored.tool_calls ?? [];
  const isJson = toolCalls.length === 0 && outputOf(step.runState, machine.facts) !== undefined;
  const message = isJson ? await checkJson(step, machine, restored) : restored;
  const nudge = toolCalls.length === 0 ? await nudgeOf(step, machine, { ...answer, message }) : undefined;
  const isFinal = toolCalls.length === 0 && nudge === undefined;
  const checked = isFinal && !isJson ? await checkAnswer(step, machine, turn, { ...answer, message }) : message;
  if (checked === undefined) return;
  const real = await step.append(threadId, checked);
  const seq = (await step.runState.transcript(threadId)).length;
  if (checked === restored)
    await (await step.runState.privacy())?.keepAnswer(step.draft, threadId, seq, answer.message, real);
  const calls = await receiveCalls(step, machine, turn, toolCalls, faults);
  if (nudge?.isHopeless === true) return step.send(machine.id, { type: 'FAIL', at: step.now, failure: nudge.failure });
  if (nudge !== undefined) await step.append(threadId, nudge.message);
  await step.send(machine.id, {
    type: 'MODEL_ANSWERED',
    at: step.now,
    outcome: nudge !== undefined ? 'nudge' : isFinal ? 'final' : 'calls',
    calls,
    inputTokens: answer.usage?.inputTokens ?? 0,
    outputTokens: answer.usage?.outputTokens ?? 0,
    ...(nudge !== undefined && { failure: nudge.failure }),
  });
}

async function settleFailure(
  step: Step,
  machine: Machine,
  effect: ModelEffect,
  { error: cause, next }: Extract<ModelOutcome, { error: unknown }>,
  head: ReturnType<typeof eventHead> & { latencyMs: number },
): Promise<void> {
  const body = errorBody(cause);
  const error = { ...body, message: step.deps.redactor.text(body.message) };
  const isRetryable = cause instanceof EngineError && cause.retryable;
  const retryAfterMs = cause instanceof ModelError ? cause.retryAfterMs : undefined;
  const again = { retryable: isRetryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  await step.event(machine.facts.threadId, { ...head, kind: 'error', error, ...again });
  const actor = step.actors.resolve(step.runState, machine.facts);
  const { turn, attempt, api } = effect;
  step.entry({
    ...agentOf(actor),
    phase: actor.role,
    detail: { action: 'model_failed', turn, attempt, apiId: api.id },
    error,
  });
  // The same turn again, without the earlier part of the conversation.
  if (body.code === 'MODEL_TOO_LONG' && (await compact(step, machine))) return askModel(step, machine, turn, attempt);
  await step.send(machine.id, {
    type: 'MODEL_FAILED',
    at: step.now,
    ...reactionTo(isRetryable, { code: error.code, message: error.message }, api, retryAfterMs),
    ...(next !== undefined && { next: { apiId: next.id, ...retriesOf(next) } }),
  });
  const { waitMs } = statusOf(machine);
  if (waitMs !== undefined) step.waitsFor(machine.id, { limit: `provider of api ${api.id}`, until: step.now + waitMs });
}

/**
 * How the run reacts to a failed request: a time that the provider names is waited for, whatever the status was, unless it
 * is longer than the api allows.
 */
function reactionTo(isRetryable: boolean, failure: RunFailure, api: Api, retryAfterMs: number | undefined) {
  if (!isRetryable) return { kind: 'fatal' as const, failure };
  if (retryAfterMs === undefined)
    return { kind: failure.code === 'MODEL_RATE_LIMIT' ? ('rateLimit' as const) : ('transient' as const), failure };
  const maxWaitSeconds = 'retry' in api ? api.retry.maxWaitSeconds : 0;
  if (retryAfterMs <= maxWaitSeconds * 1000) return { kind: 'rateLimit' as const, retryAfterMs, failure };
  const asked = `it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  const message = `${failure.message}; ${asked}, and retry.maxWaitSeconds of api "${api.id}" is ${maxWaitSeconds}`;
  return { kind: 'fatal' as const, failure: { ...failure, message } };
}

/** Whether a machine waits for the answer to exactly this request, by turn and attempt. */
export function isAwaited(machine: Machine, effect: Effect): boolean {
  if (effect.kind !== 'model') return false;
  const work = awaitedWork(machine);
  return work?.kind === 'model' && work.turn === effect.turn && work.attempt === effect.attempt;
}
