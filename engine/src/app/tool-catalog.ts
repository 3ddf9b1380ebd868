import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { ToolCatalog } from '../config/config.ts';
import { DISCOVERY_TOOLS } from '../config/permissions.ts';
import { type ListedFamily, listFamilies } from '../tool/catalog.ts';
import { builtInTools, TOOL_ALIASES } from '../tool/registry.ts';
import type { ToolServices } from '../tool/tool-family.ts';
import type { Tool } from '../tool/tool.ts';

/** The tool catalog that config validates against. */
export function toolCatalogOf(tools: ReadonlyMap<string, Tool>): ToolCatalog {
  return {
    tools: new Map(
      [...tools].map(([name, { family, effects, reach, trust, asks, operation, parameters, recipients }]) => [
        name,
        { family, effects, reach, trust, asks, operation, arguments: argumentNames(parameters), recipients },
      ]),
    ),
    aliases: TOOL_ALIASES,
    discovery: DISCOVERY_TOOLS,
  };
}

/** Names of the arguments that a JSON Schema describes; undefined where it describes none, and so accepts any. */
function argumentNames(parameters: object): readonly string[] | undefined {
  return 'properties' in parameters && isRecord(parameters.properties) ? Object.keys(parameters.properties) : undefined;
}

/** The same for the built-in tools, for commands that only read the config. */
export function builtInToolCatalog(): ToolCatalog {
  return toolCatalogOf(builtInToolTable());
}

/** The families and tools for people: `GET /api/tools/catalog` and `callsheet tools`. */
export function listedFamilies(tools: ReadonlyMap<string, Tool>): readonly ListedFamily[] {
  return listFamilies(tools.values(), TOOL_ALIASES);
}

/** The built-in tools by name, to read their properties. They have no services, so they cannot be called. */
export function builtInToolTable(): ReadonlyMap<string, Tool> {
  const unused = () => {
    throw new EngineError('INTERNAL', 'tools of the catalog cannot be called');
  };
  // Families ask for services when they are called, not when they are listed.
  const services: ToolServices = {
    ...{ agenda: unused, mailService: unused, files: unused, memory: unused, reminders: unused },
    ...{ notifications: unused, notebooks: unused },
  };
  const tools = builtInTools(services);
  return new Map(tools.map((tool) => [tool.name, tool]));
}
