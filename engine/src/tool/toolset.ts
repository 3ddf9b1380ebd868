import { canonicalJson, sha256 } from '../base/json.ts';
import type { ToolSpec } from '../model/model.ts';
import { discoveryTools } from './discovery.ts';
import { type AgentTool, findOffered, type OfferedTool, type RosterEntry } from './offered-tool.ts';
import { type Permission, type ToolFacts, OWN_FAMILIES } from '../config/permissions.ts';
import type { Tool } from './tool.ts';

/** The tools of one actor, in a fixed order. */
export interface Toolset {
  readonly specs: readonly ToolSpec[];
  /** Hash of `specs`; request events refer to the toolset by it. */
  readonly hash: string;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** Tools that permissions deny: the model does not see them, and a call of one is refused by name. */
  readonly denied: ReadonlyMap<string, OfferedTool>;
}

export const AGENT_PREFIX = 'agent__';

/** Arguments of every `agent__x` (seed 000, 3.2.8b). */
const AGENT_PARAMETERS = {
  type: 'object',
  required: ['input'],
  additionalProperties: false,
  properties: {
    input: {
      type: 'string',
      description: 'What you ask of the agent, with all that it needs to know: it does not see the mail.',
    },
    sessionId: {
      type: 'string',
      description: 'A session that an earlier call returned; left out, the agent goes on where it was.',
    },
    options: {
      type: 'object',
      additionalProperties: false,
      properties: {
        allowTools: { type: 'boolean', description: 'false: the agent answers without tools.' },
        toolFilter: { type: 'array', items: { type: 'string' }, description: 'Names of the only tools it may use.' },
      },
    },
  },
};

/**
 * Builds the toolset of an actor. `names` are families or tool names; a director also gets discovery and one tool for each
 * agent, and only a director can ask the user. Denied tools are left out, and with `only`, every tool that it does not name.
 */
export function buildToolset(options: {
  readonly registry: ReadonlyMap<string, Tool>;
  readonly names: readonly string[];
  readonly roster: readonly RosterEntry[];
  readonly hasDiscovery: boolean;
  readonly only?: readonly string[] | undefined;
  readonly permissionOf: (tool: OfferedTool) => Permission;
  /** Names of the notebooks that are open to the actor. Default: none. */
  readonly notebooks?: readonly string[];
}): Toolset {
  const { registry, names, roster, only, permissionOf } = options;
  const isNamed = (tool: Tool) =>
    (names.includes(tool.name) || names.includes(tool.family)) && (options.hasDiscovery || !('answeredBy' in tool));
  const isDenied = (tool: OfferedTool) => permissionOf(tool) === 'deny';
  const isShown = (tool: OfferedTool) => !isDenied(tool) && (only === undefined || only.includes(tool.name));
  const wanted: OfferedTool[] = [...roster.map(agentTool), ...[...registry.values()].filter(isNamed)];
  const shown = wanted.filter(isShown).map((tool) => fitted(tool, options.notebooks ?? []));
  const discovery = options.hasDiscovery ? discoveryTools(roster, shown, permissionOf) : [];
  const tools = [...discovery.filter(isShown), ...shown];
  const denied = [...discovery, ...wanted].filter(isDenied);
  const specs = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
  const byName = (list: readonly OfferedTool[]) => new Map(list.map((tool) => [tool.name, tool]));
  return { specs, hash: sha256(canonicalJson(specs)), tools: byName(tools), denied: byName(denied) };
}

/** A tool with the parameters that it has for an actor to whom these notebooks are open. */
function fitted(tool: OfferedTool, notebooks: readonly string[]): OfferedTool {
  if ('kind' in tool || tool.parametersFor === undefined) return tool;
  // A view, not a copy: it has the functions of the tool, also those that a test watches.
  const view: Tool = Object.create(tool, { parameters: { value: tool.parametersFor(notebooks), enumerable: true } });
  return view;
}

/** The properties of a tool that permissions depend on. */
export function toolsetFacts(tool: OfferedTool): ToolFacts {
  if ('kind' in tool) return { name: tool.name, effects: 'none', isOurs: true };
  const { name, effects, family, asks, operation, recipients } = tool;
  return { name, effects, isOurs: OWN_FAMILIES.has(family), asks, operation, recipients };
}

/** The tool of a name. `TOOL_UNKNOWN`, with the nearest name, where the actor has no such tool. */
export function findTool(toolset: Toolset, name: string): OfferedTool {
  return toolset.tools.get(name) ?? findOffered([...toolset.tools.values()], name);
}

/** The tool that asks an agent. */
export function agentTool(agent: RosterEntry): AgentTool {
  const description = `Talks to the agent ${agent.name}${agent.summary === '' ? '' : `: ${agent.summary}`}`;
  return { kind: 'agent', name: AGENT_PREFIX + agent.id, description, parameters: AGENT_PARAMETERS, agentId: agent.id };
}
