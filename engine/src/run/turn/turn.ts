import type { RunFailure } from '../../../machines/run.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Message, ModelAnswer, Usage } from '../../model/model.ts';
import { ModelError } from '../../model/model-error.ts';
import { modelName } from '../../model/models.ts';
import type { Api } from '../../config/config.ts';
import { type Actor, apiOf } from '../step/actor.ts';
import { type Admission, admit, maxAnswerTokens, settle } from './admission.ts';
import { redactMessage, redactPayload } from '../step/redact-message.ts';
import { agentOf } from '../step/tool-result.ts';
import { receiveCalls } from './tool-calls.ts';
import type { Effect, ModelEffect } from '../step/effect.ts';
import { keepSummary, requestMessages, SUMMARY_TOKENS } from './window.ts';
import { awaitedWork, type Machine } from '../step/machine.ts';
import { measuredRequest } from '../step/step-metrics.ts';
import { statusOf } from '../step/run-status.ts';
import type { Step } from '../step/step.ts';

/** The outcome of a model request. */
export type ModelOutcome =
  | { readonly answer: ModelAnswer }
  /** `spent`: the known use of a request without an answer. */
  | { readonly error: unknown; readonly spent?: Usage | undefined };

/** Records a model request. The request starts once the record is on disk. */
export async function askModel(step: Step, machine: Machine, turn: number, attempt: number): Promise<void> {
  const { facts } = machine;
  const effect = await modelEffect(step, machine, turn, attempt);
  const actor = step.actors.resolve(step.runState, facts);
  const admission = await admit(step, machine, actor, effect, { turn, attempt, isRepeat: false });
  if (admission.kind !== 'granted') return refuse(step, machine, actor, admission);
  const { toolset } = actor;
  const head = eventHead(effect.api, facts.runId, turn, attempt);
  await step.event(facts.threadId, { ...head, kind: 'request', ...(await sentBy(step, effect, toolset.hash)) });
  if (effect.summaryUpTo === undefined && !step.actors.storedToolsets.has(toolset.hash)) {
    step.toolsets.push(toolset.hash);
    step.draft.append({
      op: 'put',
      table: 'toolset',
      row: { hash: toolset.hash, body: JSON.stringify(toolset.specs) },
    });
  }
  step.launches.push(effect);
}

/** What was sent, as an event stores it: the bytes do not grow with the thread. */
async function sentBy(step: Step, { messages, machine, window, summaryUpTo }: ModelEffect, toolset: string) {
  if (summaryUpTo !== undefined) return { upTo: summaryUpTo, toolset: '', own: messages };
  if (window === undefined) return { upTo: messages.length, toolset };
  const asking = await step.machine(machine);
  const upTo = asking === undefined ? 0 : (await step.runState.transcript(asking.facts.threadId)).length;
  return { upTo, toolset, window };
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
  const maxTokens = maxAnswerTokens(actor, api);
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
    ...(sent.summaryUpTo === undefined
      ? { tools: actor.toolset.specs, maxTokens }
      : { tools: [], maxTokens: Math.min(maxTokens ?? Infinity, SUMMARY_TOKENS) }),
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
  const turns = 'error' in outcome || effect.summaryUpTo !== undefined ? 0 : 1;
  await settle(step, machine, effect.api, partial, turns);
  const error = 'error' in outcome ? errorBody(outcome.error) : undefined;
  const measured = measuredRequest(effect.api, latencyMs, partial, error);
  step.measured.push(measured);
  if (effect.summaryUpTo !== undefined)
    return settleSummary(step, machine, effect, outcome, { ...head, latencyMs, cost: measured.cost });
  if ('error' in outcome) return settleFailure(step, machine, effect, outcome.error, { ...head, latencyMs });
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
  await step.append(threadId, answer.message);
  const toolCalls = answer.message.tool_calls ?? [];
  const nudge = toolCalls.length === 0 ? NUDGES[answer.stop] : undefined;
  const calls = await receiveCalls(step, machine, turn, toolCalls);
  if (nudge !== undefined) await step.append(threadId, nudge.message);
  await step.send(machine.id, {
    type: 'MODEL_ANSWERED',
    at: step.now,
    outcome: nudge !== undefined ? 'nudge' : toolCalls.length > 0 ? 'calls' : 'final',
    calls,
    inputTokens: answer.usage?.inputTokens ?? 0,
    outputTokens: answer.usage?.outputTokens ?? 0,
    ...(nudge !== undefined && { failure: nudge.failure }),
  });
}

/** The message to a model whose answer was cut or refused, and the error of the run where that does not help. */
const NUDGES: Partial<Record<ModelAnswer['stop'], { message: Message; failure: { code: string; message: string } }>> = {
  length: {
    message: {
      role: 'user',
      content:
        'Note from the engine: your last answer was cut off at the length limit. Go on from where it stopped, and be shorter.',
    },
    failure: { code: 'MODEL_BAD_ANSWER', message: 'the model ran into its length limit three times in a row' },
  },
  refusal: {
    message: {
      role: 'user',
      content:
        'Note from the engine: your last answer was a refusal. Do the part of the task that you can do; if there is none, say so in one sentence and finish.',
    },
    failure: { code: 'MODEL_REFUSED', message: 'the model refused three times in a row' },
  },
};

async function settleFailure(
  step: Step,
  machine: Machine,
  effect: ModelEffect,
  cause: unknown,
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
  await step.send(machine.id, {
    type: 'MODEL_FAILED',
    at: step.now,
    ...reactionTo(isRetryable, { code: error.code, message: error.message }, api, retryAfterMs),
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
  const maxWaitSeconds = api.provider === 'scripted' ? 0 : api.retry.maxWaitSeconds;
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

function eventHead(api: Api, runId: string, turn: number, attempt: number) {
  return { runId, turn, attempt, apiId: api.id, provider: api.provider, model: modelName(api) };
}
