import type { Tool } from './tool.ts';

/** A tool that lists a director's agents and tools (seed 000, 3.2.8b). It reads only the config of its run. */
export interface DiscoveryTool {
  readonly kind: 'discovery';
  readonly name: (typeof DISCOVERY)[number];
  readonly description: string;
  readonly parameters: object;
  readonly answer: (args: Readonly<Record<string, unknown>>) => unknown;
}

export const DISCOVERY = ['list_agents', 'list_tools', 'describe_tool'] as const;

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
