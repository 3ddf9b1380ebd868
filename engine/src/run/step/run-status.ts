import type { RunContext } from '../../../machines/run.ts';
import type { Machine } from './machine.ts';
import type { Run, RunStatus } from '../run.ts';

/** The context of a run machine. */
export function contextOf(machine: Machine): RunContext {
  return machine.snapshot.context as RunContext;
}

/** Status of a run as its machine's state says it. */
export function statusOf(machine: Machine): { status: RunStatus; waitingFor?: Run['waitingFor'] } {
  const { snapshot } = machine;
  if (snapshot.matches('queued')) return { status: 'queued' };
  if (snapshot.matches('completed')) return { status: 'completed' };
  if (snapshot.matches('failed')) return { status: 'failed' };
  if (snapshot.matches('cancelled')) return { status: 'cancelled' };
  if (snapshot.matches('rateLimited')) return { status: 'waiting', waitingFor: 'limit' };
  if (snapshot.matches({ calling: 'parked' })) {
    const isAsking = Object.values(contextOf(machine).calls).includes('asking');
    return { status: 'waiting', waitingFor: isAsking ? 'approval' : 'limit' };
  }
  return { status: 'running' };
}
