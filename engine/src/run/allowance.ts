import type { RunFailure } from '../../machines/run.ts';
import { addUse, exceeded, NOTHING, type Use } from '../guard/budget.ts';
import type { Api } from '../config/config.ts';
import { costOf, priceOf } from '../model/prices.ts';
import type { Usage } from '../model/model.ts';
import type { Actor } from './actor.ts';
import type { Machine } from './machine.ts';
import type { Demand } from './meters.ts';
import { addSpent, type Spent, UNSPENT } from './spend.ts';
import type { Step } from './step.ts';

/** Whether a request may be made: yes, not any more, or later. */
export type Admission =
  | { readonly kind: 'granted' }
  | { readonly kind: 'spent'; readonly failure: RunFailure }
  | { readonly kind: 'later'; readonly waitMs: number; readonly limit: string };

/** What an answer is taken to cost before it is there, where no limit says how long it can get. */
const ANSWER_TOKENS = 1000;
const CHARS_PER_TOKEN = 4;

/**
 * Judges a model request before it is made. Budgets form a tree: the request must fit into what its own machine and every
 * caller above it have left, requests under way included. Then the limits of the api and the agent, and the day's budget:
 * those open again, so the run waits for them. What is granted is reserved until `settle`.
 */
export async function admit(
  step: Step,
  machine: Machine,
  { actor, api, request }: { actor: Actor; api: Api; request: string },
): Promise<Admission> {
  const use = await estimate(step, machine, actor, api);
  const owners = await callChain(step, machine);
  for (const owner of owners) {
    const { budget, id } = step.cast.actorOf(step.tree, owner.facts).document;
    const why = exceeded(budget, usedBy(step, owner), use);
    if (why !== undefined)
      return { kind: 'spent', failure: { code: 'LIMIT_BUDGET', message: `budget of ${id}: ${why}` } };
  }
  const scope = scopeOf(step, actor, api);
  const verdict = await step.meters.admit({ ...scope, machine: machine.id, request, use, now: step.now });
  if (verdict.kind === 'later') return verdict;
  step.draft.append(...verdict.changes);
  step.tree.reserved.set(machine.id, { use, owners: owners.map(({ id }) => id) });
  return { kind: 'granted' };
}

/** Ends the reservation of a request and books what it has used, here and with every caller above. */
export async function settle(
  step: Step,
  machine: Machine,
  api: Api,
  usage: Usage | undefined,
  turns: 0 | 1,
): Promise<void> {
  const { inputTokens, outputTokens } = usage ?? { inputTokens: 0, outputTokens: 0 };
  const cost = usage === undefined ? null : costOf(usage, priceOf(api, modelOf(api)));
  const actor = step.cast.actorOf(step.tree, machine.facts);
  // What failed without an answer is taken to have used nothing.
  const actual = usage === undefined && turns === 0 ? NOTHING : { tokens: inputTokens + outputTokens, cost };
  step.meters.settle({ ...scopeOf(step, actor, api), machine: machine.id, actual, now: step.now });
  step.tree.reserved.delete(machine.id);
  if (usage === undefined && turns === 0) return;
  const spent = { turns, inputTokens, outputTokens, cost };
  for (const owner of await callChain(step, machine)) {
    const { facts } = owner;
    const total = addSpent(facts.spent ?? UNSPENT, spent);
    owner.facts = {
      ...facts,
      spent: total,
      ...(owner.id === owner.root && { spentBy: addByApi(facts.spentBy, api.id, spent) }),
    };
    owner.isChanged = true;
    if (owner.id === owner.root) step.meters.note(owner.root, tokensOf(total), step.now);
  }
}

/** Ends the reservation of a request that was dropped. */
export function release(step: Step, machine: Machine): void {
  step.tree.reserved.delete(machine.id);
  step.meters.drop(machine.id);
}

function addByApi(before: Readonly<Record<string, Spent>> = {}, apiId: string, spent: Spent): Record<string, Spent> {
  return { ...before, [apiId]: addSpent(before[apiId] ?? UNSPENT, spent) };
}

/** The machine and those whose calls it works for, up to the root. */
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

function usedBy(step: Step, owner: Machine): Use {
  let used = tokensOf(owner.facts.spent ?? UNSPENT);
  for (const { use, owners } of step.tree.reserved.values()) if (owners.includes(owner.id)) used = addUse(used, use);
  return used;
}

function tokensOf({ inputTokens, outputTokens, cost }: Spent): Use {
  return { tokens: inputTokens + outputTokens, cost };
}

async function estimate(step: Step, machine: Machine, actor: Actor, api: Api): Promise<Use> {
  const chars = await step.tree.chars(machine.facts.threadId);
  const inputTokens = Math.ceil(chars / CHARS_PER_TOKEN);
  const outputTokens = maxAnswerTokens(actor, api) ?? ANSWER_TOKENS;
  const usage = { inputTokens, outputTokens };
  return api.provider === 'scripted'
    ? NOTHING
    : { tokens: inputTokens + outputTokens, cost: costOf(usage, priceOf(api, modelOf(api))) };
}

/** Longest answer that the api and the agent allow, in tokens. */
export function maxAnswerTokens(actor: Actor, api: Api): number | undefined {
  const limits = [
    api.provider === 'scripted' ? undefined : api.limits.maxTokensPerRequest,
    'limits' in actor.document ? actor.document.limits?.maxTokensPerRequest : undefined,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** By what a request is limited beside budgets of its own. */
function scopeOf(step: Step, actor: Actor, api: Api): Pick<Demand, 'limits' | 'day'> {
  const { maxTokensPerDay: maxTokens, maxCostPerDay: maxCost } = step.parts.config.current().settings.budget;
  const day = maxTokens === undefined && maxCost === undefined ? undefined : { maxTokens, maxCost };
  return { limits: rateLimits(actor, api), day };
}

function rateLimits(actor: Actor, api: Api) {
  const limits = [];
  if (api.provider !== 'scripted') limits.push({ name: `api ${api.id}`, rates: api.limits });
  if ('limits' in actor.document && actor.document.limits !== undefined)
    limits.push({ name: `agent ${actor.id}`, rates: actor.document.limits });
  return limits.filter(({ rates }) =>
    BINDING.some((key) => key in rates && rates[key as keyof typeof rates] !== undefined),
  );
}

const BINDING = ['requestsPerMinute', 'requestsPerHour', 'tokensPerMinute'] as const;

function modelOf(api: Api): string {
  return api.provider === 'scripted' ? 'scripted' : api.model;
}
