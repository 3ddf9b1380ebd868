import { EngineError } from '../base/error.ts';
import type { Change, Reader, Wake } from '../store/store.ts';

/** Who works a run, and how often it was stepped; `rev` 0 where nobody has yet. */
export interface Lease {
  /** `''`: nobody. */
  readonly worker: string;
  readonly job: string;
  readonly rev: number;
  /** Time of the last step, epoch milliseconds. */
  readonly at: number;
}

/**
 * On whose behalf a step is made. order: a person, an API call; anybody may. outcome: something that the holder of the run
 * has brought about, or a timer; only the holder may. take: who has the run's job takes the run up. release: the holder
 * lets it go.
 */
export type LeaseMode = 'order' | 'outcome' | 'take' | 'release';

/** A person's question goes before what has been begun, and that before a backlog of mail. */
export const PRIORITY = { person: 10, begun: 5, mail: 0 } as const;

/** Asks for a look at a run; `at` 0 is now. */
export function wake(run: string, at: number, priority: number): Wake {
  return { op: 'wake', run, at, priority };
}

/** The lease of a run. */
export async function readLease(reader: Reader, runId: string): Promise<Lease> {
  const row = await reader.get('lease', { run: runId });
  return row ?? { worker: '', job: '', rev: 0, at: 0 };
}

/** The change that moves a lease on, bound to the revision that it was read at. */
export function leaseChange(run: string, before: Lease, after: Lease): Change {
  if (before.rev === 0) return { op: 'insert', table: 'lease', row: { run, ...after } };
  return { op: 'update', table: 'lease', key: { run }, set: after, expect: { rev: before.rev } };
}

/** `RUN_ELSEWHERE`. */
export function elsewhere(runId: string, { worker }: Lease, retryable: boolean): EngineError {
  return new EngineError('RUN_ELSEWHERE', `run "${runId}" is worked by another process (${worker || 'none yet'})`, {
    hint: 'that process goes on with it; one that has died is replaced within a minute',
    retryable,
  });
}

/** `RUN_ELSEWHERE`: this process no longer has the run, and does not know who has. Its job is not done, and comes back. */
export function releaseLease(runId: string): EngineError {
  return new EngineError('RUN_ELSEWHERE', `run "${runId}" was let go before it could be parked`, { retryable: true });
}

/** Whether an error says that another process works the run. */
export function isElsewhere(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'RUN_ELSEWHERE';
}
