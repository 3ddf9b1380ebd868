import { EngineError } from '../../base/error.ts';
import type { SnapshotFrom } from 'xstate';
import type { objectiveMachine } from '../../../machines/objective.ts';
import type { ObjectiveContext } from '../../../machines/objective-events.ts';
import type { Director } from '../../config/config.ts';
import { readObjective } from '../objective/objective-rows.ts';
import type { Objective } from '../objective/objective.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** The director of an objective, in the revision that its run has now. */
export function directorOf({ runState }: Step, { facts }: Machine): Director {
  const director = runState.config.directors.get(facts.directorId);
  if (director !== undefined) return director;
  throw new EngineError('INTERNAL', `the run's config has no director "${facts.directorId}"`);
}

/** The counters and dates of the machine of an objective. */
export function contextOf({ snapshot }: Machine): ObjectiveContext {
  return (snapshot as SnapshotFrom<typeof objectiveMachine>).context;
}

/** The record of the step's objective. */
export async function recordOf(step: Step): Promise<Objective> {
  const { id } = step.runState.record.run;
  const objective = await readObjective(step.draft, id);
  if (objective === undefined) throw new EngineError('NOT_FOUND', `run "${id}" has no objective`);
  return objective;
}

/** Id of the agent that does a role; undefined where the director does it itself. */
export function agentOfRole(director: Director, role: 'intake' | 'planner' | 'writer'): string | undefined {
  return director.objective[role];
}
