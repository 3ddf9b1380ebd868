import { type MemorySpace, type MemoryScope, SCOPES } from './memory.ts';

/** Spaces that a caller can read: a scope, and the director and the agent of the space; absent means any. */
export interface MemoryReach {
  readonly scope: MemoryScope;
  readonly directorId?: string;
  readonly agentId?: string;
}

/** The reach of a person: every memory. */
export const EVERYTHING: readonly MemoryReach[] = SCOPES.map((scope) => ({ scope }));

/** The director or agent that looks something up. An agent without a director works for a person. */
export interface MemoryReader {
  readonly directorId: string;
  /** `''` for a director. */
  readonly agentId: string;
  /** Agents whose local memories it may read besides its own. */
  readonly memoryAccess: readonly string[];
  /** True in a run with `locality: local`: only it reads what such runs wrote. */
  readonly isLocal?: boolean;
}

/**
 * The spaces that a director or an agent can read, the nearest first. A director reads its own local memories, those that
 * it shares with any of its agents, and the local ones of the agents in `memoryAccess`; an agent reads its own local
 * memories, those that it shares with the director that asks, and the local ones in `memoryAccess`. Everyone reads the
 * global ones. Nobody reads what another director has for itself or shares with an agent.
 */
export function reachOf({ directorId, agentId, memoryAccess }: MemoryReader): MemoryReach[] {
  const local = (id: string): MemoryReach => ({ scope: 'local', directorId: '', agentId: id });
  const others = memoryAccess.filter((id) => id !== agentId).map(local);
  if (agentId === '')
    return [
      { scope: 'local', directorId, agentId: '' },
      ...others,
      { scope: 'shared', directorId },
      { scope: 'global' },
    ];
  const shared: MemoryReach[] = directorId === '' ? [] : [{ scope: 'shared', directorId, agentId }];
  return [local(agentId), ...others, ...shared, { scope: 'global' }];
}

/** Whether a space is within a reach. */
export function isWithin(space: MemorySpace, reach: readonly MemoryReach[]): boolean {
  return reach.some(
    ({ scope, directorId, agentId }) =>
      scope === space.scope &&
      (directorId === undefined || directorId === space.directorId) &&
      (agentId === undefined || agentId === space.agentId),
  );
}
