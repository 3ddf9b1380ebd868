import type { Tool } from './tool.ts';

/** A tool that tells a director what it has (seed 000, 3.2.8b); it reads nothing but the config of its run. */
export interface DiscoveryTool {
  readonly kind: 'discovery';
  readonly name: (typeof DISCOVERY)[number];
  readonly description: string;
  readonly parameters: object;
  readonly answer: (args: Readonly<Record<string, unknown>>) => unknown;
}

export const DISCOVERY = ['list_agents', 'list_tools', 'describe_tool'] as const;

/** An agent that a director may talk to. */
export interface RosterEntry {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly apiConfigId: string;
}

/** A tool that is answered by a session of an agent. */
export interface AgentTool {
  readonly kind: 'agent';
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly agentId: string;
}

/** What stands behind a name that a model may call. */
export type OfferedTool = Tool | AgentTool | DiscoveryTool;
