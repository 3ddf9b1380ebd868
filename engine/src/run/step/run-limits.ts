import type { RunLimits } from '../../../machines/run-events.ts';
import type { Api } from '../../config/config.ts';
import { apiOf } from './actor.ts';
import type { MachineFacts } from './machine.ts';
import type { Step } from './step.ts';

/** Limits of a run or an ask: the budget of the actor and the retries of its api, within the time that its callers have left. */
export async function limitsOf(step: Step, facts: MachineFacts): Promise<RunLimits> {
  const { budget } = step.actors.resolve(step.runState, facts).document;
  return {
    maxTurns: budget.maxIterations,
    timeMs: Math.min(budget.maxMinutes * 60_000, await timeLeft(step, facts)),
    ...retriesOf(apiOf(step.runState, facts)),
  };
}

/** The retries of an api within a turn. */
export function retriesOf(api: Api): Pick<RunLimits, 'maxAttempts' | 'backoffMs'> {
  const retry = 'retry' in api ? api.retry : { attempts: 1, backoffSeconds: 1 };
  return { maxAttempts: retry.attempts, backoffMs: retry.backoffSeconds * 1000 };
}

/** Working time that the callers of an ask have left, in milliseconds; Infinity for a run. */
async function timeLeft(step: Step, facts: MachineFacts): Promise<number> {
  let left = Infinity;
  for (let caller = facts.caller; caller !== undefined;) {
    const machine = await step.machine(caller.machine);
    if (machine === undefined) break;
    left = Math.min(left, machine.mode.timeLeftMs?.(machine.snapshot, step.now) ?? Infinity);
    caller = machine.facts.caller;
  }
  return Math.max(0, left);
}
