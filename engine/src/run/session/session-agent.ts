import { EngineError } from '../../base/error.ts';
import type { Agent, Api, Snapshot } from '../../config/config.ts';

/** An agent that works for a person, with its api. */
export interface SessionAgent {
  readonly agent: Agent;
  readonly apiConfigId: string;
  readonly locality: Api['locality'];
}

/**
 * The agent as a person talks to it. An agent without an api of its own takes the api of the directors that may ask it,
 * where all use the same; its `locality` is `local` where one of those directors requires it. `NOT_FOUND` for an
 * unknown agent, `CONFIG_INVALID` where the api is not clear.
 */
export function findSessionAgent(config: Snapshot, agentId: string): SessionAgent {
  const agent = config.agents.get(agentId);
  if (agent === undefined)
    throw new EngineError('NOT_FOUND', `there is no agent "${agentId}"`, {
      hint: `agents: ${[...config.agents.keys()].join(', ') || 'none'}`,
    });
  if (agent.apiConfigId !== undefined) return { agent, apiConfigId: agent.apiConfigId, locality: 'any' };
  const directors = [...config.directors.values()].filter(({ agents }) => agents.includes(agentId));
  const [apiConfigId, ...others] = new Set(directors.map((director) => director.apiConfigId));
  if (apiConfigId === undefined || others.length > 0)
    throw new EngineError(
      'CONFIG_INVALID',
      `agent "${agentId}" has no api: it names none, and its directors do not share one`,
      {
        hint:
          others.length > 0
            ? `its directors use ${[apiConfigId, ...others].join(', ')}: set apiConfigId in the agent`
            : 'set apiConfigId in the agent',
      },
    );
  const isLocal = directors.some(({ locality }) => locality === 'local');
  return { agent, apiConfigId, locality: isLocal ? 'local' : 'any' };
}
