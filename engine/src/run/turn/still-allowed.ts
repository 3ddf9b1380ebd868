import { EngineError } from '../../base/error.ts';
import type { GuardedCall } from '../../guard/guard.ts';
import { CONFIG_GUARDS, runGuards } from '../../guard/guards.ts';
import type { Actor } from '../step/actor.ts';
import type { ToolEffect } from '../step/effect.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { guardContextOf } from './guard-context.ts';
import { ruleOfRun } from './remember.ts';

/**
 * What the config says now about a call that was launched before: the error of a refusal, or why it asks. Neither where the call may
 * run, also because a person has allowed the same for this run.
 */
export async function checkAgain(
  step: Step,
  machine: Machine,
  actor: Actor,
  call: GuardedCall,
): Promise<{ readonly refused?: EngineError; readonly asks?: string }> {
  const context = guardContextOf(step, machine, actor);
  const outcome = await runGuards(call, context, CONFIG_GUARDS);
  if (outcome.decision === 'refuse') return { refused: outcome.error };
  if (outcome.decision === 'allow') return {};
  return (await ruleOfRun(step, actor, call, outcome.asks, context)) === undefined ? { asks: outcome.reason } : {};
}

/**
 * Throws `TOOL_DENIED`, or the code of the guard, where the config has changed since a call was launched and no longer lets it run.
 * A call that now asks is refused, too: when the model makes it again, a person is asked.
 */
export async function expectStillAllowed(
  step: Step,
  machine: Machine,
  { tool, arguments: args, isApproved = false }: Pick<ToolEffect, 'tool' | 'arguments' | 'isApproved'>,
  launchedBy: Actor,
): Promise<void> {
  const actor = step.actors.resolve(step.runState, machine.facts);
  if (actor === launchedBy) return;
  const { refused, asks } = await checkAgain(step, machine, actor, { tool, arguments: args });
  if (refused !== undefined) throw refused;
  if (asks === undefined || isApproved) return;
  throw new EngineError('TOOL_DENIED', `"${tool.name}" needs the approval of a person by now: ${asks}`, {
    hint: 'make the call again: then a person is asked',
  });
}
