import type { Api, Snapshot } from '../../config/config.ts';
import type { MachineFacts } from '../step/machine.ts';

/** The api that an actor names, whose `fallback` holds for it, and whether its work has to stay on local apis. */
export interface HomeApi {
  /** Undefined where it is disabled. */
  readonly api: Api | undefined;
  readonly locality: Api['locality'];
}

/**
 * The api that the actor of a machine names: an agent's own, else that of its director. An agent that works for a person has the
 * one that its directors share.
 */
export function homeApiOf(
  { apis, agents, directors }: Pick<Snapshot, 'apis' | 'agents' | 'directors'>,
  { agentId, directorId }: Pick<MachineFacts, 'agentId' | 'directorId'>,
): HomeApi {
  const own = agents.get(agentId)?.apiConfigId;
  const named =
    directorId === ''
      ? [...directors.values()].filter((director) => director.agents.includes(agentId))
      : [directors.get(directorId)].filter((director) => director !== undefined);
  const isLocal = named.some(({ locality }) => locality === 'local');
  const id = own ?? named[0]?.apiConfigId ?? '';
  return { api: apis.get(id), locality: isLocal ? 'local' : 'any' };
}
