import type { Run } from '../../../run/run.ts';
import { oneLine } from '../../terminal/table.ts';

/** `waiting (approval)`, `waiting (limit: agent helper)` */
export function stateOf({ status, waitingFor, limit }: Run): string {
  if (waitingFor === undefined) return status;
  return `${status} (${waitingFor}${limit === undefined ? '' : `: ${oneLine(limit)}`})`;
}

/** Whether a run waits for a person: for a decision, for an answer, or for a draft to be sent. */
export function waitsForPerson({ waitingFor }: Pick<Run, 'waitingFor'>): boolean {
  return waitingFor === 'approval' || waitingFor === 'answer' || waitingFor === 'draft';
}

/** Whether a run may wait for weeks: for a mail or a date. */
export function waitsForLong({ waitingFor }: Pick<Run, 'waitingFor'>): boolean {
  return waitingFor === 'reply' || waitingFor === 'date';
}

/** The command that goes on with a run that waits for a person; `''` for any other run. */
export function nextCommand({ id, waitingFor }: Pick<Run, 'id' | 'waitingFor'>): string {
  if (waitingFor === 'approval') return 'callsheet approvals list';
  if (waitingFor === 'draft') return `callsheet objectives show ${id}`;
  return waitingFor === 'answer' ? `callsheet runs answer ${id}` : '';
}

/** The director of a run, or the agent of a session. */
export function whoOf({ directorId, agentId }: { readonly directorId: string; readonly agentId?: string }): string {
  if (agentId !== undefined) return `agent ${agentId}`;
  return directorId === '' ? 'embeddings' : directorId;
}
