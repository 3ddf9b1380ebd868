import { EngineError } from '../base/error.ts';
import type { Change, Reader, Wake } from '../store/store.ts';

/** Which process holds a run, and how many steps the run has had. `rev` is 0 before the first step. */
export interface Lease {
  /** Id of the process that holds the run; `''` where none does. */
  readonly worker: string;
  readonly job: string;
  readonly rev: number;
  /** Time of the last step, epoch milliseconds. */
  readonly at: number;
}

/**
 * Why a step is made, which decides who may make it. `command`: a command of a person or an API call; any process may.
 * `outcome`: the outcome of an effect, or a due timer; only the process that holds the run. `take`: the process that
 * got the run's job takes the run over. `release`: the process that holds the run gives it up.
 */
export type LeaseMode = 'command' | 'outcome' | 'take' | 'release';

/** Priorities of jobs: a person's question goes before runs that have begun, and those before new mail, tasks and dates. */
export const PRIORITY = { person: 10, begun: 5, mail: 0 } as const;

/** The change that enqueues a job for a run. `at` is its time in epoch milliseconds; 0 is now. */
export function wake(run: string, at: number, priority: number): Wake {
  return { op: 'wake', run, at, priority };
}

/** The lease of a run; one without a holder where nothing is stored. */
export async function readLease(reader: Reader, runId: string): Promise<Lease> {
  const row = await reader.get('lease', { run: runId });
  return row ?? { worker: '', job: '', rev: 0, at: 0 };
}

/** The change that moves a lease on; `STORE_CONFLICT` where the lease has another `rev` than the one that was read. */
export function leaseChange(run: string, before: Lease, after: Lease): Change {
  if (before.rev === 0) return { op: 'insert', table: 'lease', row: { run, ...after } };
  return { op: 'update', table: 'lease', key: { run }, set: after, expect: { rev: before.rev } };
}

/** The error `RUN_ELSEWHERE`: another process holds the run. */
export function heldElsewhere(runId: string, { worker }: Lease, retryable: boolean): EngineError {
  return new EngineError('RUN_ELSEWHERE', `run "${runId}" is held by another process (${worker || 'none yet'})`, {
    hint: 'that process continues the run; if it has died, another one takes over within a minute',
    retryable,
  });
}

/**
 * The error `RUN_ELSEWHERE`: this process lost the lease before the run could park, and the new holder is unknown. The
 * queue delivers the job again.
 */
export function leaseLost(runId: string): EngineError {
  return new EngineError('RUN_ELSEWHERE', `this process lost run "${runId}" before the run could be parked`, {
    retryable: true,
  });
}

/** Whether an error says that another process holds the run. */
export function isElsewhere(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'RUN_ELSEWHERE';
}
