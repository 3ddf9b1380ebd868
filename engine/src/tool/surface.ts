import { closest } from 'fastest-levenshtein';
import { EngineError } from '../base/error.ts';
import { canonicalJson, sha256 } from '../base/json.ts';
import type { ToolSpec } from '../model/model.ts';
import { discoveryTools } from './discovery.ts';
import type { AgentTool, Offered, RosterEntry } from './offered.ts';
import type { Tool } from './tool.ts';

/** All that one actor is shown, in a fixed order. */
export interface Surface {
  readonly specs: readonly ToolSpec[];
  /** Hash of `specs`, by which request events name them. */
  readonly hash: string;
  readonly tools: ReadonlyMap<string, Offered>;
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
 * What an actor is shown: `names` are families or tool names; a director also has discovery and one tool an agent.
 * `isShown` leaves out what is denied.
 */
export function buildSurface(options: {
  readonly registry: ReadonlyMap<string, Tool>;
  readonly names: readonly string[];
  readonly roster: readonly RosterEntry[];
  readonly hasDiscovery: boolean;
  readonly isShown: (tool: { name: string; effects: Tool['effects']; isOurs: boolean }) => boolean;
}): Surface {
  const { registry, names, roster, isShown } = options;
  const wanted = [...registry.values()].filter((tool) => names.includes(tool.name) || names.includes(tool.family));
  const agents = roster.map(agentTool);
  const others: Offered[] = [...agents, ...wanted];
  const shown = others.filter((tool) => isShown(facts(tool)));
  const discovery = options.hasDiscovery ? discoveryTools(roster, shown).filter((tool) => isShown(facts(tool))) : [];
  const tools = [...discovery, ...shown];
  const specs = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
  return { specs, hash: sha256(canonicalJson(specs)), tools: new Map(tools.map((tool) => [tool.name, tool])) };
}

/** What permissions are judged by. */
export function facts(tool: Offered): { name: string; effects: Tool['effects']; isOurs: boolean } {
  if ('kind' in tool) return { name: tool.name, effects: 'none', isOurs: true };
  return { name: tool.name, effects: tool.effects, isOurs: tool.family === 'workspace' };
}

/** The tool behind a name. `TOOL_UNKNOWN`, with the nearest name, where the actor has no such tool. */
export function findTool(surface: Surface, name: string): Offered {
  const tool = surface.tools.get(name);
  if (tool !== undefined) return tool;
  const names = [...surface.tools.keys()];
  const near = names.length > 0 ? closest(name, names) : undefined;
  throw new EngineError(
    'TOOL_UNKNOWN',
    `there is no tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    {
      hint: names.length > 0 ? `your tools are: ${names.join(', ')}` : 'you have no tools: answer in words',
    },
  );
}

function agentTool(agent: RosterEntry): AgentTool {
  const description = `Talks to the agent ${agent.name}${agent.summary === '' ? '' : `: ${agent.summary}`}`;
  return { kind: 'agent', name: AGENT_PREFIX + agent.id, description, parameters: AGENT_PARAMETERS, agentId: agent.id };
}
