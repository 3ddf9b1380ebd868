import type { Run } from '../../../run/run.ts';
import { oneLine } from '../../terminal/table.ts';

/** `waiting (approval)`, `waiting (limit: agent helper)` */
export function stateOf({ status, waitingFor, limit }: Run): string {
  if (waitingFor === undefined) return status;
  return `${status} (${waitingFor}${limit === undefined ? '' : `: ${oneLine(limit)}`})`;
}

/** The director of a run, or the agent of a session. */
export function whoOf({ directorId, agentId }: { readonly directorId: string; readonly agentId?: string }): string {
  if (agentId !== undefined) return `agent ${agentId}`;
  return directorId === '' ? 'embeddings' : directorId;
}
