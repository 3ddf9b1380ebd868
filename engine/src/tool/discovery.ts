import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import type { DiscoveryTool, OfferedTool, RosterEntry } from './offered-tool.ts';

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

/** The discovery tools of a director with this roster and these tools. */
export function discoveryTools(roster: readonly RosterEntry[], shown: readonly OfferedTool[]): DiscoveryTool[] {
  return [listAgents(roster), listTools(shown), describeTool(shown)];
}

function listAgents(roster: readonly RosterEntry[]): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'list_agents',
    description: 'Lists the agents that you can talk to.',
    parameters: NO_PARAMETERS,
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
    parameters: NO_PARAMETERS,
    answer: () =>
      shown.map(({ name, description, parameters }) => ({
        name,
        description,
        paramsSummary: paramsSummary(parameters),
      })),
  };
}

function describeTool(shown: readonly OfferedTool[]): DiscoveryTool {
  return {
    kind: 'discovery',
    name: 'describe_tool',
    description: 'Shows the full parameters of one tool.',
    parameters: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: { type: 'string', description: 'Name of the tool.' } },
    },
    answer({ name }) {
      const tool = shown.find((other) => other.name === name);
      if (tool === undefined)
        throw new EngineError('TOOL_UNKNOWN', `there is no tool "${String(name)}"`, {
          hint: 'list_tools shows their names',
        });
      return { name: tool.name, description: tool.description, parameters: tool.parameters };
    },
  };
}

/** `input: string, sessionId?: string` */
function paramsSummary(parameters: object): string {
  const properties = 'properties' in parameters ? parameters.properties : undefined;
  const required: readonly unknown[] =
    'required' in parameters && Array.isArray(parameters.required) ? parameters.required : [];
  if (!isRecord(properties)) return '';
  return Object.entries(properties)
    .map(([name, schema]) => {
      const type = isRecord(schema) && typeof schema['type'] === 'string' ? schema['type'] : 'any';
      return `${name}${required.includes(name) ? '' : '?'}: ${type}`;
    })
    .join(', ');
}
