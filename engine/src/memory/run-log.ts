import { isoTime } from '../base/clock.ts';
import type { Change, Store } from '../store/store.ts';
import type { Memory, MemorySpace, Mention, MemoryTrust } from './memory.ts';
import { rowOf } from './memory-rows.ts';
import { MAX_TEXT } from './memory-store.ts';

/** Tag of the short log that a finished run leaves. */
export const RUN_TAG = 'run';
/** Stands for the agent in the space of a director's run logs. No agent can have this id. */
export const RUN_LOGS = ':runs';
/** Most run logs that a lookup finds which did not ask for them. */
export const MOST_LOGS = 3;

/** The space of a director's run logs: apart from its memories, so that many runs hide none of them. */
export function runLogSpace(directorId: string): MemorySpace {
  return { scope: 'local', directorId, agentId: RUN_LOGS };
}

/** Id of the log of a run. */
export function runLogId(runId: string): string {
  return `mem_${runId}`;
}

/** What a finished run leaves. */
export interface RunLog {
  readonly runId: string;
  readonly directorId: string;
  readonly emailId?: string | undefined;
  readonly text: string;
  readonly trust: MemoryTrust;
  readonly isLocal: boolean;
  /** Set by a run with `privacy`. */
  readonly mentions?: readonly Mention[] | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly expires: number;
}

/** The change that stores the log of a run. */
export function runLogChange(log: RunLog, lookupKey: Store['lookupKey']): Change {
  const { runId, directorId, emailId, text, trust, isLocal, mentions, now, expires } = log;
  const at = isoTime(now);
  const memory: Memory = {
    ...{
      id: runLogId(runId),
      ...runLogSpace(directorId),
      text: text.slice(0, MAX_TEXT),
      owner: 'engine',
      tags: [RUN_TAG],
    },
    provenance: [{ writtenBy: 'engine', runId, ...(emailId !== undefined && { emailId }), trust, at }],
    ...{ trust, createdAt: at, updatedAt: at, expiresAt: isoTime(expires), revision: 1 },
    ...(isLocal && { isLocal: true as const }),
    ...(mentions !== undefined && { mentions }),
  };
  return { op: 'put', table: 'memory', row: rowOf(memory, lookupKey(`run log\0${runId}`)) };
}
