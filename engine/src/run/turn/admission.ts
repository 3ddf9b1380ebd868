import type { RunFailure } from '../../../machines/run-events.ts';
import { addUse, type Budget, exceeded, NOTHING, type ResourceUse } from '../../budget/budget.ts';
import type { RateLimits } from '../../budget/rate-window.ts';
import type { Api } from '../../config/config.ts';
import { modelName, priceOf } from '../../model/models.ts';
import { costOf } from '../../model/prices.ts';
import type { Usage } from '../../model/model.ts';
import type { Actor } from '../step/actor.ts';
import type { ModelEffect } from '../step/effect.ts';
import { charsOf } from '../step/run-state.ts';
import { awaitedWork, type Machine } from '../step/machine.ts';
import type { LimitReached, AdmissionRequest } from '../../budget/meters.ts';
import { addSpent, type ModelUse, NO_MODEL_USE } from '../../budget/spend.ts';
import type { Step } from '../step/step.ts';

/** The decision on a model request: granted, refused because the budget is spent, or delayed by a limit. */
export type Admission =
  { readonly kind: 'granted' } | { readonly kind: 'spent'; readonly failure: RunFailure } | LimitReached;

/** One model request of a machine. `isRepeat`: a process that has ended may already have made it. */
export interface Request {
  readonly turn: number;
  readonly attempt: number;
  readonly isRepeat: boolean;
}

/** Assumed length of an answer, in tokens, where no limit applies. */
const ANSWER_TOKENS = 1000;
/** Characters of a text that count as one token before the model has said how many they are. */
export const CHARS_PER_TOKEN = 4;

/**
 * Decides on a model request before it starts. Budgets form a tree: the request must fit into the rest of its own machine's
 * budget and of every caller's, with running requests counted. Then the rate limits of the api and the agent and the day's
 * budget apply; they open again, so the run waits for them. A granted request is reserved until `settle`, or until the commit
 * of the step fails.
 */
export async function admit(
  step: Step,
  machine: Machine,
  actor: Actor,
  effect: Pick<ModelEffect, 'api' | 'messages' | 'window' | 'summaryUpTo'>,
  request: Request,
): Promise<Admission> {
  const { api } = effect;
  // Another process makes the request, and admits it when it takes the machine up.
  if (!step.mayAct) return { kind: 'granted' };
  const use = await estimate(step, machine, actor, effect);
  const owners = await callChain(step, machine);
  for (const owner of owners) {
    const { budget, id } = step.actors.resolve(step.runState, owner.facts).document;
    const { used, turns } = await usedBy(step, owner, machine);
    const outOfTurns = turnsExceeded(owner, machine, turns, budget.maxIterations, id);
    if (outOfTurns !== undefined) return { kind: 'spent', failure: outOfTurns };
    const why = exceeded(budget, used, use);
    if (why !== undefined)
      return { kind: 'spent', failure: { code: 'LIMIT_BUDGET', message: `budget of ${id}: ${why}` } };
  }
  const { meters, now } = step;
  const reserved = await meters.reserve(
    {
      root: machine.root,
      machineId: machine.id,
      request: requestName(request),
      use,
      owners: owners.map(({ id }) => id),
      rates: rateLimits(actor, api),
      day: dayBudget(step),
      isRepeat: request.isRepeat,
    },
    now,
  );
  if (reserved.kind === 'later') return reserved;
  step.isMetered = true;
  step.takeBacks.push(() => meters.undo(machine.id));
  step.draft.append(...reserved.changes);
  return { kind: 'granted' };
}

/** Ends the reservation of a request and books its use, for this machine and every caller above. */
export async function settle(
  step: Step,
  machine: Machine,
  api: Api,
  usage: Usage | undefined,
  turns: 0 | 1,
): Promise<void> {
  const owners = await callChain(step, machine);
  const spent = usage === undefined && turns === 0 ? NO_MODEL_USE : spentOn(api, usage, turns);
  if (spent !== NO_MODEL_USE) for (const owner of owners) book(owner, api, spent);
  step.isMetered = true;
  step.meters.settle(machine.id, tokensOf(spent));
}

/** Ends the reservation of a dropped request. */
export function release(step: Step, machine: Machine): void {
  step.isMetered = true;
  step.meters.release(machine.id);
}

/** An answer without usage has an unknown cost. */
function spentOn(api: Api, usage: Usage | undefined, turns: 0 | 1): ModelUse {
  const { inputTokens, outputTokens } = usage ?? { inputTokens: 0, outputTokens: 0 };
  const cost = usage === undefined ? null : costOf(usage, priceOf(api, modelName(api)));
  return { turns, inputTokens, outputTokens, cost };
}

function book(owner: Machine, api: Api, spent: ModelUse): void {
  const { facts } = owner;
  owner.facts = {
    ...facts,
    spent: addSpent(facts.spent ?? NO_MODEL_USE, spent),
    ...(owner.id === owner.root && { spentBy: addByApi(facts.spentBy, api.id, spent) }),
  };
  owner.isChanged = true;
}

function addByApi(
  before: Readonly<Record<string, ModelUse>> = {},
  apiId: string,
  spent: ModelUse,
): Record<string, ModelUse> {
  return { ...before, [apiId]: addSpent(before[apiId] ?? NO_MODEL_USE, spent) };
}

