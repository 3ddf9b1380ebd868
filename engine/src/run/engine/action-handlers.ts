import { EngineError } from '../../base/error.ts';
import type { Ask, FrontState } from '../../../machines/session.ts';
import { release } from '../turn/admission.ts';
import { askId, askNumber, finishAsk, finishSession, refuseAsks, startAsk } from '../turn/agent-ask.ts';
import { dropCalls } from '../turn/drop-calls.ts';
import { effectId } from '../step/effect.ts';
import { finishRun } from '../lifecycle/finish.ts';
import type { MachineAction, Machine } from '../step/machine.ts';
import { finishMessage } from '../session/message-run.ts';
import { askModel } from '../turn/turn.ts';
import type { Step } from '../step/step.ts';

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
  'run.finish': (step, machine) => finish(step, machine),
  'session.startAsk': (step, machine, params) =>
    startAsk(step, machine, params['ask'] as Ask, Number(params['number'])),
  'session.dropAsk': (step, machine, params) =>
    step.send(askId(machine, Number(params['number'])), { type: 'CANCEL', at: step.now }),
  'session.tellQueue': (step, _machine, params) =>
    tellQueue(step, params['asks'] as readonly Ask[], params['front'] as FrontState),
  'session.refuseAsks': (step, _machine, params) => refuseAsks(step, params['asks'] as readonly Ask[]),
  'session.finish': (step, machine, params) =>
    finishSession(step, machine, params['status'] as 'expired' | 'completed'),
};

/** Does what a transition asked for. */
export async function handleAction(step: Step, machine: Machine, { type, params }: MachineAction): Promise<void> {
  const handler = HANDLERS[`${machine.kind}.${type}`];
  if (handler === undefined)
    throw new EngineError('INTERNAL', `nothing handles the action "${type}" of a ${machine.kind}`);
  await handler(step, machine, (params ?? {}) as Params);
}

/** An ask answers its caller, a person's message its session, and a director's run ends with all under it. */
function finish(step: Step, machine: Machine): Promise<void> {
  const { caller, agentId } = machine.facts;
  if (caller !== undefined) return finishAsk(step, machine);
  return agentId === '' ? finishRun(step, machine) : finishMessage(step, machine);
}

/**
 * An agent that waits for a person or a limit parks its caller's call too, so that nobody's time limit counts meanwhile;
 * and its session, which tells those who queue behind it.
 */
function tellCaller(step: Step, machine: Machine, params: Params): void {
  const { caller, threadId } = machine.facts;
  if (caller === undefined) return;
  const { type, why } = params as { type: 'CALL_PARKED' | 'CALL_RESUMED'; why?: string };
  step.later(caller.machine, { type, at: step.now, call: caller.call, ...(why !== undefined && { why }) });
  const number = askNumber(machine);
  step.later(threadId, type === 'CALL_PARKED' ? { type: 'ASK_PARKED', number, why } : { type: 'ASK_RESUMED', number });
}

/** Parks calls that queue behind one that waits, or has them go on. */
function tellQueue(step: Step, asks: readonly Ask[], front: FrontState): void {
  for (const { caller, call } of asks)
    step.later(
      caller,
      front === 'running'
        ? { type: 'CALL_RESUMED', at: step.now, call }
        : { type: 'CALL_PARKED', at: step.now, call, why: front },
    );
}
