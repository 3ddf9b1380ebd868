import { EngineError } from '../../base/error.ts';
import { permissionOf } from '../../config/rule/permission-of.ts';
import { actualArguments } from '../../guard/actual-arguments.ts';
import { type AlwaysTarget, alwaysTargets, suggestPattern } from '../../guard/always.ts';
import { readApproval } from '../../guard/approval.ts';
import { expectMatches } from '../../guard/run-rule.ts';
import { findTool, toolsetFacts } from '../../tool/toolset.ts';
import type { Step } from '../step/step.ts';
import { guardContextOf } from './guard-context.ts';

/** What "always" adds to the config. */
export interface AlwaysPlan {
  readonly pattern: string;
  /** The documents, each with the tools that ask because it has no `permissions` yet. */
  readonly targets: readonly (AlwaysTarget & { readonly asking: readonly string[] })[];
}

/**
 * What a person would add to the config to allow calls like that of a pending approval always. `pattern`: as in `permissions`; default:
 * one for calls that act on the same. Changes nothing. `NOT_FOUND`, `APPROVAL_DECIDED`; `CONFLICT` where no rule of `permissions.allow`
 * can answer; `BAD_REQUEST` for a pattern that cannot be read or does not match the call.
 */
export async function planAlways(step: Step, approvalId: string, pattern?: string): Promise<AlwaysPlan> {
  const approval = await readApproval(step.draft, approvalId);
  if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
  if (approval.status !== 'pending')
    throw new EngineError('APPROVAL_DECIDED', `approval "${approvalId}" is ${approval.status} already`);
  const machine = await step.machine(approval.machine);
  if (machine === undefined) throw new EngineError('RUN_NOT_ACTIVE', 'the run that asked is over');
  const targets = alwaysTargets(approval.asked?.asks ?? []);
  if (typeof targets === 'string' || targets.length === 0)
    throw new EngineError('CONFLICT', typeof targets === 'string' ? targets : 'no rule can answer this call');
  const actor = step.actors.resolve(step.runState, machine.facts);
  const call = { tool: findTool(actor.toolset, approval.tool), arguments: approval.arguments };
  const { participants } = guardContextOf(step, machine, actor);
  const chosen = pattern ?? suggestPattern(call.tool, (await actualArguments(call, actor.caller)).arguments);
  await expectMatches(chosen, { ...call, caller: actor.caller, participants, reader: step.draft });
  return {
    pattern: chosen,
    targets: targets.map((target) => ({ ...target, asking: askingTools(step, target, approval.tool) })),
  };
}

/** The other tools of a document that ask only because it has no `permissions`. With some, they would be denied. */
function askingTools({ deps, runState }: Step, { kind, id }: AlwaysTarget, called: string): string[] {
  const { directors, agents } = deps.config.current();
  const director = kind === 'director' ? directors.get(id) : undefined;
  const documents = [
    kind === 'director' ? director : agents.get(id),
    ...(director?.agents ?? []).map((agentId) => agents.get(agentId)),
  ];
  const names = new Set(documents.flatMap((document) => document?.tools ?? []));
  const tools = [...deps.tools.of(deps.config.current(), runState.toolLists).values()];
  return tools
    .filter(({ name, family }) => name !== called && (names.has(name) || names.has(family)))
    .filter((tool) => permissionOf(undefined, toolsetFacts(tool)).permission === 'ask')
    .map(({ name }) => name)
    .sort();
}
