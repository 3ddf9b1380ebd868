import type { Director, Snapshot } from '../../config/config.ts';
import { DISCOVERY_TOOLS } from '../../config/permissions.ts';
import type { GuardContext } from '../../guard/guard.ts';
import { permissionsGuard } from '../../guard/permissions.ts';
import { layersOf } from '../../run/step/actor.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { Tool } from '../../tool/tool.ts';
import { AGENT_PREFIX, agentTool } from '../../tool/toolset.ts';
import type { Difference } from '../difference.ts';
import type { PlayedCall, PlayedRun } from '../replay.ts';

/** A config with its tools by name. */
export interface ConfigWithTools {
  readonly config: Snapshot;
  readonly tools: ReadonlyMap<string, Tool>;
}

type Ruling = 'allow' | 'ask' | 'deny' | 'gone';

/** How much a ruling permits. */
const RANK: Record<Ruling, number> = { gone: 0, deny: 0, ask: 1, allow: 2 };

/**
 * What permissions and budgets of another config would change in a recorded run, without a model: each call is checked by the rules of
 * both configs, and the use of the run is held against the limits. Rules on recipients see the arguments as the model wrote them.
 */
export async function compareRules(
  run: PlayedRun,
  before: ConfigWithTools,
  after: ConfigWithTools,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const seen = new Set<string>();
  for (const call of run.calls) {
    const [was, is] = [await ruleOn(before, run.directorId, call), await ruleOn(after, run.directorId, call)];
    const text = `${call.tool}${call.agentId === '' ? '' : ` of agent ${call.agentId}`} ${changeOf(was, is)}`;
    if (was === is || seen.has(text)) continue;
    seen.add(text);
    differences.push({ kind: 'permissions', text, ...(RANK[is] > RANK[was] && { loosens: true }) });
  }
  return [
    ...differences,
    ...compareBudget(run, before.config.directors.get(run.directorId), after.config.directors.get(run.directorId)),
  ];
}

function changeOf(was: Ruling, is: Ruling): string {
  switch (is) {
    case 'allow':
      return was === 'ask' ? 'no longer asks a person' : 'is now allowed';
    case 'ask':
      return 'now asks a person';
    case 'deny':
      return 'is now denied';
    case 'gone':
      return 'is no longer offered';
    default:
      return is satisfies never;
  }
}

async function ruleOn({ config, tools }: ConfigWithTools, directorId: string, call: PlayedCall): Promise<Ruling> {
  const director = config.directors.get(directorId);
  const agent = call.agentId === '' ? undefined : config.agents.get(call.agentId);
  if ((directorId !== '' && director === undefined) || (call.agentId !== '' && agent === undefined)) return 'gone';
  if (DISCOVERY_TOOLS.some((name) => name === call.tool)) return 'allow';
  const tool = offered({ config, tools }, director, agent ?? director, call.tool);
  if (tool === undefined) return 'gone';
  const verdict = await permissionsGuard.check(
    { tool, arguments: (call.arguments ?? {}) as Readonly<Record<string, unknown>> },
    contextOf(config, director, agent, directorId),
  );
  return verdict.decision === 'pass' ? 'allow' : verdict.decision === 'ask' ? 'ask' : 'deny';
}

function offered(
  { config, tools }: ConfigWithTools,
  director: Director | undefined,
  actor: { readonly tools: readonly string[] } | undefined,
  name: string,
): OfferedTool | undefined {
  if (name.startsWith(AGENT_PREFIX)) {
    const id = name.slice(AGENT_PREFIX.length);
    const agent = director?.agents.includes(id) === true ? config.agents.get(id) : undefined;
    return agent && agentTool({ id, name: agent.name, summary: agent.description, apiConfigId: '' });
  }
  const tool = tools.get(name);
  if (tool === undefined || actor === undefined) return undefined;
  const isNamed = actor.tools.includes(name) || actor.tools.includes(tool.family);
  // A director that plans can always ask; one of objectives drafts and sends by itself.
  if (!isNamed && director?.mode === 'orchestrate') return undefined;
  const { actualArguments: _needsTheStore, ...rest } = tool;
  return rest;
}

function contextOf(
  config: Snapshot,
  director: Director | undefined,
  agent: Parameters<typeof layersOf>[3],
  directorId: string,
): GuardContext {
  return {
    caller: { runId: '', workspaceId: '', threadId: '', origin: { director: { id: directorId, name: '' } } },
    layers: layersOf(config, config, director, agent),
    ...{ config, newest: config },
    whyGone: () => undefined,
    taint: async () => undefined,
    userWords: async function* () {},
    participants: async () => new Set(),
  };
}

function compareBudget(run: PlayedRun, before: Director | undefined, after: Director | undefined): Difference[] {
  if (before === undefined || after === undefined) return [];
  const tokens = run.inputTokens + run.outputTokens;
  const uses = [
    ['maxIterations', run.ownTurns, 'turns'],
    ['maxTokens', tokens, 'tokens'],
    ['maxCost', run.cost ?? 0, 'US dollars'],
  ] as const;
  return uses.flatMap(([key, used, unit]): Difference[] => {
    const [was = Infinity, is = Infinity] = [before.budget[key], after.budget[key]];
    if (was === is || used <= is === used <= was) return [];
    return used > is
      ? [{ kind: 'budgets', text: `used ${used} ${unit}, and budget.${key} is ${is} now` }]
      : [{ kind: 'budgets', text: `used ${used} ${unit}, which budget.${key} permits now`, loosens: true }];
  });
}
