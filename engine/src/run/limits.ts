import type { RunLimits } from '../../machines/run.ts';
import { apiOf } from './actor.ts';
import type { Facts } from './machine.ts';
import type { Step } from './step.ts';

/** Limits of a run or an ask: the actor's budget and its api's patience. */
export function limitsOf(step: Step, facts: Facts): RunLimits {
  const { budget } = step.cast.actorOf(step.tree, facts).document;
  const api = apiOf(step.tree, facts);
  const retry = api.provider === 'scripted' ? { attempts: 1, backoffSeconds: 1 } : api.retry;
  return {
    maxTurns: budget.maxIterations,
    timeMs: budget.maxMinutes * 60_000,
    maxAttempts: retry.attempts,
    backoffMs: retry.backoffSeconds * 1000,
  };
}
