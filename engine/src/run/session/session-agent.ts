import { EngineError } from '../../base/error.ts';
import type { Agent, Api, Snapshot } from '../../config/config.ts';

/** What an agent that works for a person thinks with. */
export interface SessionAgent {
  readonly agent: Agent;
  readonly apiConfigId: string;
  readonly locality: Api['locality'];
}

/**
 * An agent as a person talks to it. One that names no api takes that of the directors who ask it, where they share one;
 * then what it thinks with stays local if it has to for one of them. `NOT_FOUND`, `CONFIG_INVALID` where no api is named.
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
      `agent "${agentId}" names no api of its own, and no director lends it one`,
      {
        hint:
          others.length > 0
            ? `the directors that ask it use ${[apiConfigId, ...others].join(', ')}: give it an apiConfigId`
            : 'give it an apiConfigId',
      },
    );
  const isLocal = directors.some(({ locality }) => locality === 'local');
  return { agent, apiConfigId, locality: isLocal ? 'local' : 'any' };
}
