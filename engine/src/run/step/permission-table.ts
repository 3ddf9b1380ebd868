import { EngineError } from '../../base/error.ts';
import type { Agent, Director, Snapshot } from '../../config/config.ts';
import type { Permission } from '../../config/permissions.ts';
import { hasArguments, namesTool } from '../../config/rule/match-rule.ts';
import { permissionOf } from '../../config/rule/permission-of.ts';
import type { Layer } from '../../guard/layer.ts';
import { checkPermission } from '../../guard/permissions.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { Tool } from '../../tool/tool.ts';
import { agentTool, toolsetFacts } from '../../tool/toolset.ts';
import { discoveryTools } from '../../tool/discovery.ts';
import { layersOf } from './actor.ts';

/** What happens when a director or an agent calls a tool, and the rule that decides. */
export interface PermissionRow {
  readonly tool: string;
  readonly caller: { readonly kind: 'director' | 'agent'; readonly id: string };
  readonly permission: Permission;
  /** The rule, or why there is none, with its document: `director boss: permissions.ask has "mail_*"`. */
  readonly reason: string;
  /** Where rules depend on the arguments: what they decide, the strictest first. `permission` holds for all other arguments. */
  readonly cases: readonly { readonly permission: Permission; readonly reason: string }[];
}

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const;
const STRICTNESS: Readonly<Record<Permission, number>> = { allow: 0, ask: 1, deny: 2 };

type Registry = ReadonlyMap<string, Tool>;

/**
 * The permissions of a director and each of its agents, tool by tool, by the newest config. `NOT_FOUND`. Only `permissions` and
 * `scope` count here: the other guards depend on the run. `live`: the newest config, where `config` is the one of a run.
 */
export function permissionTable(
  config: Snapshot,
  registry: Registry,
  directorId: string,
  live: Snapshot = config,
): PermissionRow[] {
  const director = config.directors.get(directorId);
  if (director === undefined)
    throw new EngineError('NOT_FOUND', `there is no director "${directorId}"`, {
      hint: `directors: ${[...config.directors.keys()].join(', ') || 'none'}`,
    });
  const agents = director.agents.flatMap((id) => config.agents.get(id) ?? []);
  const asks = agents.map(({ id, name, description }) =>
    agentTool({ id, name, summary: description, apiConfigId: '' }),
  );
  const own: OfferedTool[] = [...discoveryTools([], [], () => 'allow'), ...asks, ...namedTools(registry, director)];
  const rows = [
    ...own.map((tool) =>
      rowOf(tool, { kind: 'director', id: director.id }, layersOf(config, live, director, undefined)),
    ),
    ...agents.flatMap((agent) => agentRows(config, registry, { director, agent }, live)),
  ];
  const order = new Map([...own.map(({ name }) => name), ...registry.keys()].map((name, n) => [name, n]));
  return rows.sort((a, b) => (order.get(a.tool) ?? 0) - (order.get(b.tool) ?? 0));
}

/** The permissions of an agent that works for a person, tool by tool. Else as `permissionTable`. */
export function agentPermissions(
  config: Snapshot,
  registry: Registry,
  agent: Agent,
  live: Snapshot = config,
): PermissionRow[] {
  return agentRows(config, registry, { agent }, live);
}

function agentRows(
  config: Snapshot,
  registry: Registry,
  { director, agent }: { readonly director?: Director; readonly agent: Agent },
  live: Snapshot,
): PermissionRow[] {
  const layers = layersOf(config, live, director, agent);
  return namedTools(registry, agent).map((tool) => rowOf(tool, { kind: 'agent', id: agent.id }, layers));
}

function namedTools(registry: Registry, { tools }: Director | Agent): Tool[] {
  return [...registry.values()].filter(({ name, family }) => tools.includes(name) || tools.includes(family));
}

function rowOf(tool: OfferedTool, caller: PermissionRow['caller'], layers: readonly Layer[]): PermissionRow {
  const facts = toolsetFacts(tool);
  const loosest = checkPermission(facts, layers);
  if (loosest.permission === 'deny') return { tool: tool.name, caller, ...loosest, cases: [] };
  const cases = STRICTEST_FIRST.flatMap((permission) =>
    layers.flatMap(({ who, permissions }) =>
      (permissions?.[permission] ?? [])
        .filter((rule) => hasArguments(rule) && namesTool(rule, tool.name))
        .map((rule) => ({ permission, reason: `${who}: permissions.${permission} has "${rule}"` })),
    ),
  );
  const [first] = layers
    .map((layer) => ({ layer, ...permissionOf(layer.permissions, facts, {}) }))
    .sort((a, b) => STRICTNESS[b.permission] - STRICTNESS[a.permission]);
  if (first === undefined || cases.length === 0) {
    const rule = layers.flatMap(({ who, permissions }) => {
      const found = permissionOf(permissions, facts).rule;
      return found === undefined ? [] : [`${who}: permissions.allow has "${found}"`];
    });
    const reason = loosest.reason === '' ? rule.join('; ') || 'no rule names it' : loosest.reason;
    return { tool: tool.name, caller, permission: loosest.permission, reason, cases };
  }
  const { permission, rule, layer } = first;
  const reason = rule === undefined ? 'with other arguments' : `${layer.who}: permissions.${permission} has "${rule}"`;
  return { tool: tool.name, caller, permission, reason, cases };
}
