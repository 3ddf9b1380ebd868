import { EngineError } from '../base/error.ts';
import type { Ask } from '../../machines/session.ts';
import { release } from './allowance.ts';
import { askId, finishAsk, finishSession, refuseAsks, startAsk } from './ask.ts';
import { dropCalls } from './drop.ts';
import { effectId } from './effect.ts';
import { finishRun } from './finish.ts';
import type { Asked, Machine } from './machine.ts';
import { askModel } from './turn.ts';
import type { Step } from './step.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * What each named action of the machines means, by `<kind>.<action>`. The machines type their own params; here they
 * arrive as data. Everything happens within the step; only launches come after it.
 */
const HANDLERS: Readonly<Record<string, (step: Step, machine: Machine, params: Params) => Promise<void> | void>> = {
  'run.askModel': (step, machine, params) => askModel(step, machine, Number(params['turn']), Number(params['attempt'])),
  'run.dropModel': (step, machine) => {
    release(step, machine);
    step.abort(effectId({ machine: machine.id }));
  },
  'run.dropCalls': (step, machine, params) => dropCalls(step, machine, params['calls'] as readonly string[]),
  'run.tellCaller': (step, machine, params) => tellCaller(step, machine, params),
  'run.finish': (step, machine) =>
    machine.facts.caller === undefined ? finishRun(step, machine) : finishAsk(step, machine),
  'session.startAsk': (step, machine, params) =>
    startAsk(step, machine, params['ask'] as Ask, Number(params['number'])),
  'session.dropAsk': (step, machine, params) =>
    step.send(askId(machine, Number(params['number'])), { type: 'CANCEL', at: step.now }),
  'session.refuseAsks': (step, _machine, params) => refuseAsks(step, params['asks'] as readonly Ask[]),
  'session.finish': (step, machine, params) =>
    finishSession(step, machine, params['status'] as 'expired' | 'completed'),
};

/** Does what a transition asked for. */
export async function handleAction(step: Step, machine: Machine, { type, params }: Asked): Promise<void> {
  const handler = HANDLERS[`${machine.kind}.${type}`];
  if (handler === undefined)
    throw new EngineError('INTERNAL', `nothing handles the action "${type}" of a ${machine.kind}`);
  await handler(step, machine, (params ?? {}) as Params);
}

/** An agent that waits for a person or a limit parks its caller's call too, so that nobody's time limit counts meanwhile. */
function tellCaller(step: Step, { facts }: Machine, params: Params): void {
  if (facts.caller === undefined) return;
  const { type, why } = params as { type: string; why?: string };
  step.later(facts.caller.machine, { type, at: step.now, call: facts.caller.call, ...(why !== undefined && { why }) });
}