/** The machine and its callers, up to the root. */
async function callChain(step: Step, machine: Machine): Promise<Machine[]> {
  const chain = [machine];
  for (let caller = machine.facts.caller; caller !== undefined;) {
    const next = await step.machine(caller.machine);
    if (next === undefined) break;
    chain.push(next);
    caller = next.facts.caller;
  }
  return chain;
}

/** The part of a machine's budget, and of its turns, that all requests use, except the next request of `asking`. */
async function usedBy(step: Step, owner: Machine, asking: Machine): Promise<{ used: ResourceUse; turns: number }> {
  const { spent = NO_MODEL_USE, spentBefore = NO_MODEL_USE } = owner.facts;
  let used = withoutUse(tokensOf(spent), tokensOf(spentBefore));
  let turns = spent.turns - spentBefore.turns;
  for (const { machineId, request, use, owners } of step.meters.underWay(owner.root)) {
    if (machineId === asking.id || !owners.includes(owner.id)) continue;
    const other = await step.machine(machineId);
    // Another process may have worked the run meanwhile, and advanced the machine.
    if (other === undefined || !awaits(other, request)) continue;
    used = addUse(used, use);
    turns++;
  }
  return { used, turns };
}

/**
 * Why the next request of `asking` is beyond the turns of `owner`, which it shares with the agents under it. The last turn is
 * the owner's own, so that a director can still finish when its agents have used up the rest. The turns of a role are the run's own.
 */
function turnsExceeded(
  owner: Machine,
  asking: Machine,
  turns: number,
  maxTurns: number,
  ownerId: string,
): RunFailure | undefined {
  const isOwn = owner.id === asking.id || (asking.facts.role !== undefined && owner.id === owner.root);
  if (turns + (isOwn ? 0 : 1) < maxTurns) return undefined;
  const message = isOwn
    ? `stopped after ${turns} model turns of ${ownerId} and its agents (budget.maxIterations)`
    : `no model turn is left: ${ownerId} and its agents have used ${turns} of ${maxTurns}, and the last one is for ${ownerId} itself (budget.maxIterations)`;
  return { code: 'LIMIT_STEPS', message };
}

/** The use since an earlier one. Where a cost was not known then, it is not known now. */
function withoutUse(use: ResourceUse, before: ResourceUse): ResourceUse {
  const cost = use.cost === null || before.cost === null ? null : use.cost - before.cost;
  return { tokens: use.tokens - before.tokens, cost };
}

/** Whether a machine waits for the answer to this request. */
function awaits(machine: Machine, request: string): boolean {
  const work = awaitedWork(machine);
  return work?.kind === 'model' && requestName(work) === request;
}

function requestName({ turn, attempt }: Pick<Request, 'turn' | 'attempt'>): string {
  return `${turn}.${attempt}`;
}

function tokensOf({ inputTokens, outputTokens, cost }: ModelUse): ResourceUse {
  return { tokens: inputTokens + outputTokens, cost };
}

async function estimate(
  step: Step,
  machine: Machine,
  actor: Actor,
  { api, messages, window, summaryUpTo }: Parameters<typeof admit>[3],
): Promise<ResourceUse> {
  const isPart = window !== undefined || summaryUpTo !== undefined;
  const chars = isPart
    ? messages.reduce((sum, message) => sum + charsOf(message), 0)
    : await step.runState.chars(machine.facts.threadId);
  const { inputTokens, outputTokens, cost } = usageOfChars(chars, actor.document, api);
  return api.provider === 'scripted' ? NOTHING : { tokens: inputTokens + outputTokens, cost };
}

/** What a request of so many characters may use: four characters per token, and the longest allowed answer. `cost` is null where the price is unknown. */
export function usageOfChars(chars: number, document: Actor['document'] | undefined, api: Api) {
  const inputTokens = Math.ceil(chars / CHARS_PER_TOKEN);
  const outputTokens = (document && maxAnswerTokens({ document }, api)) ?? ANSWER_TOKENS;
  const usage = { inputTokens, outputTokens };
  return { ...usage, cost: costOf(usage, priceOf(api, modelName(api))) };
}

/** Longest answer that the api and the agent allow, in tokens; undefined where there is no limit. */
export function maxAnswerTokens(actor: Pick<Actor, 'document'>, api: Api): number | undefined {
  const limits = [
    'limits' in api && 'maxTokensPerRequest' in api.limits ? api.limits.maxTokensPerRequest : undefined,
    'limits' in actor.document ? actor.document.limits?.maxTokensPerRequest : undefined,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** The rate limits on requests of this actor to this api, by name. */
function rateLimits(actor: Actor, api: Api): AdmissionRequest['rates'] {
  const limits: { name: string; limits: RateLimits }[] = [];
  if (api.provider !== 'scripted') limits.push({ name: `api ${api.id}`, limits: api.limits });
  if ('limits' in actor.document && actor.document.limits !== undefined)
    limits.push({ name: `agent ${actor.id}`, limits: actor.document.limits });
  return limits.filter(({ limits: { requestsPerMinute, requestsPerHour, tokensPerMinute } }) =>
    [requestsPerMinute, requestsPerHour, tokensPerMinute].some((limit) => limit !== undefined),
  );
}

function dayBudget(step: Step): Budget | undefined {
  const { maxTokensPerDay: maxTokens, maxCostPerDay: maxCost } = step.deps.config.current().settings.budget;
  return maxTokens === undefined && maxCost === undefined ? undefined : { maxTokens, maxCost };
}
