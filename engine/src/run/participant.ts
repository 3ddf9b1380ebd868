import type { Agent, Snapshot } from '../config/config.ts';
import type { Run } from './run.ts';

/** The limits of one turn of a participant that is an api: those of an agent without a budget of its own. */
const BUDGET: Agent['budget'] = { maxIterations: 20, maxMinutes: 10 };

const derived = new WeakMap<Snapshot, Map<string, Snapshot>>();

/**
 * The config of a run. For the turn of a participant of a chat that is an api and no agent of the config, it has one agent more: one
 * with the id of the participant, that api, no tools and the default budget. The same config and participant give the same object.
 */
export function withParticipant(
  config: Snapshot,
  { trigger, agentId, agentName }: Pick<Run, 'trigger' | 'agentId' | 'agentName'>,
): Snapshot {
  const { apiConfigId } = trigger;
  if (trigger.kind !== 'chat' || apiConfigId === undefined || agentId === undefined) return config;
  const known = derived.get(config) ?? new Map<string, Snapshot>();
  derived.set(config, known);
  const key = JSON.stringify([agentId, agentName, apiConfigId]);
  let found = known.get(key);
  if (found === undefined) {
    const agent: Agent = {
      ...{ id: agentId, name: agentName ?? agentId, description: '', enabled: true, apiConfigId },
      ...{ tools: [], memoryAccess: [], budget: BUDGET },
    };
    found = { ...config, agents: new Map([...config.agents, [agentId, agent]]) };
    known.set(key, found);
  }
  return found;
}
