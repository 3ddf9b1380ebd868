import type { Permission } from '../config/permissions.ts';
import { permissionOf } from '../config/rule/permission-of.ts';
import { AGENT_PREFIX, agentTool, toolsetFacts } from './toolset.ts';
import { discoveryTools } from './discovery.ts';
import type { OfferedTool } from './offered-tool.ts';
import type { Tool, WorldTool } from './tool.ts';

/** A tool as `GET /api/tools/catalog` and `callsheet tools` show it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly effects: Tool['effects'];
  readonly reach?: Tool['reach'];
  /** How the engine avoids that a write happens twice; see `WorldTool`. */
  readonly repeat?: WorldTool['repeat'];
  /** Where the director and the agent have no `permissions`. */
  readonly permission: Permission;
  /** Where they have `permissions` and no rule names the tool. */
  readonly permissionWithRules: Permission;
  /** Other names that `tools` and `permissions` accept. */
  readonly aliases: readonly string[];
  /** JSON Schema of the arguments. */
  readonly parameters: object;
}

/** A family with its tools. `use`: `tools` names it, or every director has it. */
export interface ListedFamily {
  readonly name: string;
  readonly use: 'named' | 'always';
  readonly tools: readonly ListedTool[];
}

/** All families with their tools, in the order of the tools, then the tools that every director has. */
export function listFamilies(tools: Iterable<Tool>, aliases: ReadonlyMap<string, string>): readonly ListedFamily[] {
  const families = new Map<string, Tool[]>();
  for (const tool of tools) families.set(tool.family, [...(families.get(tool.family) ?? []), tool]);
  const list = (offered: readonly OfferedTool[]) => offered.map((tool) => listTool(tool, aliases));
  const agent = agentTool({ id: '<id>', name: '<id>', summary: '', apiConfigId: '' });
  return [
    ...Array.from(families, ([name, members]) => ({ name, use: 'named' as const, tools: list(members) })),
    { name: 'discovery', use: 'always', tools: list(discoveryTools([], [], () => 'allow')) },
    { name: AGENT_PREFIX.replace(/_+$/, ''), use: 'always', tools: list([agent]) },
  ];
}

function listTool(tool: OfferedTool, aliases: ReadonlyMap<string, string>): ListedTool {
  const { name, description, parameters } = tool;
  const facts = toolsetFacts(tool);
  const reach = 'kind' in tool ? undefined : tool.reach;
  return {
    name,
    description,
    effects: facts.effects,
    ...(reach !== undefined && { reach }),
    ...('repeat' in tool && { repeat: tool.repeat }),
    permission: permissionOf(undefined, facts).permission,
    permissionWithRules: permissionOf({}, facts).permission,
    aliases: [...aliases].flatMap(([alias, target]) => (target === name ? [alias] : [])),
    parameters,
  };
}
