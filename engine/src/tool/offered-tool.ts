import { closest } from 'fastest-levenshtein';
import { EngineError } from '../base/error.ts';
import type { DISCOVERY_TOOLS } from '../config/permissions.ts';
import type { ArgumentChecker } from './arguments.ts';
import type { Tool } from './tool.ts';

/** A tool that lists and explains a director's agents and tools (seed 000, 3.2.8b). It reads only the config of its run. */
export interface DiscoveryTool {
  readonly kind: 'discovery';
  readonly name: (typeof DISCOVERY_TOOLS)[number];
  readonly description: string;
  readonly parameters: object;
  /** The answer, or a promise of it. `checker` checks arguments of other tools as their calls would. */
  readonly answer: (args: Readonly<Record<string, unknown>>, checker: ArgumentChecker) => unknown;
}

/** An agent that a director can ask. */
export interface RosterEntry {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly apiConfigId: string;
}

/** A tool that asks an agent, in a session. */
export interface AgentTool {
  readonly kind: 'agent';
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly agentId: string;
}

/** Anything that a model can call by name. */
export type OfferedTool = Tool | AgentTool | DiscoveryTool;

/** The tool of a name. `TOOL_UNKNOWN`, with the nearest name, where there is none. */
export function findOffered(tools: readonly OfferedTool[], name: string): OfferedTool {
  const tool = tools.find((other) => other.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((other) => other.name);
  const near = names.length > 0 ? closest(name, names) : undefined;
  throw new EngineError(
    'TOOL_UNKNOWN',
    `there is no tool "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    {
      hint: names.length > 0 ? `your tools are: ${names.join(', ')}` : 'you have no tools: answer with text',
    },
  );
}
