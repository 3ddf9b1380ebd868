import { EngineError } from '../base/error.ts';
import type { Permission } from '../config/permissions.ts';
import { documentTool } from './documentation.ts';
import { type DiscoveryTool, findOffered, type OfferedTool, type RosterEntry } from './offered-tool.ts';
import { summarizeParameters } from './parameter-list.ts';
import { parameters } from './parameters.ts';

/** The discovery tools of a director with this roster, these tools and their permissions. */
export function discoveryTools(
  roster: readonly RosterEntry[],
  shown: readonly OfferedTool[],
  permissionOf: (tool: OfferedTool) => Permission,
): DiscoveryTool[] {
  return [
    listAgents(roster),
    listTools(shown),
    describeTool(shown),
    validateToolParams(shown),
    readApiDocs(shown, permissionOf),
  ];
}

function listAgents(roster: readonly RosterEntry[]): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'list_agents',
    description: 'Lists the agents that you can talk to.',
    parameters: parameters({}),
    answer: () =>
      roster.map(({ id, name, summary, apiConfigId }) => ({
        id,
        name,
        ...(summary !== '' && { summary }),
        apiConfigId,
      })),
  };
}

function listTools(shown: readonly OfferedTool[]): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'list_tools',
    description: 'Lists the tools that you can call.',
    parameters: parameters({}),
    answer: () =>
      shown.map((tool) => ({
        name: tool.name,
        description: tool.description,
        paramsSummary: summarizeParameters(tool.parameters),
      })),
  };
}

function describeTool(shown: readonly OfferedTool[]): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'describe_tool',
    description: 'Shows the full parameters of one tool.',
    parameters: parameters({ name: { type: 'string', description: 'Name of the tool.' } }, ['name']),
    answer({ name }) {
      const tool = findOffered(shown, String(name));
      return { name: tool.name, description: tool.description, parameters: tool.parameters };
    },
  };
}

function validateToolParams(shown: readonly OfferedTool[]): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'validate_tool_params',
    description: 'Checks arguments against the parameters of a tool, without calling it.',
    parameters: parameters(
      {
        name: { type: 'string', description: 'Name of the tool.' },
        params: { type: 'object', description: 'The arguments as you would send them to the tool.' },
      },
      ['name', 'params'],
    ),
    async answer({ name, params }, checker) {
      const tool = findOffered(shown, String(name));
      try {
        await checker.check(params, tool.parameters);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'TOOL_ARGUMENTS') throw error;
        return { name: tool.name, valid: false, errors: error.message.split('; ') };
      }
      return { name: tool.name, valid: true, errors: [] };
    },
  };
}

function readApiDocs(shown: readonly OfferedTool[], permissionOf: (tool: OfferedTool) => Permission): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'read_api_docs',
    description:
      'Reads the documentation of a tool or of a family of tools: purpose, effects, whether a person is asked, and every parameter. Left out: of all tools.',
    parameters: parameters({ name: { type: 'string', description: 'Name of a tool or of a family. Default: all.' } }),
    answer({ name }) {
      const family = shown.filter((tool) => !('kind' in tool) && tool.family === name);
      const documented = name === undefined ? shown : family.length > 0 ? family : [findOffered(shown, String(name))];
      return documented.map((tool) => documentTool(tool, permissionOf(tool))).join('\n\n');
    },
  };
}
