import { EngineError } from '../base/error.ts';
import type { ToolCatalog } from '../config/config.ts';
import { builtInTools, TOOL_ALIASES } from '../tool/registry.ts';
import { DISCOVERY } from '../tool/offered-tool.ts';
import type { Tool } from '../tool/tool.ts';

/** What config must know of the rooms to its right. */
export function toolCatalogOf(tools: ReadonlyMap<string, Tool>): ToolCatalog {
  return {
    tools: new Map([...tools].map(([name, { family, effects, reach }]) => [name, { family, effects, reach }])),
    aliases: TOOL_ALIASES,
    discovery: DISCOVERY,
  };
}

/** The same of the tools that Callsheet brings, for whoever only looks at config. */
export function builtInToolCatalog(): ToolCatalog {
  const unused = () => {
    throw new EngineError('INTERNAL', 'tools are only named here');
  };
  const tools = builtInTools(unused, unused);
  return toolCatalogOf(new Map(tools.map((tool) => [tool.name, tool])));
}
